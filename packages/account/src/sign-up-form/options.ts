import type { Captcha, FeatureContext, Shape } from '@postern/core/feature'
import { findCaptchaProblems } from '@postern/core/feature'
import { findFieldProblems, type OwnFields, type SignUpFields, type ValidateSignUp } from './sign-up-fields.ts'

/** What an application adds to the form of a sign-up. */
export interface SignUpFormOptions {
  /**
   * Fields that the form of a sign-up asks for, by name: what is typed is passed to `createUser` of the adapter, for columns with
   * these names. @defaultValue none
   */
  readonly signUpFields?: SignUpFields | undefined
  /** Validates what was typed into `signUpFields`. @returns The errors by field; none if it accepts the values. */
  readonly validateSignUp?: ValidateSignUp | undefined
  /**
   * Asked before a form that sends a mail to any address does any work: that of a sign-up, and "Forgot password?" of
   * `password()`. @defaultValue none
   */
  readonly captcha?: Captcha | undefined
}

export const signUpFormSchema: Shape = {
  signUpFields: 'object',
  validateSignUp: 'function',
  captcha: { script: 'string', attributes: 'object', verify: 'function' }
}

/** What a feature reads the form of a sign-up with. */
export interface SignUpForm {
  /** The fields that the application adds. */
  readonly signUpFields: OwnFields
  /** What is asked before a form that sends a mail; `null` for none. */
  readonly captcha: Captcha | null
}

/** @returns What is wrong with the options. */
export const findSignUpFormProblems = ({ signUpFields = {}, captcha }: SignUpFormOptions): readonly string[] => [
  ...findFieldProblems(signUpFields),
  ...findCaptchaProblems(captcha ?? null)
]

/** Limits the time of the function. */
const wrapValidate =
  (validate: ValidateSignUp, { withTimeout }: FeatureContext): OwnFields['validate'] =>
  (values) =>
    withTimeout('validateSignUp', () => validate(values))

export function createSignUpForm(
  { signUpFields: fields = {}, validateSignUp, captcha }: SignUpFormOptions,
  context: FeatureContext
): SignUpForm {
  const validate = validateSignUp ? wrapValidate(validateSignUp, context) : null
  return { captcha: captcha ?? null, signUpFields: { fields, validate } }
}
