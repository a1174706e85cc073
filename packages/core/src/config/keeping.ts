import { Devices } from '../accounts/devices.ts'
import { SignedSessions } from '../accounts/jwt-session-directory.ts'
import { StoredSessions } from '../accounts/database-session-directory.ts'
import type { StoreSettings } from '../adapter/invoke.ts'
import { Cleaning } from '../adapter/cleaning.ts'
import type { Revocations, Store } from '../adapter/store.ts'
import { toRevocations } from '../adapter/wrap-adapter.ts'
import { RevocationList } from '../sessions/revocation-list.ts'
import { TokenRegister } from '../sessions/jwt-session-registry.ts'
import type { Foundation } from './config.ts'
import type { Draft } from './normalized-options.ts'
import type { PosternOptions } from './options.ts'

/** What is kept of sessions beside them, and for how long. */
export type Keeping = Pick<Foundation, 'tokenMaxAge' | 'revocations' | 'register' | 'devices' | 'cleaning'>

type Surroundings = Pick<Draft, 'options' | 'constants' | 'runtime' | 'logger' | 'isDatabaseSession'>

/** How the methods of a store are called. */
export function storeSettings({ options, constants }: Pick<Draft, 'options' | 'constants'>): StoreSettings {
  return { isDebugging: options.debug ?? false, timeout: constants.callbackTimeoutMilliseconds }
}

function revocationsOf(store: Store | null, { options, constants, logger }: Surroundings): Revocations | null {
  const given = options.session?.revocations
  if (given === false) return null
  return given ? toRevocations(given, logger, storeSettings({ options, constants })) : (store?.revocations ?? null)
}

/** Seconds that a signed token lasts: never longer than the session. */
function tokenMaxAgeOf({ session, jwt }: PosternOptions, constants: Draft['constants']): number {
  return Math.min(jwt?.maxAge ?? constants.tokenMaxAge, session?.maxAge ?? constants.sessionMaxAge)
}

function cleaningOf(store: Store | null, { constants, runtime, logger }: Surroundings): Cleaning | null {
  const { cleaningInterval: interval, cleaningGrace: grace, cleaningBatch: batch } = constants
  return store?.deleteExpired ? new Cleaning({ store, logger, now: runtime.now, interval, grace, batch }) : null
}

/** What keeps devices, ends sessions of signed tokens and cleans the store. */
export function keepingOf(store: Store | null, draft: Surroundings): Keeping {
  const { options, constants, runtime, logger, isDatabaseSession } = draft
  const { now } = runtime
  const tokenMaxAge = tokenMaxAgeOf(options, constants)
  const cleaning = cleaningOf(store, draft)
  if (isDatabaseSession && store) {
    const devices = new Devices(new StoredSessions(store, now), store)
    return { tokenMaxAge, revocations: null, register: null, devices, cleaning }
  }
  const kept = revocationsOf(store, draft)
  const { revocationRefresh: refresh, revocationStale: stale, mostRevocations: most } = constants
  const revocations =
    kept && new RevocationList({ store: kept, logger, now, refresh, stale, most, longest: tokenMaxAge })
  const isOneStore = kept !== null && kept === store?.revocations
  const register = revocations && new TokenRegister({ revocations, store, isOneStore, logger, now })
  const signed = new SignedSessions(store, revocations && register && { revocations, register, logger }, now)
  return { tokenMaxAge, revocations, register, devices: new Devices(signed, store), cleaning }
}
