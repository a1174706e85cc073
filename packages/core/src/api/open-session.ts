import type { AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import type { Account } from '../model/account.ts'
import {
  type Authentication,
  type ProviderAuthentication,
  toAuthentication,
  toContext
} from '../model/authentication.ts'
import type { SetCookies } from '../model/cookie.ts'
import { normalizeEmailAddress } from '../model/normalize-email-address.ts'
import type { User } from '../model/user.ts'
import { unknownClient } from '../sessions/session-metadata.ts'
import { requireNotSuspended } from '../sessions/user-versions.ts'

/** What a test states about the sign-in that its session stands for. */
export interface TestSignIn {
  /** As in `getAuthentication()`; a session with two factors has `mfa`, too. @defaultValue `[]` */
  readonly amr?: readonly string[] | undefined
  /** When the user authenticated; `null` if that is unknown. @defaultValue now */
  readonly authTime?: Date | null | undefined
  /** The id of a configured provider, and what its ID Token states. @defaultValue `'test'` */
  readonly provider?: string | ({ readonly id: string } & Partial<ProviderAuthentication>) | undefined
}

/** Finds the user by address, or creates it, so that a test does not need to know the ids of its store. */
async function findOrCreateUser(user: Partial<User>, store: Store, emit: Config['emit']): Promise<AdapterUser> {
  const email = normalizeEmailAddress(user.email ?? '')
  if (email === null) throw new TypeError('expected a user with an id, or with an email address')
  const found = await store.getUserByEmail(email)
  if (found) return found
  const created = await store.createUser({ emailVerified: null, ...user, email })
  await emit('createUser', { user: created })
  return created
}

/** @throws TypeError if the sessions belong to users of a store that does not have this one. */
async function resolveUser(user: Partial<User>, { store, isDatabaseSession, emit }: Config): Promise<User> {
  if (store && user.id === undefined) return findOrCreateUser(user, store, emit)
  const { id } = user
  if (typeof id !== 'string' || id === '')
    throw new TypeError("expected a user with an id that is a string, as { id: '1', name: 'Ada' }")
  // Not every store has a foreign key, and a session without its user is none.
  if (isDatabaseSession && !(await store?.getUser(id)))
    throw new TypeError(
      'expected a user that the adapter has stored: database sessions belong to its users; without an id, as ' +
        "{ email: 'ada@example.com' }, the user is found by its address or created"
    )
  return { ...user, id }
}

function resolveAccount(provider: string, userId: string, providers: Config['providers']): Account {
  const type = provider === 'test' ? 'credentials' : providers.get(provider)?.type
  if (!type) throw new TypeError(`provider: expected one of ${[...providers.keys()].join(', ')}; got ${provider}`)
  return { provider, type, providerAccountId: userId, userId }
}

function resolveAuthentication(
  { amr = [], authTime, provider = 'test' }: TestSignIn,
  userId: string,
  now: number
): Authentication & { readonly provider: ProviderAuthentication } {
  const stated = typeof provider === 'string' ? { id: provider } : provider
  return {
    userId,
    actor: null,
    sessionId: null,
    amr,
    authTime: authTime === undefined ? new Date(now) : authTime,
    provider: { acr: null, amr: [], authTime: null, ...stated }
  }
}

/**
 * Creates a session for a user without verification, for tests.
 *
 * @throws TypeError if there is no such user or provider; AuthError `UserSuspended`
 */
export async function openSession(
  requested: Partial<User>,
  signIn: TestSignIn,
  config: Config | null
): Promise<SetCookies> {
  if (!config) throw new TypeError('expected an origin of the application')
  const { features, providers, runtime, sessions, store } = config
  const user = await resolveUser(requested, config)
  const row = (await store?.versions?.get(user.id)) ?? null
  if (row) requireNotSuspended(row)
  const stated = resolveAuthentication(signIn, user.id, runtime.now())
  const account = resolveAccount(stated.provider.id, user.id, providers)
  const authentication = toContext(stated, account.provider)
  const claims = (await features.createClaims?.(toAuthentication(authentication, user.id), null)) ?? null
  const newSession = {
    user,
    account,
    profile: null,
    isNewUser: false,
    remembered: null,
    continues: null,
    impersonation: null,
    authentication,
    claims,
    clientInfo: unknownClient,
    store,
    userVersion: row?.version ?? null
  }
  const started = await sessions.start(newSession, null, new Map())
  return started.complete().catch(async (error: unknown) => {
    await sessions.discard(started)
    throw error
  })
}
