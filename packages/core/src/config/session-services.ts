import type { StoreSettings } from '../adapter/invoke.ts'
import type { Revocations, Store } from '../adapter/store.ts'
import { toRevocations } from '../adapter/wrap-adapter.ts'
import { ExpiredRowCleanup } from '../features/expired-row-cleanup.ts'
import type { FeatureRegistry } from '../features/registry.ts'
import { DatabaseSessionDirectory } from '../sessions/database-session-directory.ts'
import { JwtSessionDirectory, type JwtSessionDirectoryDeps } from '../sessions/jwt-session-directory.ts'
import { JwtSessionRegistry } from '../sessions/jwt-session-registry.ts'
import { RevocationList } from '../sessions/revocation-list.ts'
import { SessionManager } from '../sessions/session-manager.ts'
import { UserVersions } from '../sessions/user-versions.ts'
import type { Services } from './config.ts'
import type { NormalizedOptions } from './normalized-options.ts'
import type { PosternOptions } from './options.ts'

/** The services for session metadata and revocations, and their lifetimes. */
export type SessionServices = Pick<
  Services,
  'tokenMaxAge' | 'revocations' | 'jwtSessionRegistry' | 'sessionManager' | 'expiredRowCleanup' | 'userVersions'
>

/** The hooks of features for changes of users. */
type EventHooks = Pick<FeatureRegistry, 'onEvent' | 'afterEvent' | 'endSession'>

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

/** Seconds for a token that is issued at this moment and lives longer, and for clock differences. */
const margin = 60

/** The maximum lifetime of a session. Another registration with the same store may issue JWT sessions with a longer one. */
function getMaxAge(tokenMaxAge: number, { sessionMaxAge, clockTolerance }: SessionServiceDeps['constants']): number {
  return Math.max(tokenMaxAge, sessionMaxAge) + clockTolerance
}

/** Creates what changes the access of users. */
function createUserVersions(
  store: Store | null,
  { runtime, constants, logger }: SessionServiceDeps,
  hooks: EventHooks,
  { tokenMaxAge, ends }: { readonly tokenMaxAge: number; readonly ends: JwtSessionDirectoryDeps | null }
): UserVersions {
  const { onEvent, afterEvent, endSession } = hooks
  const { now, randomBytes } = runtime
  const maxAge = getMaxAge(tokenMaxAge, constants) + margin
  const { revocations = null, isOneStore = false, jwtSessionRegistry } = ends ?? {}
  const forgetRecords = jwtSessionRegistry
    ? (userId: string, version: number) => jwtSessionRegistry.forget(userId, version)
    : null
  return new UserVersions({
    store,
    revocations,
    forgetRecords,
    isOneStore,
    maxAge,
    onEvent,
    afterEvent,
    endSession,
    logger,
    now,
    randomBytes
  })
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
  const maxAge = getMaxAge(tokenMaxAge, constants)
  const revocations = new RevocationList({ store: kept, logger, now, refresh, stale, max, maxAge })
  const isOneStore = kept === store?.revocations
  const requiresRecords = draft.options.session?.maxPerUser !== undefined
  return {
    revocations,
    isOneStore,
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
  registry: EventHooks & Pick<FeatureRegistry, 'features' | 'eventMaxAge'>
): SessionServices {
  const { options, constants, runtime, isDatabaseSession } = draft
  const { now } = runtime
  const tokenMaxAge = resolveTokenMaxAge(options, constants)
  const expiredRowCleanup = createExpiredRowCleanup(store, draft, registry)
  const ends = getTokenEnds(store, draft, tokenMaxAge)
  const userVersions = createUserVersions(store, draft, registry, { tokenMaxAge, ends })
  const signed = new JwtSessionDirectory(store, ends, now)
  const stored = store && new DatabaseSessionDirectory(store, now)
  if (isDatabaseSession && stored) {
    const sessionManager = new SessionManager(stored, signed, userVersions)
    return {
      tokenMaxAge,
      revocations: null,
      jwtSessionRegistry: null,
      sessionManager,
      expiredRowCleanup,
      userVersions
    }
  }
  const { revocations = null, jwtSessionRegistry = null } = ends ?? {}
  const sessionManager = new SessionManager(signed, stored, userVersions)
  return {
    tokenMaxAge,
    revocations,
    jwtSessionRegistry,
    sessionManager,
    expiredRowCleanup,
    userVersions
  }
}
