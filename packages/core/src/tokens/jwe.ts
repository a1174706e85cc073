import { chain, isPromise, type MaybePromise } from '../model/awaitable.ts'
import { decodeBase64Url } from '../model/base64url.ts'
import { primitives } from './crypto.ts'
import type { AesGcm, Encrypted } from './crypto-primitives.ts'
import type { KeyRing } from './keys.ts'

/** `{"alg":"dir","enc":"A256GCM"}`, as next-auth v4 and Postern write it. */
const protectedHeader = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0'

/** Tokens that exceed fifty cookies are rejected without decryption. */
export const maxTokenLength = 200_000

/** Encrypts and decrypts texts as JWE in compact serialization, with `dir` and `A256GCM` (RFC 7516 §7.1, RFC 7518 §4.5, §5.3). */
export interface Jwe {
  /** @param key - 32 bytes. */
  encrypt(key: Uint8Array, text: string): MaybePromise<string>
  /** @returns The plaintext, or `null` if this key did not encrypt the token in exactly this way. */
  decrypt(key: Uint8Array, token: string): MaybePromise<string | null>
}

/** @returns Whether a protected header names `dir` and `A256GCM`, and no extension that changes the processing. */
function isSupportedHeader(header: string): boolean {
  if (header === protectedHeader) return true
  try {
    const { alg, enc, zip, crit } = JSON.parse(decodeBase64Url(header)) ?? {}
    return alg === 'dir' && enc === 'A256GCM' && zip === undefined && crit === undefined
  } catch {
    return false
  }
}

const serialize = ({ iv, ciphertext, tag }: Encrypted): string => `${protectedHeader}..${iv}.${ciphertext}.${tag}`

/** Creates the encryption of tokens with one implementation of AES-GCM. */
export function createJwe({ encryptAesGcm, decryptAesGcm }: AesGcm): Jwe {
  return {
    encrypt: (key, text) => chain(encryptAesGcm(key, text, protectedHeader), serialize),
    decrypt: (key, token) => {
      const parts = token.length <= maxTokenLength ? token.split('.', 6) : []
      const [header = '', encryptedKey, iv = '', ciphertext = '', tag = ''] = parts
      // With `dir`, there is no encrypted key.
      if (parts.length !== 5 || encryptedKey !== '' || !isSupportedHeader(header)) return null
      return decryptAesGcm(key, { iv, ciphertext, tag }, header)
    }
  }
}

/** How session JWTs, cookies and stored data are encrypted. */
export const jwe: Jwe = createJwe(primitives)

/** @returns The text, encrypted with the ring's first key. */
export function encryptText({ writing }: KeyRing, text: string): MaybePromise<string> {
  return chain(writing, (key) => jwe.encrypt(key, text))
}

async function decryptWithPromises({ reading }: KeyRing, token: string): Promise<string | null> {
  for (const key of reading) {
    const text = await jwe.decrypt(await key, token)
    if (text !== null) return text
  }
  return null
}

/** @returns The plaintext, or `null` if no key of the ring can decrypt it. */
export function decryptText(ring: KeyRing, token: string): MaybePromise<string | null> {
  for (const key of ring.reading) {
    if (isPromise(key)) return decryptWithPromises(ring, token)
    const text = jwe.decrypt(key, token)
    if (isPromise(text)) return decryptWithPromises(ring, token)
    if (text !== null) return text
  }
  return null
}
