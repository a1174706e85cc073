import type { Token } from '../model/session.ts'
import { primitives } from './crypto-primitives.ts'
import { longestToken } from './crypto-node.ts'
import { type Clock, claimsOf } from './session-jwt.ts'

/** Only what Auth.js v5 writes: `dir`, `A256CBC-HS512`. */
const allowed = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256CBC-HS512'] }

async function open(token: string, key: Uint8Array): Promise<string | null> {
  const { compactDecrypt } = await import('jose')
  const opened = await compactDecrypt(token, key, allowed).catch(() => null)
  return opened && new TextDecoder().decode(opened.plaintext)
}

/**
 * Reads the session tokens of Auth.js v5.
 *
 * @param salt - The name of the cookie that they come in.
 * @returns A function to the claims, or to `null` for a token that does not count.
 */
export function authJsReader(
  secrets: readonly string[],
  salt: string,
  clock: Clock
): (token: string) => Promise<Token | null> {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const keys = secrets.map((secret) => primitives.hkdf(secret, salt, info, 64))
  return async (token) => {
    if (token.length > longestToken) return null
    for (const key of keys) {
      const text = await open(token, await key)
      if (text !== null) return claimsOf(text, clock)
    }
    return null
  }
}
