import { type RevocationStore, revocationMethods } from '../adapter/revocation.ts'
import { toRevocations } from '../adapter/wrap-adapter.ts'
import { isObject } from '../model/json-object.ts'
import type { Logger } from '../model/logger.ts'
import type { Token } from '../model/session.ts'
import { getSubjects, RevocationCache } from './revocation-list.ts'
import { toRevocables } from './token-claims.ts'

/** The source of revocations: an adapter, another store, or none. */
export type RevocationSource = Partial<RevocationStore> | 'unchecked'

/** Returns whether the token with these claims was revoked. @throws AuthError `StoreUnavailable` */
export type RevocationCheck = (claims: Token) => Promise<boolean>

const choices =
  'pass revocations: adapter (the adapter, or the session.revocations, of the registration), or ' +
  "revocations: 'unchecked' to accept tokens of sessions that were ended"

/** Errors are thrown to the caller, so nothing is logged. */
const silent: Logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }

function isStore(source: unknown): source is RevocationStore {
  return isObject(source) && revocationMethods.every((name) => name in source)
}

/**
 * A token with a version comes from a registration that stores revocations: accepting it unchecked must be explicit.
 */
async function requireChoice(claims: Token): Promise<boolean> {
  if (!('session_version' in claims)) return false
  throw new TypeError(`getToken: the session of this token may have been ended; ${choices}`)
}

/**
 * Creates the check for tokens that are read without a registration. It queries the store for each token.
 *
 * @param timeout - Milliseconds that the store may take.
 * @throws TypeError if the source has no such method.
 */
export function createRevocationCheck(source: RevocationSource | undefined, timeout: number): RevocationCheck {
  if (source === undefined) return requireChoice
  if (source === 'unchecked') return async () => false
  if (!isStore(source))
    throw new TypeError(`getToken: expected a store with the methods ${revocationMethods.join(', ')}; ${choices}`)
  const store = toRevocations(source, silent, { isDebugging: false, timeout })
  return async (claims) => {
    const tokens = toRevocables(claims)
    const found = new RevocationCache(await store.getRevocations([...new Set(tokens.flatMap(getSubjects))]))
    return tokens.some((token) => found.has(token))
  }
}
