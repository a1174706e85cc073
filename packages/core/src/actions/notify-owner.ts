import type { UnlinkedAddressError } from '../accounts/unlinked-address.ts'
import type { Config } from '../config/config.ts'
import { serializeError } from '../errors/serialize-error.ts'
import { accountMails } from '../features/account-mails.ts'
import { getProviderNames } from '../features/registry.ts'
import type { AuthRequest } from '../http/request.ts'
import type { Provider } from '../model/provider.ts'
import { getRateLimitAddress } from '../sign-in-methods/rate-limit-identifier.ts'
import { mailLimits } from '../sign-in-methods/rate-limits.ts'

/**
 * Tells the owner of an address by mail why a sign-in with it was refused. It takes the same steps whether or not a user
 * has the address, and the response is the same if no mail is sent.
 */
export async function notifyOwner(
  { address, isKnown }: UnlinkedAddressError,
  provider: Provider,
  request: AuthRequest,
  config: Config
): Promise<void> {
  const { base, features, renderContext, sendOwnMail, logger } = config
  const { id, texts } = isKnown ? accountMails.known : accountMails.unknown
  const site = renderContext.pageContext.siteName
  const values = { provider: getProviderNames(provider, features), site, url: `${base}/signin` }
  try {
    await mailLimits(getRateLimitAddress(address), request, config).consume()
    await sendOwnMail({ caller: `features.${id}`, texts, to: address, values }, { request })
  } catch (error) {
    logger.warn('NOTICE_NOT_SENT', { ref: request.id, ...serializeError(error) })
  }
}
