/** A value, or a promise of it: `node:crypto` returns values, WebCrypto promises. */
export type Awaitable<T> = T | Promise<T>

/** The cryptography of tokens. The two implementations read each other's results. */
export interface Primitives {
  /** HKDF with SHA-256 (RFC 5869). */
  hkdf(secret: string, salt: string, info: string, size: number): Awaitable<Uint8Array>
  /** HMAC with SHA-256, in base64url. */
  hmac(key: Uint8Array, text: string): Awaitable<string>
  /** SHA-256. @param encoding - @defaultValue `'hex'` */
  sha256(text: string, encoding?: 'hex' | 'base64url'): Awaitable<string>
  /** Compact JWE, `dir` and `A256GCM` (RFC 7516 §7.1, RFC 7518 §4.5, §5.3). */
  encrypt(key: Uint8Array, plaintext: string): Awaitable<string>
  /** @returns The plaintext, or `null` if this key did not encrypt the token in exactly this way. */
  decrypt(key: Uint8Array, token: string): Awaitable<string | null>
}
