import { chain, type MaybePromise, whenAll } from '../model/awaitable.ts'
import { primitives } from './crypto.ts'
import type { KeyRing } from './keys.ts'

/** SHA-256. @param encoding - @defaultValue `'hex'` */
export function sha256(text: string, encoding?: 'hex' | 'base64url'): MaybePromise<string> {
  return primitives.sha256(text, encoding)
}

/** The bytes of SHA-2. @param size - Bits. */
export function sha2(size: 256 | 384 | 512, text: string): MaybePromise<Uint8Array> {
  return primitives.digest(size, text)
}

/** HMAC-SHA-256 in base64url, with the first key. */
export async function keyedHash(ring: KeyRing, text: string): Promise<string> {
  return primitives.hmac(await ring.writing, text)
}

/**
 * HMAC-SHA-256 with every key of the ring, in order, for values that an earlier secret hashed. The result is
 * synchronous if possible: sessions are looked up with it, and a promise takes longer than a hash.
 */
export function keyedHashes(ring: KeyRing, text: string): MaybePromise<readonly string[]> {
  const hashes = ring.reading.map((key) => chain(key, (bytes) => primitives.hmac(bytes, text)))
  return whenAll(hashes)
}

/** Compares two strings in a time that does not depend on where they differ. */
export function equalInConstantTime(left: string, right: string): boolean {
  let difference = left.length ^ right.length
  for (let index = 0; index < left.length; index++) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index % (right.length || 1))
  }
  return difference === 0
}
