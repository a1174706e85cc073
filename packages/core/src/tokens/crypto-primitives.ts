import { nodePrimitives } from './crypto-node.ts'
import { webPrimitives } from './crypto-web.ts'

/** A value, or the promise of one: Node answers at once, other runtimes a little later. */
export type Awaitable<T> = T | Promise<T>

/** The cryptography that tokens are made of. Two ways to do the same; every result of one is read by the other. */
export interface Primitives {
  /** HKDF with SHA-256 (RFC 5869). */
  hkdf(secret: string, salt: string, info: string, size: number): Awaitable<Uint8Array>
  /** HMAC with SHA-256, in base64url. */
  hmac(key: Uint8Array, text: string): Awaitable<string>
  /** SHA-256. @param encoding - @defaultValue `'hex'` */
  sha256(text: string, encoding?: 'hex' | 'base64url'): Awaitable<string>
  /** Compact JWE, `dir` and `A256GCM` (RFC 7516 §7.1, RFC 7518 §4.5, §5.3). */
  seal(key: Uint8Array, plaintext: string): Awaitable<string>
  /** @returns The plaintext, or `null` for anything that this key did not seal in just that way. */
  open(key: Uint8Array, token: string): Awaitable<string | null>
}

/** Node's own cryptography where there is one: it answers without a trip to the thread pool. */
export const primitives: Primitives = nodePrimitives() ?? webPrimitives
