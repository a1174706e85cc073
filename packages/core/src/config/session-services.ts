import type { StoreSettings } from '../adapter/invoke.ts'
import type { Revocations, Store } from '../adapter/store.ts'
import { toRevocations } from '../adapter/wrap-adapter.ts'
import { ExpiredRowCleanup } from '../features/expired-row-cleanup.ts'
import type { FeatureRegistry } from '../features/registry.ts'
import { DatabaseSessionDirectory } from '../sessions/database-session-directory.ts'
import { JwtSessionDirectory } from '../sessions/jwt-session-directory.ts'
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

/** Returns the settings for calls of a store. */
export function storeSettings({ options, constants }: Pick<NormalizedOptions, 'options' | 'constants'>): StoreSettings {
  return { isDebugging: options.debug ?? false, timeout: constants.callbackTimeoutMilliseconds }
}

function createRevocations(store: Store | null, { options, constants, logger }: NormalizedOptions): Revocations | null {
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
  { constants, runtime, logger }: NormalizedOptions,
  { features, eventMaxAge: featureMaxAge }: Pick<FeatureRegistry, 'features' | 'eventMaxAge'>
): ExpiredRowCleanup | null {
  const { cleaningInterval: interval, cleaningGrace: grace, cleaningBatch: batch } = constants
  const eventMaxAge = featureMaxAge ?? constants.eventMaxAge
  // Only features write events.
  const events = features.length > 0 && store ? store.events : null
  if (!store || (!store.deleteExpired && !events)) return null
  return new ExpiredRowCleanup(store.deleteExpired, events, logger, {
    now: runtime.now,
    interval,
    grace,
    eventMaxAge,
    batch
  })
}

/** Seconds for a token that is issued at this moment and lives longer, and for clock differences. */
const margin = 60

/** The maximum lifetime of a session. Another registration with the same store may issue JWT sessions with a longer one. */
function getMaxAge(tokenMaxAge: number, { sessionMaxAge, clockTolerance }: NormalizedOptions['constants']): number {
  return Math.max(tokenMaxAge, sessionMaxAge) + clockTolerance
}

/** Creates what identifies and revokes JWT sessions; `null` if neither the adapter nor the options store revocations. */
function createJwtSessionRegistry(
  store: Store | null,
  draft: NormalizedOptions,
  tokenMaxAge: number
): JwtSessionRegistry | null {
  const stored = createRevocations(store, draft)
  if (!stored) return null
  const { constants, runtime, logger } = draft
  const { now } = runtime
  const { revocationRefresh: refresh, revocationStale: stale, maxRevocations: max } = constants
  const settings = { now, refresh, stale, max, maxAge: getMaxAge(tokenMaxAge, constants) }
  const revocations = new RevocationList(stored, stored === store?.revocations, logger, settings)
  const requiresRecords = draft.options.session?.maxPerUser !== undefined
  return new JwtSessionRegistry(revocations, store, requiresRecords, { logger, now })
}

/**
 * Creates the services that list and end sessions, and that delete expired rows.
 *
 * Another registration may use the other session strategy with the same store. Ending all sessions of a user therefore
 * ends those of both strategies, as far as the adapter supports it.
 */
export function createSessionServices(
  store: Store | null,
  draft: NormalizedOptions,
  features: FeatureRegistry
): SessionServices {
  const { options, constants, runtime, logger, isDatabaseSession } = draft
  const { now, randomBytes } = runtime
  const tokenMaxAge = resolveTokenMaxAge(options, constants)
  const expiredRowCleanup = createExpiredRowCleanup(store, draft, features)
  const registry = createJwtSessionRegistry(store, draft, tokenMaxAge)
  const maxAge = getMaxAge(tokenMaxAge, constants) + margin
  const userVersions = new UserVersions(store, registry, features, { maxAge, logger, now, randomBytes })
  const signed = new JwtSessionDirectory(store, registry, now)
  const stored = store && new DatabaseSessionDirectory(store, now)
  const isStored = isDatabaseSession && stored !== null
  return {
    tokenMaxAge,
    revocations: isStored ? null : (registry?.revocations ?? null),
    jwtSessionRegistry: isStored ? null : registry,
    sessionManager: isStored
      ? new SessionManager(stored, signed, userVersions)
      : new SessionManager(signed, stored, userVersions),
    expiredRowCleanup,
    userVersions
  }
}
