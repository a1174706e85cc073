import type { KeyObject } from 'node:crypto'
import type { Primitives } from './crypto-primitives.ts'

/** The protected header that next-auth v4 and Postern write: `{"alg":"dir","enc":"A256GCM"}`. */
const sealedHeader = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0'

/** Tokens that exceed fifty cookies are rejected without decryption. */
export const maxTokenLength = 200_000

type Crypto = typeof import('node:crypto')

/** @returns Whether a protected header names `dir` and `A256GCM`, and no extension that changes the processing. */
export function isPlainHeader(text: string): boolean {
  try {
    const header = JSON.parse(text) as Record<string, unknown> | null
    const { alg, enc, zip, crit } = header ?? {}
    return alg === 'dir' && enc === 'A256GCM' && zip === undefined && crit === undefined
  } catch {
    return false
  }
}

/** Key objects by their bytes: a cipher takes five times as long to create from bytes. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>()

function getKeyObject(crypto: Crypto, key: Uint8Array): KeyObject {
  const known = keyObjects.get(key)
  if (known) return known
  const keyObject = crypto.createSecretKey(key)
  keyObjects.set(key, keyObject)
  return keyObject
}

const ivSize = 12

const sealedHeaderBytes = Buffer.from(sealedHeader, 'latin1')

function sealWith(crypto: Crypto, key: Uint8Array, plaintext: string): string {
  const iv = crypto.randomBytes(ivSize)
  const cipher = crypto.createCipheriv('aes-256-gcm', getKeyObject(crypto, key), iv)
  cipher.setAAD(sealedHeaderBytes)
  const start = cipher.update(plaintext, 'utf8')
  const text = joined(start, cipher.final()).toString('base64url')
  return `${sealedHeader}..${iv.toString('base64url')}.${text}.${cipher.getAuthTag().toString('base64url')}`
}

/** In GCM mode, `final()` returns no data. */
function joined(start: Buffer, end: Buffer): Buffer {
  return end.length === 0 ? start : Buffer.concat([start, end])
}

function openWith(crypto: Crypto, key: Uint8Array, token: string): string | null {
  const parts = token.length <= maxTokenLength ? token.split('.') : []
  const [header, encryptedKey, iv, text, tag] = parts
  if (parts.length !== 5 || !header || encryptedKey !== '' || !iv || text === undefined || !tag) return null
  if (header !== sealedHeader && !isPlainHeader(Buffer.from(header, 'base64url').toString())) return null
  const ivBytes = Buffer.from(iv, 'base64url')
  const tagBytes = Buffer.from(tag, 'base64url')
  const isCanonical = ivBytes.toString('base64url') === iv && tagBytes.toString('base64url') === tag
  if (ivBytes.length !== 12 || tagBytes.length !== 16 || !isCanonical) return null
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) return null
  try {
    const decipher = crypto.createDecipheriv('aes-256-gcm', getKeyObject(crypto, key), ivBytes)
    decipher.setAAD(Buffer.from(header, 'latin1'))
    decipher.setAuthTag(tagBytes)
    const start = decipher.update(bytes)
    const rest = decipher.final()
    return joined(start, rest).toString('utf8')
  } catch {
    return null
  }
}

/** @returns The implementation with `node:crypto`, or `null` if the runtime does not have it. */
export function nodePrimitives(): Primitives | null {
  const crypto: Crypto | undefined = globalThis.process?.getBuiltinModule?.('node:crypto')
  if (!crypto) return null
  return {
    hkdf: (secret, salt, info, size) => new Uint8Array(crypto.hkdfSync('sha256', secret, salt, info, size)),
    hmac: (key, text) => crypto.createHmac('sha256', getKeyObject(crypto, key)).update(text).digest('base64url'),
    sha256: (text, encoding) => crypto.hash('sha256', text, encoding),
    encrypt: (key, plaintext) => sealWith(crypto, key, plaintext),
    decrypt: (key, token) => openWith(crypto, key, token)
  }
}
