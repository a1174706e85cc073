import type { createLocalJWKSet, JSONWebKeySet } from 'jose'
import { jose } from './load-jose.ts'
import { isRecent } from './recent.ts'
import { Rs256Keys } from './rs256.ts'

/** How long keys are kept, and how often they are asked for. Seconds. */
export interface KeySetTimes {
  readonly maxAge: number
  readonly throttle: number
  readonly cooldown: number
  readonly staleIfError: number
  readonly mostIssuers: number
}

type Keys = ReturnType<typeof createLocalJWKSet>

interface Entry {
  readonly keys: Keys
  readonly rs256: Rs256Keys
  readonly fetchedAt: number
  /** When the last refetch began, whether it succeeded or not. */
  triedAt: number
  unknownKidAt: number
}

/** A signature that could not be checked, or did not hold. */
export class SignatureError extends Error {
  override readonly name: string = 'SignatureError'
}

const isKey = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @returns Whether a document is a key set (RFC 7517 §5). */
export function isKeySet(document: unknown): document is JSONWebKeySet {
  if (typeof document !== 'object' || document === null || !('keys' in document)) return false
  return Array.isArray(document.keys) && document.keys.every(isKey)
}

/**
 * The public keys of other servers, by the address of their key set.
 *
 * One request at a time for each; old keys stand in for a bounded time while the server does not answer; a token with
 * an unknown `kid` makes us ask again at once, but no more often than the cool-down allows.
 */
export class KeySets {
  readonly #entries = new Map<string, Entry>()
  readonly #inFlight = new Map<string, Promise<Entry>>()
  readonly #times: KeySetTimes
  readonly #now: () => number

  constructor(times: KeySetTimes, now: () => number) {
    this.#times = times
    this.#now = now
  }

  /**
   * Verifies the signature of a compact JWS.
   *
   * @param uri - Where the key set is; the key of the cache.
   * @param algorithms - The only ones that count.
   * @param load - Fetches the document at `uri`.
   * @throws SignatureError the signature does not hold, or no key fits.
   */
  async verify(jws: string, algorithms: readonly string[], uri: string, load: () => Promise<unknown>): Promise<void> {
    const known = this.#entries.get(uri)
    const entry = await this.#current(uri, load)
    try {
      await verifyWith(entry, jws, algorithms)
    } catch (cause) {
      const { errors } = await jose()
      if (!(cause instanceof errors.JWKSNoMatchingKey))
        throw new SignatureError(`signature refused: ${text(cause)}`, { cause })
      // Keys that were fetched for this very token are not asked for twice.
      const fresh = entry === known ? await this.#newer(uri, load, entry) : null
      if (!fresh)
        throw new SignatureError('no key with this kid, and the key set was asked for it a moment ago', { cause })
      await verifyWith(fresh, jws, algorithms).catch((again: unknown) => {
        throw new SignatureError(`signature refused: ${text(again)}`, { cause: again })
      })
    }
  }

  /** Newer keys than those that lack a `kid`: fetched meanwhile, under way, or asked for now; `null` in the cool-down. */
  async #newer(uri: string, load: () => Promise<unknown>, entry: Entry): Promise<Entry | null> {
    const latest = this.#entries.get(uri)
    if (latest && latest !== entry) return latest
    const running = this.#inFlight.get(uri)
    if (running) return running
    const seconds = this.#now() / 1000
    if (isRecent(seconds, entry.unknownKidAt, this.#times.cooldown)) return null
    entry.unknownKidAt = seconds
    return this.#fetch(uri, load, entry)
  }

  async #current(uri: string, load: () => Promise<unknown>): Promise<Entry> {
    const entry = this.#entries.get(uri)
    if (!entry) return this.#fetch(uri, load, null)
    const seconds = this.#now() / 1000
    const { maxAge, staleIfError, throttle } = this.#times
    if (isRecent(seconds, entry.fetchedAt, maxAge)) return entry
    const mayStandIn = seconds - entry.fetchedAt < maxAge + staleIfError
    if (mayStandIn && isRecent(seconds, entry.triedAt, throttle)) return entry
    entry.triedAt = seconds
    return this.#fetch(uri, load, entry).catch((error: unknown) => {
      if (mayStandIn) return entry
      throw error
    })
  }

  #fetch(uri: string, load: () => Promise<unknown>, previous: Entry | null): Promise<Entry> {
    const running = this.#inFlight.get(uri)
    if (running) return running
    const fetching = load()
      .then((document) => this.#keep(uri, document, previous))
      .finally(() => this.#inFlight.delete(uri))
    this.#inFlight.set(uri, fetching)
    return fetching
  }

  async #keep(uri: string, document: unknown, previous: Entry | null): Promise<Entry> {
    if (!isKeySet(document)) throw new SignatureError('expected a key set with a list of keys (RFC 7517 §5)')
    const { createLocalJWKSet } = await jose()
    const keys = createLocalJWKSet(document)
    const seconds = this.#now() / 1000
    const entry = {
      keys,
      rs256: new Rs256Keys(document.keys),
      fetchedAt: seconds,
      triedAt: seconds,
      unknownKidAt: previous?.unknownKidAt ?? Number.NEGATIVE_INFINITY
    }
    this.#entries.delete(uri)
    this.#entries.set(uri, entry)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#times.mostIssuers && oldest !== undefined) this.#entries.delete(oldest)
    return entry
  }
}

async function verifyWith({ keys, rs256 }: Entry, jws: string, algorithms: readonly string[]): Promise<void> {
  if (algorithms.includes('RS256') && rs256.hasSigned(jws)) return
  const { compactVerify, errors } = await jose()
  const allowed = { algorithms: [...algorithms] }
  try {
    await compactVerify(jws, keys, allowed)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    // Without a `kid` several keys may fit: it is enough that one of them signed.
    for await (const key of error) {
      const isSigned = await compactVerify(jws, key, allowed).then(
        () => true,
        () => false
      )
      if (isSigned) return
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
