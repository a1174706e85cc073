import { isBase64Url } from '../model/base64url.ts'
import type { Token } from '../model/session.ts'
import { primitives } from './crypto.ts'
import { maxTokenLength } from './jwe.ts'
import { type Clock, parseValidClaims } from './session-jwt.ts'

/** Only the algorithms of Auth.js v5: `dir`, `A256CBC-HS512`. */
const allowed = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256CBC-HS512'] }

async function open(token: string, key: Uint8Array): Promise<string | null> {
  const { compactDecrypt } = await import('jose')
  const opened = await compactDecrypt(token, key, allowed).catch(() => null)
  return opened && new TextDecoder().decode(opened.plaintext)
}

/**
 * Creates a reader for the session tokens of Auth.js v5.
 *
 * @param salt - The name of the cookie that contains them.
 * @returns A function that returns the claims, or `null` if the token is not valid.
 */
export function authJsReader(
  secrets: readonly string[],
  salt: string,
  clock: Clock
): (token: string) => Promise<Token | null> {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const keys = secrets.map((secret) => primitives.hkdf(secret, salt, info, 64))
  return async (token) => {
    if (token.length > maxTokenLength || !token.split('.').every(isBase64Url)) return null
    for (const key of keys) {
      const text = await open(token, await key)
      if (text !== null) return parseValidClaims(text, clock)
    }
    return null
  }
}
