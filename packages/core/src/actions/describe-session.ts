import type { ResolvedUser } from '../accounts/resolved-user.ts'
import type { SignInTransaction } from '../accounts/sign-in-transaction.ts'
import type { SessionRecord } from '../adapter/session-record.ts'
import type { Config } from '../config/config.ts'
import type { PendingSignInState } from '../features/interrupted-sign-ins.ts'
import { parseSessionLifetime } from '../hooks/session-lifetime.ts'
import type { AuthRequest } from '../http/request.ts'
import {
  type Authentication,
  type AuthenticationContext,
  toAuthentication,
  toContext,
  unknownAuthentication,
  withFactors
} from '../model/authentication.ts'
import { getClientInfo, getRecordAuthentication, storedSessionId } from '../sessions/session-metadata.ts'
import type { FoundSession, NewSession } from '../sessions/strategy.ts'
import type { SignInAttempt } from './sign-in-attempt.ts'

/** Adds the factors that the interruptions of a resumed sign-in have verified. */
export function addFactors(
  context: AuthenticationContext,
  { factors, newFactors }: PendingSignInState,
  now: number
): AuthenticationContext {
  return withFactors(context, factors, newFactors.length > 0 ? null : Math.floor(now / 1000))
}

/** Finds the record of the session that allowed a link. */
async function findRecord(
  before: FoundSession | null,
  { store, isDatabaseSession }: Config
): Promise<SessionRecord | null> {
  const handle = before?.handle ?? null
  const id = handle !== null && isDatabaseSession ? await storedSessionId(handle) : handle
  const [record = null] = (id !== null && (await store?.getSessionRecords?.({ id }))) || []
  return record
}

/** How the user of the session was authenticated that allowed a link. What nothing recorded is unknown. */
async function getContinuedAuthentication(
  { cookies }: Pick<AuthRequest, 'cookies'>,
  before: FoundSession | null,
  record: SessionRecord | null,
  { isDatabaseSession, sessionReader }: Config
): Promise<Authentication | null> {
  if (!isDatabaseSession) return sessionReader.readAuthentication(cookies)
  if (!before?.principal) return null
  const { userId, authenticatedAt: authTime } = before.principal
  const unknown = { userId, actor: null, sessionId: null, amr: [], provider: null }
  return { ...(record ? getRecordAuthentication(record) : unknown), authTime }
}

/**
 * How the user of a new session was authenticated, and what it continues. An account that was just linked proves nothing about the
 * user whose session allowed it: the new session continues that one.
 */
async function findContinued(
  attempt: SignInAttempt,
  { account }: ResolvedUser,
  before: FoundSession | null,
  config: Config
): Promise<Pick<NewSession, 'authentication' | 'continues'>> {
  const record = await findRecord(before, config)
  const continued = await getContinuedAuthentication(attempt.request, before, record, config)
  const { provider } = account
  const own = continued ? toContext(continued, provider) : unknownAuthentication(provider)
  return {
    authentication: own,
    continues: { startedAt: before?.principal?.signedInAt ?? null, record }
  }
}

/** What a sign-in has resolved before its session is created. */
interface Resolved {
  readonly resolved: ResolvedUser
  /** The earlier session of the browser. */
  readonly before: FoundSession | null
  readonly transaction: SignInTransaction
}

/** Asks the application and the features about the session to create. */
export async function describeSession(
  attempt: SignInAttempt,
  { resolved, before, transaction }: Resolved,
  config: Config
): Promise<NewSession> {
  const { hooks, features } = config
  const { proof, request, resumed } = attempt
  const { kind, user, account } = resolved
  const { identity, callbackInput, isForgotten = false } = proof
  const isNewUser = kind === 'created'
  const remember = isForgotten ? null : hooks.remember
  const kept = kind === 'linked' && before ? before.remembered : null
  const remembered =
    kept ??
    parseSessionLifetime(
      remember ? await remember({ user, account: { ...account }, isNewUser, ...callbackInput }) : !isForgotten
    )
  const { profile } = identity
  const { authentication: own, continues } =
    kind === 'linked'
      ? await findContinued(attempt, resolved, before, config)
      : { authentication: proof.authentication, continues: null }
  const authentication = resumed ? addFactors(own, resumed, config.runtime.now()) : own
  const { provider, providerAccountId } = account
  const provenBy = kind === 'linked' ? null : { provider, providerAccountId }
  const claims = features.createClaims
    ? await features.createClaims(toAuthentication(authentication, user.id), provenBy)
    : null
  const clientInfo = getClientInfo(request)
  return {
    user,
    account,
    isNewUser,
    profile,
    remembered,
    authentication,
    claims,
    clientInfo,
    continues,
    impersonation: null,
    store: transaction.store,
    userVersion: transaction.version
  }
}
