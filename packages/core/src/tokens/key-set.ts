import type { createLocalJWKSet, JSONWebKeySet } from 'jose'
import { isJsonObject, isObject } from '../model/json-object.ts'
import { primitives } from './crypto.ts'
import type { SignatureVerifier } from './crypto-primitives.ts'
import { isFresh } from './is-fresh.ts'
import { jose } from './load-jose.ts'
import { RecentFailures } from './recent-failures.ts'

/** How long keys are cached, and how often they are fetched. Seconds. */
export interface KeySetTimes {
  readonly maxAge: number
  readonly throttle: number
  readonly cooldown: number
  readonly staleIfError: number
  readonly retryAfter: number
  readonly maxIssuers: number
}

type Keys = ReturnType<typeof createLocalJWKSet>

/** How the signatures under one header are verified. */
interface KnownHeader {
  readonly algorithm: string
  readonly verify: SignatureVerifier
}

interface Entry {
  readonly keys: Keys
  /**
   * The protected headers that jose has verified a signature under. The same header has the same key and algorithm, for which
   * `node:crypto` needs no thread.
   */
  readonly headers: Map<string, KnownHeader>
  readonly fetchedAt: number
  /** When the last fetch began, whether it succeeded or not. */
  triedAt: number
  renewedAt: number
}

/** A signature is invalid, or could not be verified. */
export class SignatureError extends Error {
  override readonly name: string = 'SignatureError'
}

/** @returns Whether a document is a key set (RFC 7517 §5). */
export function isKeySet(document: unknown): document is JSONWebKeySet {
  return isObject(document) && Array.isArray(document['keys']) && document['keys'].every(isJsonObject)
}

/**
 * Caches the public keys of other servers by the URL of their key set.
 *
 * Each URL has at most one request in flight. Expired keys are used for a limited time while the server does not
 * respond. A token with an unknown `kid`, or a signature by none of the keys, triggers a new request, limited by the
 * cool-down. Without cached keys, a failure is cached for a few seconds.
 */
export class KeySets {
  readonly #entries = new Map<string, Entry>()
  readonly #inFlight = new Map<string, Promise<Entry>>()
  readonly #failures: RecentFailures<string>
  readonly #times: KeySetTimes
  readonly #now: () => number

  constructor(times: KeySetTimes, now: () => number) {
    this.#times = times
    this.#now = now
    this.#failures = new RecentFailures(times.retryAfter, times.maxIssuers, now)
  }

  /**
   * Verifies the signature of a compact JWS.
   *
   * @param uri - The cache key: the URL of the key set, and whatever separates it from others.
   * @param algorithms - The allowed algorithms.
   * @param load - Fetches the document at `uri`.
   * @throws SignatureError if the signature is invalid, or no key matches.
   */
  async verify(jws: string, algorithms: readonly string[], uri: string, load: () => Promise<unknown>): Promise<void> {
    const known = this.#entries.get(uri)
    const entry = await this.#current(uri, load)
    try {
      await verifyWith(entry, jws, algorithms)
    } catch (cause) {
      const { errors } = await jose()
      const isUnknown = cause instanceof errors.JWKSNoMatchingKey
      // A new key announces itself by its `kid` (OpenID Connect Core §10.1.1); some servers have none, or use one again.
      const mayBeNew = isUnknown || cause instanceof errors.JWSSignatureVerificationFailed
      // Keys that were just fetched for this token are not fetched again.
      const fresh = mayBeNew && entry === known ? await this.#newer(uri, load, entry) : null
      if (!fresh && isUnknown)
        throw new SignatureError('no key with this kid, and the key set was just fetched', { cause })
      if (!fresh) throw new SignatureError(`signature rejected: ${text(cause)}`, { cause })
      await verifyWith(fresh, jws, algorithms).catch((again: unknown) => {
        throw new SignatureError(`signature rejected: ${text(again)}`, { cause: again })
      })
    }
  }

  /**
   * Returns newer keys than those that did not verify the token: just fetched, in flight, or requested now; `null` during the
   * cool-down.
   */
  async #newer(uri: string, load: () => Promise<unknown>, entry: Entry): Promise<Entry | null> {
    const latest = this.#entries.get(uri)
    if (latest && latest !== entry) return latest
    const running = this.#inFlight.get(uri)
    if (running) return running
    const seconds = this.#now() / 1000
    if (isFresh(seconds, entry.renewedAt, this.#times.cooldown)) return null
    this.#failures.throwIfRecent(uri)
    entry.renewedAt = seconds
    return this.#fetch(uri, load, entry)
  }

  async #current(uri: string, load: () => Promise<unknown>): Promise<Entry> {
    const entry = this.#entries.get(uri)
    if (!entry) return this.#fetch(uri, load, null)
    const seconds = this.#now() / 1000
    const { maxAge, staleIfError, throttle } = this.#times
    if (isFresh(seconds, entry.fetchedAt, maxAge)) return entry
    const mayStandIn = seconds - entry.fetchedAt < maxAge + staleIfError
    if (mayStandIn && isFresh(seconds, entry.triedAt, throttle)) return entry
    entry.triedAt = seconds
    return this.#fetch(uri, load, entry).catch((error: unknown) => {
      if (mayStandIn) return entry
      throw error
    })
  }

  async #fetch(uri: string, load: () => Promise<unknown>, previous: Entry | null): Promise<Entry> {
    const running = this.#inFlight.get(uri)
    if (running) return running
    this.#failures.throwIfRecent(uri)
    const fetching = this.#failures
      .watch(uri, async () => this.#keep(uri, await load(), previous))
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
      headers: new Map(),
      fetchedAt: seconds,
      triedAt: seconds,
      renewedAt: previous?.renewedAt ?? Number.NEGATIVE_INFINITY
    }
    this.#entries.delete(uri)
    this.#entries.set(uri, entry)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#times.maxIssuers && oldest !== undefined) this.#entries.delete(oldest)
    return entry
  }
}

/** Providers have as many keys at a time, or fewer. */
const maxHeaders = 8

/** Whether the signature is valid under a header that is known. If not, jose decides. */
function isKnownSignature({ headers }: Entry, jws: string, algorithms: readonly string[]): boolean {
  const [header = '', payload = '', signature = '', ...more] = jws.split('.', 4)
  const known = headers.get(header)
  if (!known || more.length > 0 || !algorithms.includes(known.algorithm)) return false
  return known.verify(`${header}.${payload}`, signature)
}

function rememberHeader({ headers }: Entry, jws: string, algorithm: string, key: unknown): void {
  const verify =
    key instanceof CryptoKey && headers.size < maxHeaders ? primitives.createVerifier(key, algorithm) : null
  if (verify) headers.set(jws.slice(0, jws.indexOf('.')), { algorithm, verify })
}

async function verifyWith(entry: Entry, jws: string, algorithms: readonly string[]): Promise<void> {
  if (isKnownSignature(entry, jws, algorithms)) return
  const { compactVerify, errors } = await jose()
  const allowed = { algorithms: [...algorithms] }
  try {
    const { key, protectedHeader } = await compactVerify(jws, entry.keys, allowed)
    rememberHeader(entry, jws, protectedHeader.alg, key)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    // Without a `kid` several keys may match: one valid signature is enough.
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
