import type { SessionRecord } from '../adapter/session-record.ts'
import type { Config } from '../config/config.ts'
import { serializeError } from '../errors/serialize-error.ts'
import { getText } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import type { AccountTokens } from '../model/account.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { endSessionUrl } from '../oauth/end-session.ts'
import { oauthProviders } from '../oauth/oauth-provider.ts'
import { revokeTokens } from '../oauth/revocation.ts'
import { getProviderSessionId } from '../sessions/session-metadata.ts'
import { decryptList, type Expiring } from '../tokens/encrypted-list.ts'
import { encryptText } from '../tokens/jwe.ts'
import { decodeJws } from '../tokens/jws.ts'

/** The provider at which the user is also signed in, and the tokens that it issued. */
export interface ProviderSession {
  readonly provider: OAuthProvider
  readonly tokens: AccountTokens
  readonly providerAccountId: string | null
}

/** Seconds in which the user must return from a sign-out at the provider. */
const maxSignOutSeconds = 900

const issuedAt = ({ id_token }: AccountTokens): number => Number(decodeJws(id_token ?? '')?.claims['iat'] ?? 0)

/** Reads the record of the session; no other request reads it. */
async function findSessionRecord(
  { cookies }: AuthRequest,
  { sessionReader, store }: Config
): Promise<SessionRecord | null> {
  const key = store?.getSessionRecords ? await sessionReader.readKey(cookies) : null
  const [record] = (key && (await store?.getSessionRecords?.({ id: key.id }))) ?? []
  return record ?? null
}

interface LogoutSubject {
  readonly userId: string
  /** The id of a provider, or `true` for the provider of the sign-in. */
  readonly requested: string
  readonly record: SessionRecord | null
}

/**
 * Finds the provider of the sign-in in the record of the session. For a session without a record, it is the account
 * with the newest ID Token, because every sign-in writes tokens. Without a store, the provider is known only if there
 * is exactly one, or the request names one.
 */
async function find(
  { userId, requested, record }: LogoutSubject,
  { store, providers }: Config
): Promise<ProviderSession | null> {
  const wanted = requested === 'true' ? (record?.provider ?? null) : requested
  const oauth = oauthProviders(providers).filter(({ id }) => wanted === null || wanted === id)
  if (!store?.getAccounts) {
    const [provider, ...others] = oauth
    return provider && others.length === 0 ? { provider, tokens: {}, providerAccountId: null } : null
  }
  const found = (await store.getAccounts(userId)).flatMap((tokens) => {
    const provider = oauth.find(({ id }) => id === tokens.provider)
    return provider ? [{ provider, tokens, providerAccountId: tokens.providerAccountId }] : []
  })
  const newest = found.toSorted((one, other) => issuedAt(other.tokens) - issuedAt(one.tokens))
  const sid = record?.providerSessionId ?? null
  return newest.find(({ tokens }) => sid !== null && getProviderSessionId(tokens) === sid) ?? newest[0] ?? null
}

/**
 * Finds the session at the provider, if the request needs it. Must be called before the session ends.
 *
 * @returns `null` if there is no such provider, or if it cannot be determined: the user is then signed out of the
 * application only.
 */
export async function findProviderSession(request: AuthRequest, config: Config): Promise<ProviderSession | null> {
  const requested = getText(request.body, 'provider')
  if (!requested && !config.revokeAtSignOut) return null
  try {
    const record = await findSessionRecord(request, config)
    const { userId = null } = record ?? (await config.sessionReader.readUser(request.cookies)) ?? {}
    return userId === null ? null : await find({ userId, requested: requested ?? 'true', record }, config)
  } catch (error) {
    config.logger.warn('SIGNOUT_PROVIDER_ERROR', { ref: request.id, ...serializeError(error) })
    return null
  }
}

/** Revokes the tokens of the account if the application enabled it. */
export async function revokeAt(at: ProviderSession, { revokeAtSignOut, store, oauth }: Config): Promise<void> {
  const { provider, tokens, providerAccountId } = at
  if (!revokeAtSignOut) return
  await revokeTokens(tokens, provider, oauth)
  if (providerAccountId === null) return
  const account = {
    provider: provider.id,
    providerAccountId,
    access_token: null,
    refresh_token: null,
    expires_at: null
  }
  await store?.updateAccount?.(account).catch(() => undefined)
}

/**
 * @returns The URL that signs the user out at the provider and then returns to `callbackUrl`; `null` if there is none.
 */
export async function getLogoutUrl(
  { provider, tokens }: ProviderSession,
  callbackUrl: string,
  { base, keys, runtime, oauth, logger, application }: Config
): Promise<string | null> {
  const ends = Math.floor(runtime.now() / 1000) + maxSignOutSeconds
  const state = await encryptText(keys.signOut, JSON.stringify([{ ends, callbackUrl, app: application.id }]))
  const request = { idToken: tokens.id_token ?? null, redirectUri: `${base}/signout`, state }
  try {
    return await endSessionUrl(request, provider, oauth)
  } catch (error) {
    logger.warn('SIGNOUT_PROVIDER_ERROR', { provider: provider.id, ...serializeError(error) })
    return null
  }
}

interface Return extends Expiring {
  readonly callbackUrl: string
}

const isReturn = (entry: Expiring): entry is Return => 'callbackUrl' in entry && typeof entry.callbackUrl === 'string'

/**
 * @returns The URL for a user who returns from a provider; `null` for a `state` that this application did not issue.
 */
export async function getLogoutReturnUrl(
  state: string,
  { keys, runtime, application }: Config
): Promise<string | null> {
  const [found] = await decryptList(keys.signOut, state, isReturn, runtime.now())
  return found?.app === application.id ? found.callbackUrl : null
}
