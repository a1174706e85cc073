import type { VerificationToken } from '../adapter/adapter.ts'
import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { describe } from '../errors/serialize-error.ts'
import { textOf } from '../http/body.ts'
import { json, type Outcome } from '../http/action-result.ts'
import { type LogoutRequest, readLogoutToken } from '../oauth/logout-token.ts'
import { loadMetadata } from '../oauth/metadata.ts'
import { sha256 } from '../tokens/hash.ts'
import { type Run, unknownProvider } from './row.ts'

const refused = (description: string): Outcome =>
  json({ error: 'invalid_request', error_description: description }, new Map(), 400)

/** Ends every session that the token is about. An account or a session that is not known is nothing to end. */
async function endSessions(provider: string, logout: LogoutRequest, { store, devices }: Config): Promise<void> {
  const { subject, sessionId } = logout
  const user = subject && store ? await store.getUserByAccount({ provider, providerAccountId: subject }) : null
  await devices.endByProvider({ provider, userId: user?.id ?? null, sessionId })
}

/** Where every process finds which tokens were used: beside the one-time tokens, of which none is for such a name. */
async function rowOf(provider: string, { jti, ends }: LogoutRequest): Promise<VerificationToken> {
  return { identifier: `backchannel-logout:${provider}`, token: await sha256(jti), expires: new Date(ends) }
}

/**
 * Uses a token once, whichever process it came to before. It is noted when its sessions have ended: what is cut off in
 * between may be told again.
 *
 * @returns Whether it was used now.
 */
async function useOnce(provider: string, logout: LogoutRequest, config: Config): Promise<boolean> {
  const { store, adapter } = config
  const look = adapter?.createVerificationToken ? store?.getVerificationToken : null
  if (!store || !look) {
    await endSessions(provider, logout, config)
    return true
  }
  const row = await rowOf(provider, logout)
  if (await look(row)) return false
  await endSessions(provider, logout, config)
  await store.createVerificationToken(row).catch(async (error: unknown) => {
    // The same token came twice at once: that it is noted is all that matters.
    if (!(await look(row))) throw error
  })
  return true
}

/**
 * A provider says that somebody signed out there.
 *
 * The signed token is the proof that the provider says it; each one counts once.
 *
 * @see OpenID Connect Back-Channel Logout 1.0 §2.5
 */
export const endByProvider: Run = async (request, config, provider) => {
  if (provider?.kind !== 'oauth') return unknownProvider
  const { store, oauth, logger, devices } = config
  if (!store || !devices.can('endAll'))
    return refused('back-channel logout needs an adapter that can end the sessions of a user')
  const token = textOf(request.body, 'logout_token')
  if (!token || token.length > 20_000) return refused('expected a logout_token')
  try {
    const metadata = await loadMetadata(provider, oauth)
    const logout = await readLogoutToken(token, provider, metadata, oauth)
    const id = `${provider.id} ${logout.jti}`
    if (!oauth.logouts.isNew(id, logout.ends)) return refused('this logout_token was used before')
    const isUsed = await useOnce(provider.id, logout, config).catch((error: unknown) => {
      // The provider may try again with the same token.
      oauth.logouts.forget(id)
      throw error
    })
    return isUsed ? json({}) : refused('this logout_token was used before')
  } catch (error) {
    if (error instanceof AuthError) throw error
    logger.warn('BACKCHANNEL_LOGOUT_ERROR', { provider: provider.id, ref: request.id, ...describe(error) })
    return refused('the logout_token does not hold')
  }
}
