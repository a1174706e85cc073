export type { Captcha } from '@postern/core/feature'
export type {
  OwnText,
  SignUpField,
  SignUpFields,
  SignUpValues,
  ValidateSignUp
} from '../sign-up-form/sign-up-fields.ts'
export type { AuthJsAuthenticator, AuthJsAuthenticators } from './auth-js.ts'
export type { PasskeyOptions } from './options.ts'
export { type PasskeyApi, type PasskeyInfo, passkey } from './passkey.ts'
