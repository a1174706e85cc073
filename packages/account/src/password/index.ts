export { type BreachedCheck, type HaveIBeenPwnedOptions, haveIBeenPwned } from './have-i-been-pwned.ts'
export type { PasswordOptions } from './options.ts'
export { type PasswordApi, password } from './password.ts'
export type { VerifyLegacy } from './password-hasher.ts'
