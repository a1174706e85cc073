import type { FeatureContext, FeatureRequest } from '@postern/core/feature'

/** The URL of the account page: the application's own, or the one of `accountPages()`; `null` if there is none. */
export function getAccountUrl(
  { basePath }: Pick<FeatureRequest, 'basePath'>,
  { accountPage, features }: Pick<FeatureContext, 'accountPage' | 'features'>
): string | null {
  if (accountPage !== null) return accountPage
  return Object.hasOwn(features, 'account') ? `${basePath}/account` : null
}
