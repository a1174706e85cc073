import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { secret } from '../subjects/subject.ts'

/** The key of one purpose; the names of the purposes are Postern's, so that both read each other's cookies. */
export function deriveKey(info: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', info, 32)))
}

/** `{"alg":"dir","enc":"A256GCM"}` */
const header = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0'
const headerBytes = Buffer.from(header, 'latin1')

/** A compact JWE with `dir` and A256GCM, the format of next-auth v4. */
export function encrypt(key: KeyObject, text: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(headerBytes)
  const ciphertext = cipher.update(text, 'utf8', 'base64url') + cipher.final('base64url')
  return `${header}..${iv.toString('base64url')}.${ciphertext}.${cipher.getAuthTag().toString('base64url')}`
}

/** @returns The text, or `null` if this key did not encrypt it. */
export function decrypt(key: KeyObject, token: string): string | null {
  const [found, empty, iv = '', ciphertext = '', tag = ''] = token.split('.', 5)
  const tagBytes = Buffer.from(tag, 'base64url')
  if (found !== header || empty !== '' || tagBytes.length !== 16) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
    decipher.setAAD(headerBytes)
    decipher.setAuthTag(tagBytes)
    return decipher.update(ciphertext, 'base64url', 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
