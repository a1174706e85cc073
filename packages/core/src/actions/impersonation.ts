import { AccountError } from '../accounts/account-error.ts'
import { withUserId } from '../accounts/invalid-user-id.ts'
import type { AdapterUser } from '../adapter/adapter.ts'
import type { EventRecord } from '../adapter/event-record.ts'
import type { Store } from '../adapter/store.ts'
import { isSuspended } from '../adapter/suspension-marker.ts'
import type { Config } from '../config/config.ts'
import { joinCookies } from '../cookies/set-cookies.ts'
import { freshCsrfToken } from '../csrf/csrf-token.ts'
import { AuthError } from '../errors/auth-error.ts'
import { applyCalls, createSecurityEvent, type SecurityEvent } from '../hooks/security-event.ts'
import type { AuthRequest } from '../http/request.ts'
import { type Authentication, toAuthentication, unknownAuthentication } from '../model/authentication.ts'
import type { SetCookies } from '../model/cookie.ts'
import { getClientInfo, unknownClient } from '../sessions/client-info.ts'
import { type Impersonation, refuseActor } from '../sessions/impersonation.ts'
import { storedSessionId } from '../sessions/session-metadata.ts'
import type { ActorSession, CreatedSession } from '../sessions/strategy.ts'
import { randomHex } from '../tokens/random.ts'

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

type EventDeps = Pick<Config, 'features' | 'runtime' | 'store'>

type ImpersonationDeps = EventDeps &
  Pick<
    Config,
    | 'csrf'
    | 'isDatabaseSession'
    | 'pendingSignIns'
    | 'providers'
    | 'sessionManager'
    | 'sessionReader'
    | 'sessions'
    | 'stepUps'
    | 'storesAuthentication'
  >

/** @throws AccountError `ADAPTER_INCOMPLETE` if the end of the actor's session would not end the impersonation. */
function requireStore({
  store,
  isDatabaseSession,
  sessionManager,
  storesAuthentication
}: Pick<ImpersonationDeps, 'isDatabaseSession' | 'sessionManager' | 'store' | 'storesAuthentication'>): Store {
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
  refuseActor(session.principal, 'users.impersonate')
  const { id } = session
  if (id === null)
    throw new AccountError('SIGNED_OUT', 'users.impersonate: the session has no id, so the user must sign in again')
  return { ...session, id }
}

/** Whether users may sign in who are not in the store: those of a form, with JWT sessions. */
const hasUnstoredUsers = ({ isDatabaseSession, providers }: Pick<Config, 'isDatabaseSession' | 'providers'>): boolean =>
  !isDatabaseSession && [...providers.values()].some(({ traits }) => traits.accountPolicy === 'application')

/**
 * Checks that both users exist and are not suspended.
 *
 * @throws AccountError `UNKNOWN_USER`, `SIGNED_OUT`; AuthError `UserSuspended`
 */
async function requireUsers(
  actorId: string,
  userId: string,
  store: Store,
  deps: Pick<Config, 'isDatabaseSession' | 'providers'>
): Promise<AdapterUser> {
  const user = await withUserId('users.impersonate', () => store.getUser(userId))
  if (!user) throw new AccountError('UNKNOWN_USER', 'users.impersonate: there is no user with this id')
  if (!hasUnstoredUsers(deps) && !(await store.getUser(actorId)))
    throw new AccountError('SIGNED_OUT', 'users.impersonate: the signed-in user does not exist')
  for (const one of [{ id: actorId }, user])
    if (store.tickets && (await isSuspended(one.id, store.tickets)))
      throw new AuthError('UserSuspended', 'users.impersonate: the user is suspended')
  return user
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

async function createSession(
  user: AdapterUser,
  impersonation: Impersonation,
  { cookies }: AuthRequest,
  { features, sessions, store }: ImpersonationDeps
): Promise<CreatedSession> {
  const account = { provider: providerId, type: 'credentials', providerAccountId: user.id, userId: user.id } as const
  const authentication = unknownAuthentication(providerId)
  const stated: Authentication = {
    ...toAuthentication(authentication, user.id),
    actor: impersonation.actor,
    provider: null
  }
  const claims = (await features.createClaims?.(stated, null)) ?? null
  const admission = { user, account, profile: null, isNewUser: false, remembered: null, continues: null }
  // The session of the actor stays. The user must not learn the address of the actor from the list of sessions.
  return sessions.create(
    { ...admission, authentication, claims, impersonation, clientInfo: unknownClient, store },
    null,
    cookies
  )
}

function createEventRecord(
  { time, type, userId, sessionId, request, actor, reason }: SecurityEvent,
  { randomBytes }: Config['runtime']
): EventRecord {
  const { address: ip, userAgent } = request ? getClientInfo(request) : unknownClient
  const impersonation = { ...actor, ...(reason === null ? {} : { reason }) }
  // The form of the audit log.
  const data = JSON.stringify({ outcome: 'success', actor: 'administrator', impersonation })
  const id = randomHex(randomBytes, 16)
  return { id, time, type, userId, sessionId, ip, userAgent, provider: null, requestId: request?.id ?? null, data }
}

/** Records an event: features may record it in their own way. @throws AuthError `StoreUnavailable` */
async function record(event: SecurityEvent, { features, runtime, store }: EventDeps): Promise<void> {
  if (!store) return
  const calls = features.onEvent?.(event) ?? []
  await applyCalls(calls, store)
  const isRecorded = calls.some(({ method }) => method === 'addEvents')
  if (!isRecorded) await store.events?.add([createEventRecord(event, runtime)])
  features.afterEvent?.(event)
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
  deps: ImpersonationDeps
): Promise<StartedImpersonation> {
  const store = requireStore(deps)
  const { sessionReader, sessions, runtime, csrf, pendingSignIns, stepUps } = deps
  const { now } = runtime
  const actorSession = requireActorSession(await sessionReader.readActorSession(request.cookies))
  const { userId: actorId } = actorSession.principal
  if (actorId === userId) throw new AuthError('ImpersonationForbidden', 'users.impersonate: expected another user')
  const user = await requireUsers(actorId, userId, store, deps)
  const impersonation = createImpersonation(actorSession, input, now())
  const session = await createSession(user, impersonation, request, deps)
  try {
    // Sessions that were ended in the meantime do not include the new one.
    await requireUsers(actorId, userId, store, deps)
    requireActorSession(await sessionReader.readActorSession(request.cookies))
    const sessionId = await getSessionId(session, deps)
    const actor = { ...impersonation.actor, sessionId: impersonation.sessionId }
    const about = { type: 'impersonation-start', userId: user.id, sessionId, request, actor } as const
    await record(createSecurityEvent({ ...about, reason: input.reason }, now), deps)
  } catch (error) {
    await sessions.discard(session)
    throw error
  }
  const cleared = joinCookies(pendingSignIns.clearIn(request.cookies), stepUps.clear(request.cookies))
  // A CSRF token from before the change of principal must not remain valid.
  const cookies = joinCookies(session.cookies, cleared, (await freshCsrfToken(csrf)).cookies)
  return { expires: new Date(impersonation.until * 1000), cookies }
}

async function getSessionId(
  { handle }: CreatedSession,
  { isDatabaseSession }: Pick<Config, 'isDatabaseSession'>
): Promise<string | null> {
  return handle !== null && isDatabaseSession ? storedSessionId(handle) : handle
}

/**
 * Ends an impersonation together with the session of its actor, whose cookie the browser has lost.
 *
 * @returns The cookies to set; `null` if the request is not part of an impersonation.
 * @throws AccountError `ADAPTER_INCOMPLETE`, AuthError `StoreUnavailable`
 */
export async function endImpersonation(
  request: AuthRequest,
  deps: EventDeps & Pick<Config, 'sessionManager' | 'sessionReader' | 'sessions'>
): Promise<SetCookies | null> {
  const { sessionReader, sessionManager, sessions, features, runtime } = deps
  const { cookies } = request
  const impersonation = await sessionReader.readImpersonation(cookies)
  const key = impersonation && (await sessionReader.readKey(cookies))
  if (!impersonation || !key) return null
  const { actor, sessionId } = impersonation
  const cleared = await sessions.destroy(cookies)
  await features.endSession({ userId: key.userId, sessionId: key.id })
  await sessionManager.end(sessionId, actor.userId)
  const about = { type: 'impersonation-end', userId: key.userId, sessionId: key.id, request } as const
  await record(createSecurityEvent({ ...about, actor: { ...actor, sessionId } }, runtime.now), deps)
  return cleared
}

/** Ends the impersonation of a request. @throws AccountError `NOT_IMPERSONATING`, `ADAPTER_INCOMPLETE` */
export async function stopImpersonating(
  request: AuthRequest,
  deps: EventDeps & Pick<Config, 'csrf' | 'sessionManager' | 'sessionReader' | 'sessions'>
): Promise<SetCookies> {
  const ended = await endImpersonation(request, deps)
  if (!ended) throw new AccountError('NOT_IMPERSONATING', 'users.stopImpersonating: nobody is impersonated')
  return joinCookies(ended, (await freshCsrfToken(deps.csrf)).cookies)
}
