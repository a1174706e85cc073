import { DatabaseSessionDirectory } from '../accounts/database-session-directory.ts'
import { JwtSessionDirectory, type JwtSessionDirectoryDeps } from '../accounts/jwt-session-directory.ts'
import { SessionManager } from '../accounts/session-manager.ts'
import { ExpiredRowCleanup } from '../adapter/expired-row-cleanup.ts'
import type { StoreSettings } from '../adapter/invoke.ts'
import type { Revocations, Store } from '../adapter/store.ts'
import { toRevocations } from '../adapter/wrap-adapter.ts'
import type { FeatureRegistry } from '../features/registry.ts'
import { JwtSessionRegistry } from '../sessions/jwt-session-registry.ts'
import { RevocationList } from '../sessions/revocation-list.ts'
import type { Services } from './config.ts'
import type { NormalizedOptions } from './normalized-options.ts'
import type { PosternOptions } from './options.ts'

/** The services for session metadata and revocations, and their lifetimes. */
export type SessionServices = Pick<
  Services,
  | 'tokenMaxAge'
  | 'revocations'
  | 'jwtSessionRegistry'
  | 'sessionManager'
  | 'expiredRowCleanup'
  | 'endTokens'
  | 'endOtherSessions'
>

type SessionServiceDeps = Pick<NormalizedOptions, 'options' | 'constants' | 'runtime' | 'logger' | 'isDatabaseSession'>

/** Returns the settings for calls of a store. */
export function storeSettings({ options, constants }: Pick<NormalizedOptions, 'options' | 'constants'>): StoreSettings {
  return { isDebugging: options.debug ?? false, timeout: constants.callbackTimeoutMilliseconds }
}

function createRevocations(
  store: Store | null,
  { options, constants, logger }: SessionServiceDeps
): Revocations | null {
  const given = options.session?.revocations
  if (given === false) return null
  return given ? toRevocations(given, logger, storeSettings({ options, constants })) : (store?.revocations ?? null)
}

/** Resolves the lifetime of a JWT session's token, in seconds; at most that of the session. */
function resolveTokenMaxAge({ session, jwt }: PosternOptions, constants: NormalizedOptions['constants']): number {
  const sessionMaxAge = session?.maxAge ?? constants.sessionMaxAge
  return Math.min(jwt?.maxAge ?? sessionMaxAge, sessionMaxAge)
}

function createExpiredRowCleanup(
  store: Store | null,
  { constants, runtime, logger }: SessionServiceDeps,
  { features, eventMaxAge: featureMaxAge }: Pick<FeatureRegistry, 'features' | 'eventMaxAge'>
): ExpiredRowCleanup | null {
  const { cleaningInterval: interval, cleaningGrace: grace, cleaningBatch: batch } = constants
  const eventMaxAge = featureMaxAge ?? constants.eventMaxAge
  // Only features write events.
  const events = features.length > 0 && store ? store.events : null
  if (!store || (!store.deleteExpired && !events)) return null
  return new ExpiredRowCleanup({ store, events, logger, now: runtime.now, interval, grace, eventMaxAge, batch })
}

/** Creates the source of revocations; `null` if neither the adapter nor the options have one. */
function getTokenEnds(
  store: Store | null,
  draft: SessionServiceDeps,
  tokenMaxAge: number
): JwtSessionDirectoryDeps | null {
  const kept = createRevocations(store, draft)
  if (!kept) return null
  const { constants, runtime, logger } = draft
  const { now } = runtime
  const { revocationRefresh: refresh, revocationStale: stale, maxRevocations: max } = constants
  const { sessionMaxAge, clockTolerance } = constants
  // Another registration with the same store may issue JWT sessions with a longer lifetime.
  const maxAge = Math.max(tokenMaxAge, sessionMaxAge) + clockTolerance
  const revocations = new RevocationList({ store: kept, logger, now, refresh, stale, max, maxAge })
  const isOneStore = kept === store?.revocations
  const requiresRecords = draft.options.session?.maxPerUser !== undefined
  return {
    revocations,
    jwtSessionRegistry: new JwtSessionRegistry({ revocations, store, isOneStore, requiresRecords, logger, now }),
    logger
  }
}

/**
 * Creates the services that list and end sessions, and that delete expired rows.
 *
 * Another registration may use the other session strategy with the same store. Ending all sessions of a user therefore
 * ends those of both strategies, as far as the adapter supports it.
 */
export function createSessionServices(
  store: Store | null,
  draft: SessionServiceDeps,
  registry: Pick<FeatureRegistry, 'features' | 'endSession' | 'eventMaxAge'>
): SessionServices {
  const { options, constants, runtime, isDatabaseSession } = draft
  const { now } = runtime
  const { endSession: onEnd } = registry
  const tokenMaxAge = resolveTokenMaxAge(options, constants)
  const expiredRowCleanup = createExpiredRowCleanup(store, draft, registry)
  const ends = getTokenEnds(store, draft, tokenMaxAge)
  const endTokens = ends && ((userId: string) => ends.jwtSessionRegistry.endAll(userId))
  const signed = new JwtSessionDirectory(store, ends, now)
  const stored = store && new DatabaseSessionDirectory(store, now)
  if (isDatabaseSession && stored) {
    const sessionManager = new SessionManager({ sessions: stored, others: signed, store, onEnd, now })
    return {
      tokenMaxAge,
      revocations: null,
      jwtSessionRegistry: null,
      sessionManager,
      expiredRowCleanup,
      endTokens,
      endOtherSessions: endTokens
    }
  }
  const { revocations = null, jwtSessionRegistry = null } = ends ?? {}
  const { deleteSessions = null } = store ?? {}
  const endOtherSessions = deleteSessions && ((userId: string) => deleteSessions(userId))
  const sessionManager = new SessionManager({ sessions: signed, others: stored, store, onEnd, now })
  return {
    tokenMaxAge,
    revocations,
    jwtSessionRegistry,
    sessionManager,
    expiredRowCleanup,
    endTokens,
    endOtherSessions
  }
}
