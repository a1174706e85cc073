import type { FeatureContext, FeatureRequest } from '@postern/core/feature'

/**
 * Where a signed-in user verifies their address: in the section of the account page, or with a sign-in by email.
 *
 * @returns `null` if there is no way to verify it.
 */
export function getVerifyAddressUrl(
  { basePath }: Pick<FeatureRequest, 'basePath'>,
  { canSendMail, features, providers }: FeatureContext
): string | null {
  if (canSendMail && Object.hasOwn(features, 'account')) return `${basePath}/account/email`
  return providers.some(({ type }) => type === 'email') ? `${basePath}/signin` : null
}

/** The URL of the account page: the application's own, or the one of `accountPages()`; `null` if there is none. */
export function getAccountUrl(context: FeatureContext): string | null {
  if (context.accountPage !== null) return context.accountPage
  return Object.hasOwn(context.features, 'account') ? context.getPagePath('/account') : null
}
