import type { SessionRecord } from '../adapter/session-record.ts'
import type { Config } from '../config/config.ts'
import { describe } from '../errors/serialize-error.ts'
import { textOf } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import type { AccountTokens } from '../model/account.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { endSessionUrl } from '../oauth/end-session.ts'
import { revokeTokens } from '../oauth/revocation.ts'
import { providerSessionOf } from '../sessions/session-metadata.ts'
import { decodeJws } from '../tokens/jws.ts'
import { openList, sealText } from '../tokens/seal.ts'

/** At which provider a visitor is signed in as well, and the tokens that it gave. */
export interface AtProvider {
  readonly provider: OAuthProvider
  readonly tokens: AccountTokens
  readonly providerAccountId: string | null
}

/** Seconds that a provider may take to sign a visitor out. */
const longestSignOut = 900

const issuedAt = ({ id_token }: AccountTokens): number => Number(decodeJws(id_token ?? '')?.claims['iat'] ?? 0)

/** What was noted when the session began; it is read here and in no other request. */
async function recordOf({ cookies }: AuthRequest, { finder, store }: Config): Promise<SessionRecord | null> {
  const key = store?.getSessionRecords ? await finder.keyOf(cookies) : null
  const [record] = (key && (await store?.getSessionRecords?.({ id: key.id }))) ?? []
  return record ?? null
}

interface Wish {
  readonly userId: string
  /** A provider's id, or `true` for the one that the visitor came from. */
  readonly wish: string
  readonly record: SessionRecord | null
}

/**
 * Where a visitor came from: the provider that was noted with the session. Of sessions that nothing was noted of it is
 * the account whose ID Token is the newest, since tokens are written at every sign-in. Without a store it can be told
 * only where there is one provider, or one is named.
 */
async function find({ userId, wish, record }: Wish, { store, providers }: Config): Promise<AtProvider | null> {
  const wanted = wish === 'true' ? (record?.provider ?? null) : wish
  const all = [...providers.values()].filter((provider) => provider.kind === 'oauth')
  const oauth = all.filter(({ id }) => wanted === null || wanted === id)
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
  return newest.find(({ tokens }) => sid !== null && providerSessionOf(tokens) === sid) ?? newest[0] ?? null
}

/**
 * Looks where the visitor is signed in besides, where that is of use; to be asked before the session ends.
 *
 * @returns `null` where there is no such provider, or it could not be found out: the visitor is signed out here then.
 */
export async function atProvider(request: AuthRequest, config: Config): Promise<AtProvider | null> {
  const wish = textOf(request.body, 'provider')
  if (!wish && !config.revokeAtSignOut) return null
  try {
    const record = await recordOf(request, config)
    const { userId = null } = record ?? (await config.finder.identify(request.cookies)) ?? {}
    return userId === null ? null : await find({ userId, wish: wish ?? 'true', record }, config)
  } catch (error) {
    config.logger.warn('SIGNOUT_PROVIDER_ERROR', { ref: request.id, ...describe(error) })
    return null
  }
}

/** Takes back the tokens of the account, where the application wants that. */
export async function revokeAt(at: AtProvider, { revokeAtSignOut, store, oauth }: Config): Promise<void> {
  const { provider, tokens, providerAccountId } = at
  if (!revokeAtSignOut) return
  await revokeTokens(tokens, provider, oauth)
  if (providerAccountId === null) return
  const nothing = { access_token: null, refresh_token: null, expires_at: null }
  await store?.updateAccount?.({ provider: provider.id, providerAccountId, ...nothing }).catch(() => undefined)
}

/** @returns Where the visitor signs out at the provider, to come back and go on to `callbackUrl`; `null` for nowhere. */
export async function wayOut(
  { provider, tokens }: AtProvider,
  callbackUrl: string,
  { base, keys, runtime, oauth, logger }: Config
): Promise<string | null> {
  const ends = Math.floor(runtime.now() / 1000) + longestSignOut
  const state = await sealText(keys.signOut, JSON.stringify([{ ends, callbackUrl }]))
  const request = { idToken: tokens.id_token ?? null, redirectUri: `${base}/signout`, state }
  try {
    return await endSessionUrl(request, provider, oauth)
  } catch (error) {
    logger.warn('SIGNOUT_PROVIDER_ERROR', { provider: provider.id, ...describe(error) })
    return null
  }
}

interface Return {
  readonly ends: number
  readonly callbackUrl: string
}

const isReturn = (entry: object): entry is Return => 'callbackUrl' in entry && typeof entry.callbackUrl === 'string'

/** @returns Where a visitor goes who comes back from a provider; `null` for a `state` that is not ours. */
export async function wayBack(state: string, { keys, runtime }: Config): Promise<string | null> {
  const [found] = await openList(keys.signOut, state, isReturn, runtime.now())
  return found?.callbackUrl ?? null
}
