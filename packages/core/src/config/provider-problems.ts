import { getErrorMessage } from '../errors/serialize-error.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { findUnsupported, loadMetadataAhead } from '../oauth/metadata.ts'
import { oauthProviders } from '../oauth/oauth-provider.ts'
import { protocolError } from '../oauth/protocol-error.ts'
import type { Services } from './config.ts'

/** @returns Why no user can sign in with this provider now; `null` if its metadata is all right. */
async function findProblem(provider: OAuthProvider, oauthContext: Services['oauth']): Promise<string | null> {
  try {
    return findUnsupported(provider.id, await loadMetadataAhead(provider, oauthContext))
  } catch (error) {
    return getErrorMessage(protocolError('OAuthSignin', provider, 'discovery', error))
  }
}

/**
 * Reads the metadata of the providers that publish it, and logs each with which no user can sign in: otherwise, the first user
 * would find out. What is read stays in the cache for the first sign-ins.
 */
export async function warnOfProviderProblems({ logger, oauth, providers }: Services): Promise<void> {
  const published = oauthProviders(providers).filter(({ wellKnown }) => wellKnown)
  const problems = await Promise.all(published.map((provider) => findProblem(provider, oauth)))
  for (const problem of problems) if (problem !== null) logger.warn('PROVIDER_UNUSABLE', problem)
}
