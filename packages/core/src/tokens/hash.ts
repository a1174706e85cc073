import type { KeyRing } from './keys.ts'
import { type Awaitable, primitives } from './primitives.ts'

/** SHA-256. @param encoding - @defaultValue `'hex'` */
export function sha256(text: string, encoding?: 'hex' | 'base64url'): Awaitable<string> {
  return primitives.sha256(text, encoding)
}

/** HMAC-SHA-256 in base64url, with the key that writes. */
export async function keyedHash(ring: KeyRing, text: string): Promise<string> {
  return primitives.hmac(await ring.writing, text)
}

/** The same with every key that reads, in their order: what a rotated secret may have written. */
export async function keyedHashes(ring: KeyRing, text: string): Promise<string[]> {
  return Promise.all(ring.reading.map(async (key) => primitives.hmac(await key, text)))
}

/** Compares two texts in a time that tells nothing of where they differ. */
export function equalInConstantTime(left: string, right: string): boolean {
  let difference = left.length ^ right.length
  for (let index = 0; index < left.length; index++) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index % (right.length || 1))
  }
  return difference === 0
}
