export type { Captcha } from '@postern/core/feature'
export type {
  OwnText,
  SignUpField,
  SignUpFields,
  SignUpValues,
  ValidateSignUp
} from '../sign-up-form/sign-up-fields.ts'
export { type BreachedCheck, type HaveIBeenPwnedOptions, haveIBeenPwned } from './have-i-been-pwned.ts'
export type { PasswordOptions } from './options.ts'
export { type PasswordApi, password } from './password.ts'
export type { VerifyLegacy } from './password-hasher.ts'
