export { type AccountApi, accountPages } from './account-pages.ts'
export type { AccountPagesOptions, OwnSection } from './options.ts'
