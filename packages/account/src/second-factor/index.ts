export type { ImportedTotp } from './import-totp.ts'
export type { SecondFactorOptions } from './options.ts'
export { type FactorInfo, type ResetOptions, type SecondFactorApi, secondFactor } from './second-factor.ts'
