import type { MaybePromise } from '../model/awaitable.ts'
import { primitives } from './crypto.ts'

/**
 * The purpose of a key. Every purpose has its own key, so a value encrypted for one cannot be decrypted for another.
 */
export type Purpose =
  | 'session'
  | 'state'
  | 'email request'
  | 'email token'
  | 'code'
  | 'one-time token'
  | 'session token'
  | 'application'
  | 'session proof'
  | 'provider tokens'
  | 'sign-out'
  | 'ticket'
  | 'factor'
  | 'pending sign-in'
  | 'flash'
  | 'known device'
  | 'step-up'
  | 'user cursor'
  | `feature ${string}`

/** Keys for one purpose: the first encrypts, every one decrypts. */
export interface KeyRing {
  readonly writing: MaybePromise<Uint8Array>
  readonly reading: readonly MaybePromise<Uint8Array>[]
}

/** The key derivation of next-auth v4: no HKDF salt; the salt appears in `info` if there is one. */
export function sessionKeyInfo(salt: string): string {
  return `NextAuth.js Generated Encryption Key${salt ? ` (${salt})` : ''}`
}

function ring(secrets: readonly string[], salt: string, info: string): KeyRing {
  // The empty secret is known to everyone: its key would accept any forged token.
  if (secrets.some((secret) => secret === '')) throw new TypeError('expected a secret, got an empty string')
  const [first] = secrets
  if (first === undefined) throw new TypeError('expected at least one secret')
  const derive = (secret: string): MaybePromise<Uint8Array> => primitives.hkdf(secret, salt, info, 32)
  let keys: KeyRing | null = null
  const derived = (): KeyRing => {
    if (keys) return keys
    const writing = derive(first)
    keys = { writing, reading: [writing, ...secrets.slice(1).map(derive)] }
    return keys
  }
  return {
    get writing() {
      return derived().writing
    },
    get reading() {
      return derived().reading
    }
  }
}

/** @returns The key ring for one purpose. Keys are derived once, on first use. */
export function keyRing(secrets: readonly string[], purpose: Purpose): KeyRing {
  return ring(secrets, '', `Postern key for ${purpose}`)
}

/** @returns The key ring for session tokens, which is compatible with next-auth v4. */
export function sessionKeyRing(secrets: readonly string[], salt: string = ''): KeyRing {
  return ring(secrets, salt, sessionKeyInfo(salt))
}
