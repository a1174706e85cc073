import type { SignInOption } from '@postern/core'
import type { ViewOf } from '../view.ts'
import { findFailedOption, isAboutFields } from './failed-option.ts'

type SignInView = ViewOf<'signin'>
type OptionOf<T extends SignInOption['type']> = Extract<SignInOption, { readonly type: T }>

/** A form with one field for the address, which several methods use. */
interface AddressForm {
  readonly kind: 'address'
  /** The method with a password; `null` if there is none. */
  readonly password: OptionOf<'credentials'> | null
  readonly emails: readonly OptionOf<'email'>[]
}

/** A form with the fields of one method. */
interface FieldsForm {
  readonly kind: 'fields'
  readonly option: OptionOf<'credentials'>
}

export type OptionForm = AddressForm | FieldsForm

/** The sign-in options as the screen shows them: one group of buttons, one form, and the rest folded. */
export interface Arrangement {
  readonly buttons: readonly OptionOf<'oauth'>[]
  /** The buttons after the first ones, if there are many. */
  readonly foldedButtons: readonly OptionOf<'oauth'>[]
  /** The form that is visible; `null` if there are only buttons. */
  readonly form: OptionForm | null
  readonly foldedForms: readonly OptionForm[]
  /** Whether the form is above the buttons: what was wrong with it must be visible at once. */
  readonly isFormFirst: boolean
}

/** More buttons are folded: the page of a phone must show the form too. */
const maxButtons = 6
/** The buttons that stay if others are folded. */
const keptButtons = 4

/** Whether an option has a type. */
export const isOf =
  <T extends SignInOption['type']>(type: T) =>
  (option: SignInOption): option is OptionOf<T> =>
    option.type === type

/** Whether the form of a feature asks for an address in the field that providers for email read. */
function isPasswordForAddress({ source, identifier, fields }: OptionOf<'credentials'>): boolean {
  return (
    source === 'feature' &&
    identifier === 'email' &&
    fields.some(({ name, type }) => name === 'email' && type === 'email')
  )
}

/** @returns The options whose form it is. */
export function getMembers(form: OptionForm): readonly SignInOption[] {
  if (form.kind === 'fields') return [form.option]
  return form.password ? [form.password, ...form.emails] : form.emails
}

/** @returns The forms of the options: methods that ask for an address share one. */
export function getForms(choices: readonly SignInOption[]): readonly OptionForm[] {
  const [emails, credentials] = [choices.filter(isOf('email')), choices.filter(isOf('credentials'))]
  const password = credentials.find(isPasswordForAddress) ?? null
  const address: readonly OptionForm[] = password || emails.length > 0 ? [{ kind: 'address', password, emails }] : []
  const others = credentials.filter((option) => option !== password)
  return [...address, ...others.map((option): OptionForm => ({ kind: 'fields', option }))]
}

/** Whether a form failed, and what is known about its fields. */
export interface FormState {
  /** Whether the message belongs to this form. */
  readonly isFailed: boolean
  /** Whether the message may be about its fields. */
  readonly isExplained: boolean
  /** Whether the values of its fields are known to be wrong. */
  readonly isWrong: boolean
}

/** @returns The state of a form: with several forms of a kind, it may be unknown which one was submitted. */
export function getFormState(view: SignInView, form: OptionForm): FormState {
  const members = getMembers(form)
  const failed = findFailedOption(view)
  const isAbout = members.some((option) => isAboutFields(view, option))
  const isOthers = view.choices.some((option) => !members.includes(option) && isAboutFields(view, option))
  const isFailed = failed ? members.includes(failed) : isAbout && !isOthers
  return { isFailed, isExplained: (isFailed || failed === null) && isAbout, isWrong: isFailed && isAbout }
}

/** Arranges the options: the straight way first, whatever order they are configured in. */
export function arrangeOptions(view: SignInView): Arrangement {
  const { choices, lastUsed, identifierFirst } = view
  const all = choices.filter(isOf('oauth'))
  const isKept = ({ id }: SignInOption, at: number): boolean =>
    all.length <= maxButtons || at < keptButtons || id === lastUsed
  const forms = getForms(choices)
  const failed = forms.find((form) => getFormState(view, form).isFailed) ?? null
  const form = failed ?? forms[0] ?? null
  return {
    buttons: all.filter(isKept),
    foldedButtons: all.filter((option, at) => !isKept(option, at)),
    form,
    foldedForms: forms.filter((other) => other !== form),
    isFormFirst: failed !== null || (identifierFirst?.identifier ?? null) !== null
  }
}
