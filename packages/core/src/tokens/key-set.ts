import type { createLocalJWKSet, JSONWebKeySet } from 'jose'
import { isJsonObject, isObject } from '../model/json-object.ts'
import { primitives } from './crypto.ts'
import type { SignatureVerifier } from './crypto-primitives.ts'
import { type CacheTimes, DocumentCache } from './document-cache.ts'
import { isFresh } from './is-fresh.ts'
import { jose } from './load-jose.ts'

/** How long keys are cached, and how often they are fetched. Seconds. */
export interface KeySetTimes extends CacheTimes {
  /** The minimum time between two fetches for an unknown key. */
  readonly cooldown: number
}

type Keys = ReturnType<typeof createLocalJWKSet>

/** How the signatures under one header are verified. */
interface KnownHeader {
  readonly algorithm: string
  readonly verify: SignatureVerifier
}

interface KeySet {
  readonly keys: Keys
  /**
   * The protected headers that jose has verified a signature under. The same header has the same key and algorithm, for which
   * `node:crypto` needs no thread.
   */
  readonly headers: Map<string, KnownHeader>
  /** When a token has last caused a request. */
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
 * Caches the public keys of other servers by the URL of their key set. A token with an unknown `kid`, or a signature by none of the
 * keys, triggers a new request, limited by the cool-down.
 */
export class KeySets {
  readonly #cache: DocumentCache<string, KeySet>
  readonly #cooldown: number
  readonly #now: () => number

  constructor(times: KeySetTimes, now: () => number) {
    this.#cache = new DocumentCache(times, now)
    this.#cooldown = times.cooldown
    this.#now = now
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
    const known = this.#cache.peek(uri)
    const create = async (): Promise<KeySet> => createKeySet(await load(), known)
    const entry = await this.#cache.get(uri, create)
    try {
      await verifyWith(entry, jws, algorithms)
    } catch (cause) {
      const { errors } = await jose()
      const isUnknown = cause instanceof errors.JWKSNoMatchingKey
      // A new key announces itself by its `kid` (OpenID Connect Core §10.1.1); some servers have none, or use one again.
      const mayBeNew = isUnknown || cause instanceof errors.JWSSignatureVerificationFailed
      // Keys that were just fetched for this token are not fetched again.
      const fresh = mayBeNew && entry === known ? await this.#newer(uri, create, entry) : null
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
  async #newer(uri: string, create: () => Promise<KeySet>, entry: KeySet): Promise<KeySet | null> {
    const latest = this.#cache.peek(uri)
    if (latest && latest !== entry) return latest
    const running = this.#cache.getRunning(uri)
    if (running) return running
    const seconds = this.#now() / 1000
    if (isFresh(seconds, entry.renewedAt, this.#cooldown)) return null
    this.#cache.throwIfRecent(uri)
    entry.renewedAt = seconds
    return this.#cache.fetch(uri, create)
  }
}

async function createKeySet(document: unknown, previous: KeySet | null): Promise<KeySet> {
  if (!isKeySet(document)) throw new SignatureError('expected a key set with a list of keys (RFC 7517 §5)')
  const { createLocalJWKSet } = await jose()
  const renewedAt = previous?.renewedAt ?? Number.NEGATIVE_INFINITY
  return { keys: createLocalJWKSet(document), headers: new Map(), renewedAt }
}

/** Providers have as many keys at a time, or fewer. */
const maxHeaders = 8

/** Whether the signature is valid under a header that is known. If not, jose decides. */
function isKnownSignature({ headers }: KeySet, jws: string, algorithms: readonly string[]): boolean {
  const [header = '', payload = '', signature = '', ...more] = jws.split('.', 4)
  const known = headers.get(header)
  if (!known || more.length > 0 || !algorithms.includes(known.algorithm)) return false
  return known.verify(`${header}.${payload}`, signature)
}

function rememberHeader({ headers }: KeySet, jws: string, algorithm: string, key: unknown): void {
  const verify =
    key instanceof CryptoKey && headers.size < maxHeaders ? primitives.createVerifier(key, algorithm) : null
  if (verify) headers.set(jws.slice(0, jws.indexOf('.')), { algorithm, verify })
}

async function verifyWith(entry: KeySet, jws: string, algorithms: readonly string[]): Promise<void> {
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
