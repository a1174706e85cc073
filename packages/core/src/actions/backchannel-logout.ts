import type { VerificationToken } from '../adapter/adapter.ts'
import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { serializeError } from '../errors/serialize-error.ts'
import { type ActionResult, json } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { type LogoutRequest, parseLogoutToken, verifyLogoutToken } from '../oauth/logout-token.ts'
import { loadMetadata } from '../oauth/metadata.ts'
import { isOAuth } from '../oauth/oauth-provider.ts'
import { limitLogoutTokens } from '../sign-in-methods/rate-limits.ts'
import { sha256 } from '../tokens/hash.ts'
import { unknownProvider } from './error-response.ts'
import type { Run } from './route.ts'

const reject = (description: string): ActionResult =>
  json({ error: 'invalid_request', error_description: description }, new Map(), 400)

/**
 * Returns whether the account ids of a provider are the `sub` of its ID Tokens. If its `profile` function takes the id
 * from another claim, a logout token does not identify the user.
 */
async function hasSubjectIds({ profile }: Pick<OAuthProvider, 'profile'>): Promise<boolean> {
  const sub = crypto.randomUUID()
  try {
    const mapped: unknown = await profile({ sub }, {})
    return typeof mapped !== 'object' || mapped === null || !('id' in mapped) || mapped.id === sub
  } catch {
    // The function requires other claims, so the source of the id is unknown.
    return true
  }
}

/** Ends the sessions that the token names. An unknown account or session is ignored. */
async function endSessions(
  { id: provider, profile }: OAuthProvider,
  logout: LogoutRequest,
  { store, sessionManager }: Config
): Promise<void> {
  const { sessionId } = logout
  const subject = (await hasSubjectIds({ profile })) ? logout.subject : null
  const user = subject && store ? await store.getUserByAccount({ provider, providerAccountId: subject }) : null
  await sessionManager.endByProvider({ provider, userId: user?.id ?? null, sessionId })
}

/**
 * Creates the row that shares used tokens between processes. It is stored among the one-time tokens, none of which has
 * such a name.
 */
async function createReplayRow(provider: string, { jti, expiresAt }: LogoutRequest): Promise<VerificationToken> {
  return { identifier: `backchannel-logout:${provider}`, token: await sha256(jti), expires: new Date(expiresAt) }
}

/**
 * Uses a token once, in whichever process. The token is recorded after its sessions have ended: if the process stops in
 * between, the provider may send it again.
 *
 * @returns Whether the token was used by this call.
 */
async function useOnce(provider: OAuthProvider, logout: LogoutRequest, config: Config): Promise<boolean> {
  const { store, adapter } = config
  const look = adapter?.createVerificationToken ? store?.getVerificationToken : null
  if (!store || !look) {
    await endSessions(provider, logout, config)
    return true
  }
  const row = await createReplayRow(provider.id, logout)
  if (await look(row)) return false
  await endSessions(provider, logout, config)
  await store.createVerificationToken(row).catch(async (error: unknown) => {
    // A concurrent request used the same token: it is recorded.
    if (!(await look(row))) throw error
  })
  return true
}

/**
 * Ends the sessions that a provider's logout token names.
 *
 * The signature proves that the provider sent the token. The limit of the client, the issuer and the audience are checked
 * before it, and before any request is made. Each token is accepted once.
 *
 * @see OpenID Connect Back-Channel Logout 1.0 §2.5
 */
export const backchannelLogout: Run = async (request, config, provider) => {
  if (!isOAuth(provider)) return unknownProvider(request, config)
  const { store, oauth, logger, sessionManager } = config
  if (!store || !sessionManager.can('endAll'))
    return reject('back-channel logout needs an adapter that can end the sessions of a user')
  const token = getText(request.body, 'logout_token')
  if (!token || token.length > 20_000) return reject('expected a logout_token')
  const refund = await limitLogoutTokens(request, config)
  try {
    const parsed = parseLogoutToken(token, provider, oauth)
    const metadata = await loadMetadata(provider, oauth)
    const logout = await verifyLogoutToken(parsed, provider, metadata, oauth)
    if (logout.sessionId === null && !(await hasSubjectIds(provider))) {
      const message = 'expected a sid: the account ids of this provider are not the sub of its ID Tokens'
      logger.warn('BACKCHANNEL_LOGOUT_ERROR', { provider: provider.id, ref: request.id, message })
      return reject('expected a logout_token with a sid')
    }
    // Without records, nobody knows which session a sid names.
    if (!store.getSessionRecords && (logout.subject === null || !(await hasSubjectIds(provider))))
      return reject('expected a logout_token with a sub')
    const id = `${provider.id} ${logout.jti}`
    if (!oauth.logouts.isNew(id, logout.expiresAt)) return reject('this logout_token was used before')
    const isUsed = await useOnce(provider, logout, config).catch((error: unknown) => {
      // The provider may send the same token again.
      oauth.logouts.forget(id)
      throw error
    })
    if (!isUsed) return reject('this logout_token was used before')
    await refund()
    return json({})
  } catch (error) {
    if (error instanceof AuthError) throw error
    logger.warn('BACKCHANNEL_LOGOUT_ERROR', { provider: provider.id, ref: request.id, ...serializeError(error) })
    return reject('the logout_token is invalid')
  }
}
