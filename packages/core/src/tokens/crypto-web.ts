import { isPlainHeader, maxTokenLength } from './crypto-node.ts'
import type { Primitives } from './crypto-primitives.ts'

const { subtle } = globalThis.crypto
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Copies the bytes to a buffer of their own, as WebCrypto's types require. */
const bytes = (text: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(typeof text === 'string' ? encoder.encode(text) : text)

const hex = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')

const toBase64Url = (binary: string): string =>
  btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

const fromBase64Url = (text: string): string => atob(text.replaceAll('-', '+').replaceAll('_', '/'))

/** jose accepts several encodings of the same bytes; Postern accepts only the canonical one. */
const isCanonical = (part: string): boolean => toBase64Url(fromBase64Url(part)) === part

async function hkdf(secret: string, salt: string, info: string, size: number): Promise<Uint8Array> {
  const key = await subtle.importKey('raw', bytes(secret), 'HKDF', false, ['deriveBits'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt: bytes(salt), info: bytes(info) }
  return new Uint8Array(await subtle.deriveBits(how, key, size * 8))
}

async function hmac(key: Uint8Array, text: string): Promise<string> {
  const how = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await subtle.importKey('raw', bytes(key), how, false, ['sign'])
  return toBase64Url(String.fromCharCode(...new Uint8Array(await subtle.sign('HMAC', imported, bytes(text)))))
}

async function open(key: Uint8Array, token: string): Promise<string | null> {
  if (token.length > maxTokenLength) return null
  const parts = token.split('.')
  try {
    if (!isPlainHeader(fromBase64Url(parts[0] ?? '')) || !parts.every(isCanonical)) return null
    const { compactDecrypt } = await import('jose')
    const allowed = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
    return decoder.decode((await compactDecrypt(token, key, allowed)).plaintext)
  } catch {
    return null
  }
}

/** The implementation for every runtime with WebCrypto; jose encrypts and decrypts the tokens. */
export const webPrimitives: Primitives = {
  hkdf,
  hmac,
  sha256: async (text, encoding) => {
    const digest = await subtle.digest('SHA-256', bytes(text))
    return encoding === 'base64url' ? toBase64Url(String.fromCharCode(...new Uint8Array(digest))) : hex(digest)
  },
  encrypt: async (key, plaintext) => {
    const { CompactEncrypt } = await import('jose')
    return new CompactEncrypt(bytes(plaintext)).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
  },
  decrypt: open
}
