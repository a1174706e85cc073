import type { FeatureContext, FeatureRequest } from '@postern/core/feature'
import { AccountPart } from './account-parts.ts'

/**
 * Where a signed-in user verifies their address: in the section of the account page, or with a sign-in by email.
 *
 * @returns `null` if there is no way to verify it.
 */
export function getVerifyAddressUrl(
  { basePath }: Pick<FeatureRequest, 'basePath'>,
  context: FeatureContext
): string | null {
  if (context.canSendMail && AccountPart.findAll(context).hasPages) return `${basePath}/account/email`
  return context.providers.some(({ type }) => type === 'email') ? `${basePath}/signin` : null
}

/** The URL of the account page: the application's own, or the one of `accountPages()`; `null` if there is none. */
export function getAccountUrl(context: FeatureContext): string | null {
  if (context.accountPage !== null) return context.accountPage
  return AccountPart.findAll(context).hasPages ? context.getPagePath('/account') : null
}
