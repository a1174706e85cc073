export type { AuthJsAuthenticator, AuthJsAuthenticators } from './auth-js.ts'
export type { PasskeyOptions } from './options.ts'
export { type PasskeyApi, type PasskeyInfo, passkey } from './passkey.ts'
