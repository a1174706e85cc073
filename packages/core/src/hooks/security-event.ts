import type { AccountKey, AdapterCall } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import { serializeError } from '../errors/serialize-error.ts'
import type { Logger } from '../model/logger.ts'
import type { RequestInfo } from '../model/request-info.ts'

/** A change that concerns how a user signs in. */
export interface SecurityEvent {
  /**
   * - `sign-in`: a session was created.
   * - `link`: an account was linked to a user who existed.
   * - `reclaim`: the owner of an address took over a user whose address was unverified.
   * - `enroll`: factors were created for the user during a sign-in.
   * - `unlink`: an account was removed from the user.
   * - `delete`: the user was deleted.
   * - `suspend`: the user was suspended.
   * - `resume`: the suspension ended.
   * - `session-end`: a session ended, or all of the user. Expired sessions are not reported.
   * - `impersonation-start`: `actor` began to impersonate the user.
   * - `impersonation-end`: `actor` stopped, or signed out. An impersonation that expires, or ends with another session, is
   *   not reported.
   */
  readonly type:
    | 'sign-in'
    | 'link'
    | 'reclaim'
    | 'enroll'
    | 'unlink'
    | 'delete'
    | 'suspend'
    | 'resume'
    | 'session-end'
    | 'impersonation-start'
    | 'impersonation-end'
  readonly time: Date
  readonly userId: string
  /** Whether the sign-in created the user. */
  readonly isNewUser: boolean
  /** The account of a sign-in, link, reclaim, enrollment or unlink; otherwise `null`. */
  readonly account: AccountKey | null
  /** The session of a sign-in, if it has an id, or the one that ended; `null` for all sessions of the user. */
  readonly sessionId: string | null
  /** The user who impersonates `userId`, and their own session; otherwise `null`. */
  readonly actor: { readonly userId: string; readonly sessionId: string } | null
  /** Why an impersonation began; otherwise `null`. */
  readonly reason: string | null
  /** The request of a sign-in, link, reclaim, enrollment or impersonation, or of the user who made the change; otherwise `null`. */
  readonly request: RequestInfo | null
  /**
   * Whether the user has signed in with this browser before; `null` for other events than a sign-in, in `onEvent`, and
   * without rate limits, which remember devices.
   */
  readonly isKnownDevice: boolean | null
}

/** A write of a feature. The kinds of tickets are those of the feature. */
export type FeatureCall = Extract<
  AdapterCall,
  {
    readonly method:
      | 'createTicket'
      | 'putTicket'
      | 'consumeTicket'
      | 'deleteTickets'
      | 'createFactor'
      | 'updateFactor'
      | 'deleteFactor'
      | 'addEvents'
  }
>

/** Returns the writes of all features that belong to an event. */
export type OnEvent = (event: SecurityEvent) => readonly FeatureCall[]

/** Calls the features after an event has been written. Returns at once, and never throws. */
export type AfterEvent = (event: SecurityEvent) => void

/** What an event is about; missing fields have none. */
export type NewSecurityEvent = Pick<SecurityEvent, 'type' | 'userId'> & Partial<SecurityEvent>

export function createSecurityEvent(event: NewSecurityEvent, now: () => number): SecurityEvent {
  const nothing = { account: null, sessionId: null, actor: null, reason: null, request: null }
  const unknown = { ...nothing, isNewUser: false, isKnownDevice: null }
  return { ...unknown, time: new Date(now()), ...event }
}

function required<T>(stored: T | null, method: FeatureCall['method']): T {
  if (stored !== null) return stored
  throw new TypeError(`onEvent: the adapter does not have ${method}; name it in needs`)
}

/** Makes one write of a feature: a transaction records it. */
export async function applyCall(call: FeatureCall, { tickets, factors, events }: Store): Promise<unknown> {
  switch (call.method) {
    case 'createTicket':
      return required(tickets, call.method).create(...call.args)
    case 'putTicket':
      return required(required(tickets, call.method).put, call.method)(...call.args)
    case 'consumeTicket':
      return required(tickets, call.method).consume(...call.args)
    case 'deleteTickets':
      return required(tickets, call.method).delete(...call.args)
    case 'createFactor':
      return required(factors, call.method).create(...call.args)
    case 'updateFactor':
      return required(factors, call.method).update(...call.args)
    case 'deleteFactor':
      return required(factors, call.method).delete(...call.args, call.isRequired)
    case 'addEvents':
      return required(events, call.method).add(...call.args)
  }
}

/** Whether a call found nothing to change. */
export function isRefused({ method, isRequired = false }: FeatureCall, result: unknown): boolean {
  if (method === 'consumeTicket') return result === null
  if (method === 'deleteFactor') return isRequired && result === false
  return (method === 'updateFactor' || method === 'putTicket') && result === false
}

/**
 * Makes the calls: a transaction records them, any other store executes them.
 *
 * @throws AuthError `Verification` if a ticket is missing, or if a factor has another version.
 */
export async function applyCalls(calls: readonly FeatureCall[], store: Store): Promise<void> {
  for (const call of calls) {
    const result = await applyCall(call, store)
    if (isRefused(call, result)) throw new AuthError('Verification', `onEvent: ${call.method} found nothing to change`)
  }
}

/** Adds the records of what has happened. It cannot be undone, so a failure is logged. */
export async function addRecords(calls: readonly FeatureCall[], store: Store | null, logger: Logger): Promise<void> {
  const records = calls.filter(({ method }) => method === 'addEvents')
  if (!store || records.length === 0) return
  await applyCalls(records, store).catch((error: unknown) => logger.error('FEATURE_EVENT_ERROR', serializeError(error)))
}

/** Makes the calls except those that add records. @throws AuthError `Verification`, as {@link applyCalls} */
export async function applyChanges(calls: readonly FeatureCall[], store: Store): Promise<void> {
  await applyCalls(
    calls.filter(({ method }) => method !== 'addEvents'),
    store
  )
}
