import type { MaybePromise } from '../model/awaitable.ts'
import type { WebKey } from '../model/provider.ts'

/** A result of AES-GCM, in base64url: the initialization vector of 96 bits, the ciphertext, and the tag of 128 bits. */
export interface Encrypted {
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

/** AES-256-GCM (NIST SP 800-38D). The two implementations read each other's results. */
export interface AesGcm {
  /**
   * Encrypts with a random initialization vector.
   *
   * @param key - 32 bytes.
   * @param header - The additional authenticated data, in ASCII.
   */
  encryptAesGcm(key: Uint8Array, text: string, header: string): MaybePromise<Encrypted>
  /** @returns The plaintext, or `null` if the tag does not match, or a part is not in canonical base64url. */
  decryptAesGcm(key: Uint8Array, encrypted: Encrypted, header: string): MaybePromise<string | null>
}

/**
 * Verifies a signature of one key.
 *
 * @param signed - The header and the payload of a JWS, with a dot between them.
 * @param signature - In base64url.
 */
export type SignatureVerifier = (signed: string, signature: string) => boolean

/** The cryptography of tokens. */
export interface Primitives extends AesGcm {
  /** @returns `null` if signatures of this algorithm cannot be verified synchronously. */
  createVerifier(key: WebKey, algorithm: string): SignatureVerifier | null
  /** HKDF with SHA-256 (RFC 5869). */
  hkdf(secret: string, salt: string, info: string, size: number): MaybePromise<Uint8Array>
  /** HMAC with SHA-256, in base64url. */
  hmac(key: Uint8Array, text: string): MaybePromise<string>
  /** SHA-256. @param encoding - @defaultValue `'hex'` */
  sha256(text: string, encoding?: 'hex' | 'base64url'): MaybePromise<string>
  /** The bytes of SHA-2. @param size - Bits. */
  digest(size: 256 | 384 | 512, text: string): MaybePromise<Uint8Array>
}
