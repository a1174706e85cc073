import { hasLinked, type ResolvedUser } from '../accounts/resolved-user.ts'
import type { Store } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import {
  addRecords,
  applyCalls,
  applyChanges,
  createSecurityEvent,
  type SecurityEvent
} from '../hooks/security-event.ts'
import type { StartedSession } from '../sessions/strategy.ts'
import { findDeviceByUser } from '../sign-in-methods/known-device.ts'
import type { SignInAttempt } from './sign-in-attempt.ts'

function createSignInEvent(
  type: SecurityEvent['type'],
  { request }: SignInAttempt,
  { kind, user, account }: ResolvedUser,
  { runtime }: Config
): SecurityEvent {
  const { provider, providerAccountId } = account
  const isNewUser = kind === 'created'
  const about = { type, userId: user.id, isNewUser, account: { provider, providerAccountId }, request }
  return createSecurityEvent(about, runtime.now)
}

/** The changes of a sign-in, apart from the new session. */
function getChanges(attempt: SignInAttempt, resolved: ResolvedUser): readonly SecurityEvent['type'][] {
  return [
    ...(resolved.kind === 'reclaimed' ? (['reclaim'] as const) : []),
    ...(hasLinked(resolved) ? (['link'] as const) : []),
    ...(attempt.hasEnrolled ? (['enroll'] as const) : [])
  ]
}

/** Writes what features write for a sign-in and its changes: in its transaction, if there is one. */
export async function recordSignIn(
  attempt: SignInAttempt,
  { resolved, session }: { readonly resolved: ResolvedUser; readonly session: StartedSession },
  { store, isTransaction }: { readonly store: Store | null; readonly isTransaction: boolean },
  config: Config
): Promise<void> {
  const changes = getChanges(attempt, resolved).map((type) => createSignInEvent(type, attempt, resolved, config))
  const signIn = { ...createSignInEvent('sign-in', attempt, resolved, config), sessionId: session.id }
  const calls = [...changes, signIn].flatMap((event) => config.features.onEvent?.(event) ?? [])
  if (!store || calls.length === 0) return
  if (isTransaction) return applyCalls(calls, store)
  await applyChanges(calls, store)
  await addRecords(calls, store, config.logger)
}

/** Calls the features after the sign-in has been written. */
export async function reportSignIn(
  attempt: SignInAttempt,
  resolved: ResolvedUser,
  sessionId: string | null,
  config: Config
): Promise<void> {
  const { afterEvent } = config.features
  for (const type of getChanges(attempt, resolved)) afterEvent?.(createSignInEvent(type, attempt, resolved, config))
  const device = config.limits && (await findDeviceByUser(resolved.user.id, attempt.request.cookies, config))
  const isKnownDevice = config.limits === null ? null : device !== null
  afterEvent?.({ ...createSignInEvent('sign-in', attempt, resolved, config), sessionId, isKnownDevice })
}
