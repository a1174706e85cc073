import type { KeyObject } from 'node:crypto'
import type { Encrypted, Primitives } from './crypto-primitives.ts'

type Crypto = typeof import('node:crypto')

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
const tagSize = 16

/** In GCM mode, `final()` returns no data. */
function joinBuffers(start: Buffer, end: Buffer): Buffer {
  return end.length === 0 ? start : Buffer.concat([start, end])
}

function encryptAesGcm(crypto: Crypto, key: Uint8Array, plaintext: string, header: string): Encrypted {
  const iv = crypto.randomBytes(ivSize)
  const cipher = crypto.createCipheriv('aes-256-gcm', getKeyObject(crypto, key), iv)
  cipher.setAAD(Buffer.from(header, 'latin1'))
  const start = cipher.update(plaintext, 'utf8')
  return {
    iv: iv.toString('base64url'),
    ciphertext: joinBuffers(start, cipher.final()).toString('base64url'),
    tag: cipher.getAuthTag().toString('base64url')
  }
}

/** @returns The bytes, or `null` if `text` is not their canonical form. */
function fromBase64Url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}

function decryptAesGcm(crypto: Crypto, key: Uint8Array, encrypted: Encrypted, header: string): string | null {
  const iv = fromBase64Url(encrypted.iv)
  const ciphertext = fromBase64Url(encrypted.ciphertext)
  const tag = fromBase64Url(encrypted.tag)
  if (iv?.length !== ivSize || tag?.length !== tagSize || !ciphertext) return null
  try {
    const decipher = crypto.createDecipheriv('aes-256-gcm', getKeyObject(crypto, key), iv)
    decipher.setAAD(Buffer.from(header, 'latin1'))
    decipher.setAuthTag(tag)
    const start = decipher.update(ciphertext)
    const rest = decipher.final()
    return joinBuffers(start, rest).toString('utf8')
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
    encryptAesGcm: (key, plaintext, header) => encryptAesGcm(crypto, key, plaintext, header),
    decryptAesGcm: (key, encrypted, header) => decryptAesGcm(crypto, key, encrypted, header)
  }
}
