import type { Encrypted, Primitives } from './crypto-primitives.ts'

const { subtle } = globalThis.crypto
const encoder = new TextEncoder()
// Like `node:crypto`, it keeps a byte order mark.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Copies the bytes to a buffer of their own, as WebCrypto's types require. */
const bytes = (text: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(typeof text === 'string' ? encoder.encode(text) : text)

const hex = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The arguments of a call are limited: large texts are converted in chunks. */
const chunkSize = 32_768

function toBase64Url(data: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < data.length; start += chunkSize) {
    binary += String.fromCharCode(...data.subarray(start, start + chunkSize))
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** @throws DOMException if `text` has other characters, TypeError if it is not the canonical form of the bytes. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const data = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  if (toBase64Url(data) !== text) throw new TypeError('expected canonical base64url')
  return data
}

async function hkdf(secret: string, salt: string, info: string, size: number): Promise<Uint8Array> {
  const key = await subtle.importKey('raw', bytes(secret), 'HKDF', false, ['deriveBits'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt: bytes(salt), info: bytes(info) }
  return new Uint8Array(await subtle.deriveBits(how, key, size * 8))
}

async function hmac(key: Uint8Array, text: string): Promise<string> {
  const how = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await subtle.importKey('raw', bytes(key), how, false, ['sign'])
  return toBase64Url(new Uint8Array(await subtle.sign('HMAC', imported, bytes(text))))
}

const ivSize = 12
const tagSize = 16

async function encryptAesGcm(key: Uint8Array, text: string, header: string): Promise<Encrypted> {
  const iv = globalThis.crypto.getRandomValues(new Uint8Array(ivSize))
  const imported = await subtle.importKey('raw', bytes(key), 'AES-GCM', false, ['encrypt'])
  const how = { name: 'AES-GCM', iv, additionalData: bytes(header), tagLength: tagSize * 8 }
  // WebCrypto appends the tag to the ciphertext.
  const result = new Uint8Array(await subtle.encrypt(how, imported, bytes(text)))
  return {
    iv: toBase64Url(iv),
    ciphertext: toBase64Url(result.subarray(0, -tagSize)),
    tag: toBase64Url(result.subarray(-tagSize))
  }
}

async function decryptAesGcm(key: Uint8Array, encrypted: Encrypted, header: string): Promise<string | null> {
  try {
    const [iv, ciphertext, tag] = [encrypted.iv, encrypted.ciphertext, encrypted.tag].map(fromBase64Url)
    if (iv?.length !== ivSize || tag?.length !== tagSize || !ciphertext) return null
    const data = new Uint8Array(ciphertext.length + tagSize)
    data.set(ciphertext)
    data.set(tag, ciphertext.length)
    const imported = await subtle.importKey('raw', bytes(key), 'AES-GCM', false, ['decrypt'])
    const how = { name: 'AES-GCM', iv, additionalData: bytes(header), tagLength: tagSize * 8 }
    return decoder.decode(await subtle.decrypt(how, imported, data))
  } catch {
    return null
  }
}

/** The implementation for every runtime with WebCrypto. */
export const webPrimitives: Primitives = {
  createVerifier: () => null,
  hkdf,
  hmac,
  sha256: async (text, encoding) => {
    const digest = await subtle.digest('SHA-256', bytes(text))
    return encoding === 'base64url' ? toBase64Url(new Uint8Array(digest)) : hex(digest)
  },
  digest: async (size, text) => new Uint8Array(await subtle.digest(`SHA-${size}`, bytes(text))),
  encryptAesGcm,
  decryptAesGcm
}
