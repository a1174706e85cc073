import { withUserId } from '../accounts/invalid-user-id.ts'
import type { AdapterCall, AdapterUser } from '../adapter/adapter.ts'
import type { EventRecord } from '../adapter/event-record.ts'
import { type Store, StoreError } from '../adapter/store.ts'
import type { Transaction } from '../adapter/transaction.ts'
import { noUserVersion, type UserVersion } from '../adapter/user-version.ts'
import type { Config } from '../config/config.ts'
import { joinCookies } from '../cookies/set-cookies.ts'
import { AccountError } from '../errors/account-error.ts'
import { AuthError } from '../errors/auth-error.ts'
import { createEvent } from '../features/create-event.ts'
import { applyCalls, createSecurityEvent, type SecurityEvent } from '../hooks/security-event.ts'
import type { AuthRequest } from '../http/request.ts'
import { type Authentication, toAuthentication, unknownAuthentication } from '../model/authentication.ts'
import type { SetCookies } from '../model/cookie.ts'
import { createImpersonationError, type Impersonation } from '../sessions/impersonation.ts'
import { unknownClient } from '../sessions/session-metadata.ts'
import type { ActorSession, NewSession } from '../sessions/strategy.ts'
import { createConflictError, maxRestarts, requireNotSuspended } from '../sessions/user-versions.ts'

/** Why and how long a user is impersonated. */
export interface ImpersonationInput {
  readonly reason: string
  /** Seconds. */
  readonly expiresIn: number
}

/** An impersonation that began, and the cookies to set. */
export interface StartedImpersonation {
  readonly expires: Date
  readonly cookies: SetCookies
}

/** The id of the account that the `jwt` callback receives. */
const providerId = 'impersonation'

/** @throws AccountError `ADAPTER_INCOMPLETE` if the end of the actor's session would not end the impersonation. */
function requireStore({ store, isDatabaseSession, sessionManager, storesAuthentication }: Config): Store {
  sessionManager.require('end')
  if (store && (storesAuthentication || !isDatabaseSession)) return store
  throw new AccountError(
    'ADAPTER_INCOMPLETE',
    'users.impersonate: expected an adapter with the methods putSessionRecord, getSessionRecords'
  )
}

/** @throws AccountError `SIGNED_OUT`, AuthError `ImpersonationForbidden` */
function requireActorSession(session: ActorSession | null): ActorSession & { readonly id: string } {
  if (!session) throw new AccountError('SIGNED_OUT', 'users.impersonate: expected a signed-in user')
  if (session.principal.actor) throw createImpersonationError('users.impersonate')
  const { id } = session
  if (id === null)
    throw new AccountError('SIGNED_OUT', 'users.impersonate: the session has no id, so the user must sign in again')
  return { ...session, id }
}

/** The two users of an impersonation, as they were read. */
interface Participants {
  readonly user: AdapterUser
  /** The rows, in the order of the ids of their users; none if the adapter stores none. */
  readonly rows: readonly UserVersion[]
}

/**
 * Reads the rows of both users, and checks that the users exist and are not suspended.
 *
 * @throws AccountError `UNKNOWN_USER`, `SIGNED_OUT`; AuthError `UserSuspended`
 */
async function readParticipants(actorId: string, userId: string, store: Store, config: Config): Promise<Participants> {
  const rows: UserVersion[] = []
  for (const id of [actorId, userId].toSorted())
    if (store.versions)
      rows.push(await withUserId('users.impersonate', async () => store.versions?.get(id) ?? noUserVersion(id)))
  const user = await withUserId('users.impersonate', () => store.getUser(userId))
  if (!user) throw new AccountError('UNKNOWN_USER', 'users.impersonate: there is no user with this id')
  if (!config.accountRules.hasUnstoredUsers && !(await store.getUser(actorId)))
    throw new AccountError('SIGNED_OUT', 'users.impersonate: the signed-in user does not exist')
  for (const row of rows) requireNotSuspended(row)
  return { user, rows }
}

/** Ends at the end of the actor's session: nobody uses and renews it meanwhile. */
function createImpersonation(
  { principal, id, version, expires }: ActorSession & { readonly id: string },
  { expiresIn }: ImpersonationInput,
  now: number
): Impersonation {
  const until = Math.min(Math.floor(now / 1000) + expiresIn, Math.floor(expires.getTime() / 1000))
  return { actor: { userId: principal.userId }, sessionId: id, version, until }
}

async function describeSession(
  { user, rows }: Participants,
  impersonation: Impersonation,
  { features }: Config
): Promise<Omit<NewSession, 'store'>> {
  const account = { provider: providerId, type: 'credentials', providerAccountId: user.id, userId: user.id } as const
  const authentication = unknownAuthentication(providerId)
  const stated: Authentication = {
    ...toAuthentication(authentication, user.id),
    actor: impersonation.actor,
    provider: null
  }
  const claims = (await features.createClaims?.(stated, null)) ?? null
  const userVersion = rows.find(({ userId }) => userId === user.id)?.version ?? null
  return {
    user,
    account,
    profile: null,
    isNewUser: false,
    remembered: null,
    // The session of the actor stays.
    continues: null,
    userVersion,
    authentication,
    claims,
    impersonation,
    // The user must not learn the address of the actor from the list of sessions.
    clientInfo: unknownClient
  }
}

function createEventRecord(event: SecurityEvent, { randomBytes }: Config['runtime']): EventRecord {
  const { time, type, userId, sessionId, request, actor, reason } = event
  const impersonation = { ...actor, ...(reason === null ? {} : { reason }) }
  // The form of the audit log.
  const data = JSON.stringify({ outcome: 'success', actor: 'administrator', impersonation })
  return createEvent(type, { userId, sessionId, request, data }, { now: () => time.getTime(), randomBytes })
}

/** Writes an event: features may record it in their own way. @throws AuthError `StoreUnavailable` */
async function writeEvent(event: SecurityEvent, store: Store, { features, runtime }: Config): Promise<void> {
  const calls = features.onEvent?.(event) ?? []
  await applyCalls(calls, store)
  const isRecorded = calls.some(({ method }) => method === 'addEvents')
  if (!isRecorded) await store.events?.add([createEventRecord(event, runtime)])
}

/** What an impersonation is created from. */
interface Beginning {
  readonly request: AuthRequest
  readonly userId: string
  readonly input: ImpersonationInput
  readonly store: Store
}

/** @returns The session of an impersonation, and its expiry; `null` if one of the users has changed meanwhile. */
async function tryBegin({ request, userId, input, store }: Beginning, config: Config) {
  const { sessionReader, sessions, userVersions, runtime } = config
  const { now } = runtime
  const { userId: actorId } = requireActorSession(await sessionReader.readActorSession(request.cookies)).principal
  if (actorId === userId) throw new AuthError('ImpersonationForbidden', 'users.impersonate: expected another user')
  const participants = await readParticipants(actorId, userId, store, config)
  // After the rows: a session that has ended since has advanced the row of its user.
  const actorSession = requireActorSession(await sessionReader.readActorSession(request.cookies))
  const impersonation = createImpersonation(actorSession, input, now())
  const transaction = store.versions && userVersions.begin?.()
  const writing = transaction?.store ?? store
  const description = await describeSession(participants, impersonation, config)
  const started = await sessions.start({ ...description, store: writing }, null, request.cookies)
  try {
    const sessionId = started.id
    const actor = { ...impersonation.actor, sessionId: impersonation.sessionId }
    const about = { type: 'impersonation-start', userId, sessionId, request, actor, reason: input.reason } as const
    const event = createSecurityEvent(about, now)
    // Without a transaction, sessions that were ended in the meantime do not include the new one.
    if (!transaction) await requireUnchanged(request, participants, store, config)
    await writeEvent(event, writing, config)
    if (transaction && !(await commit(transaction, participants))) return null
    return { started, expires: new Date(impersonation.until * 1000), event }
  } catch (error) {
    if (!transaction) await sessions.discard(started)
    // A store may refuse the session of a user who was deleted meanwhile.
    else if (error instanceof StoreError && !error.isOutage) await readParticipants(actorId, userId, store, config)
    throw error
  }
}

/** @throws AccountError, AuthError if a user has changed, or if the session of the actor has ended. */
async function requireUnchanged(
  { cookies }: AuthRequest,
  { user, rows }: Participants,
  store: Store,
  config: Config
): Promise<void> {
  const { principal } = requireActorSession(await config.sessionReader.readActorSession(cookies))
  const current = await readParticipants(principal.userId, user.id, store, config)
  const isChanged = rows.some(({ version }, index) => current.rows[index]?.version !== version)
  if (isChanged) throw createConflictError(user.id)
}

/** @returns `false` if one of the rows has changed. @throws StoreError */
async function commit(transaction: Transaction, { rows }: Participants): Promise<boolean> {
  const first = rows.map(
    ({ userId, version }) => ({ method: 'requireUserVersion', args: [userId, version] }) satisfies AdapterCall
  )
  const outcome = await transaction.commit(first)
  if (outcome.kind === 'committed') return true
  if (outcome.reason) throw outcome.reason
  return false
}

/**
 * Creates a session in which the signed-in user acts as another.
 *
 * @throws AccountError, AuthError; then nothing has changed.
 */
export async function impersonate(
  request: AuthRequest,
  userId: string,
  input: ImpersonationInput,
  config: Config
): Promise<StartedImpersonation> {
  const store = requireStore(config)
  const { csrf, pendingSignIns, stepUps, features, sessions } = config
  for (let restarts = 0; restarts <= maxRestarts; restarts++) {
    const begun = await tryBegin({ request, userId, input, store }, config)
    if (!begun) continue
    const { started, expires, event } = begun
    const session = await started.complete().catch(async (error: unknown) => {
      await sessions.discard(started)
      throw error
    })
    features.afterEvent?.(event)
    const cleared = joinCookies(pendingSignIns.clearIn(request.cookies), stepUps.clear(request.cookies))
    // A CSRF token from before the change of principal must not remain valid.
    return { expires, cookies: joinCookies(session, cleared, (await csrf.issue()).cookies) }
  }
  throw createConflictError(userId)
}

/**
 * Ends an impersonation together with the session of its actor, whose cookie the browser has lost.
 *
 * @returns The cookies to set; `null` if the request is not part of an impersonation.
 * @throws AccountError `ADAPTER_INCOMPLETE`, AuthError `StoreUnavailable`
 */
export async function endImpersonation(request: AuthRequest, config: Config): Promise<SetCookies | null> {
  const { sessionReader, sessionManager, sessions, features, runtime, store } = config
  const { cookies } = request
  const impersonation = await sessionReader.readImpersonation(cookies)
  const key = impersonation && (await sessionReader.readKey(cookies))
  if (!impersonation || !key) return null
  const { actor, sessionId } = impersonation
  const cleared = await sessions.destroy(cookies, null)
  await sessionManager.end(sessionId, actor.userId)
  const about = {
    type: 'impersonation-end',
    userId: key.userId,
    sessionId: key.id,
    request,
    actor: { ...actor, sessionId }
  } as const
  const event = createSecurityEvent(about, runtime.now)
  if (store) await writeEvent(event, store, config)
  features.afterEvent?.(event)
  return cleared
}

/** Ends the impersonation of a request. @throws AccountError `NOT_IMPERSONATING`, `ADAPTER_INCOMPLETE` */
export async function stopImpersonating(request: AuthRequest, config: Config): Promise<SetCookies> {
  const ended = await endImpersonation(request, config)
  if (!ended) throw new AccountError('NOT_IMPERSONATING', 'users.stopImpersonating: nobody is impersonated')
  return joinCookies(ended, (await config.csrf.issue()).cookies)
}
