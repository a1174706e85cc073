import type { KeyObject } from 'node:crypto'
import type { WebKey } from '../model/provider.ts'
import type { Encrypted, Primitives, SignatureVerifier } from './crypto-primitives.ts'

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

/** The bytes of the last header: all tokens that are written have one. */
let last: { readonly header: string; readonly bytes: Buffer } | null = null

function toHeaderBytes(header: string): Buffer {
  if (last?.header !== header) last = { header, bytes: Buffer.from(header, 'latin1') }
  return last.bytes
}

const ivSize = 12
/** Characters of base64url. */
const ivLength = 16
const tagSize = 16

/** In GCM mode, `final()` returns no data. */
function joinBuffers(start: Buffer, end: Buffer): Buffer {
  return end.length === 0 ? start : Buffer.concat([start, end])
}

const poolSize = 4096
const seedSize = 16
let pool: Buffer | null = null
let spent = poolSize

/**
 * A random initialization vector (RFC 7516 §5.1, step 9), in base64url: a call to the random number generator takes as long as the
 * cipher, so that many bits are read at once. Their hash with the text differs in a clone of the virtual machine, which has the same
 * ones, unless it encrypts the same text.
 */
function createIv(crypto: Crypto, text: string): string {
  pool ??= Buffer.alloc(poolSize)
  if (spent === poolSize) {
    crypto.randomFillSync(pool)
    spent = 0
  }
  const end = spent + seedSize
  const seed = pool.toString('latin1', spent, end)
  pool.fill(0, spent, end)
  spent = end
  return crypto.hash('sha256', seed + text, 'base64url').slice(0, ivLength)
}

function encryptAesGcm(crypto: Crypto, key: Uint8Array, text: string, header: string): Encrypted {
  const iv = createIv(crypto, text)
  const cipher = crypto.createCipheriv('aes-256-gcm', getKeyObject(crypto, key), Buffer.from(iv, 'base64url'))
  cipher.setAAD(toHeaderBytes(header))
  const start = cipher.update(text, 'utf8')
  return {
    iv,
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
    decipher.setAAD(toHeaderBytes(header))
    decipher.setAuthTag(tag)
    const start = decipher.update(ciphertext)
    const rest = decipher.final()
    return joinBuffers(start, rest).toString('utf8')
  } catch {
    return null
  }
}

/** RSASSA-PKCS1-v1_5 and ECDSA (RFC 7518 §3.3, §3.4). */
const digests: ReadonlyMap<string, string> = new Map(
  ['RS', 'ES'].flatMap((family) => ['256', '384', '512'].map((size) => [family + size, `sha${size}`] as const))
)

function createVerifier(crypto: Crypto, key: WebKey, algorithm: string): SignatureVerifier | null {
  const digest = digests.get(algorithm)
  if (digest === undefined) return null
  const keyObject = crypto.KeyObject.from(key)
  // Node finds out with an error that an object is no key: for RSA, a third of the time.
  const how = algorithm.startsWith('ES') ? ({ key: keyObject, dsaEncoding: 'ieee-p1363' } as const) : keyObject
  return (signed, signature) => {
    const bytes = fromBase64Url(signature)
    return bytes !== null && crypto.verify(digest, Buffer.from(signed), how, bytes)
  }
}

/** @returns The implementation with `node:crypto`, or `null` if the runtime does not have it. */
export function nodePrimitives(): Primitives | null {
  const crypto: Crypto | undefined = globalThis.process?.getBuiltinModule?.('node:crypto')
  if (!crypto) return null
  return {
    createVerifier: (key, algorithm) => createVerifier(crypto, key, algorithm),
    hkdf: (secret, salt, info, size) => new Uint8Array(crypto.hkdfSync('sha256', secret, salt, info, size)),
    hmac: (key, text) => crypto.createHmac('sha256', getKeyObject(crypto, key)).update(text).digest('base64url'),
    sha256: (text, encoding) => crypto.hash('sha256', text, encoding),
    digest: (size, text) => crypto.hash(`sha${size}`, text, 'buffer'),
    encryptAesGcm: (key, text, header) => encryptAesGcm(crypto, key, text, header),
    decryptAesGcm: (key, encrypted, header) => decryptAesGcm(crypto, key, encrypted, header)
  }
}
