import { type Awaitable, primitives } from './crypto-primitives.ts'

/** What a key is for. Every purpose has a key of its own, so nothing sealed for one opens as another. */
export type Purpose =
  | 'session'
  | 'state'
  | 'pkce'
  | 'nonce'
  | 'email request'
  | 'email token'
  | 'code'
  | 'session token'
  | 'session proof'
  | 'provider tokens'
  | 'sign-out'

/** Keys for one purpose: the first writes, every one reads. */
export interface KeyRing {
  readonly writing: Awaitable<Uint8Array>
  readonly reading: readonly Awaitable<Uint8Array>[]
}

/** The key derivation of next-auth v4: no salt, and the salt's text named in `info` where there is one. */
export function sessionKeyInfo(salt: string): string {
  return `NextAuth.js Generated Encryption Key${salt ? ` (${salt})` : ''}`
}

function ring(secrets: readonly string[], salt: string, info: string): KeyRing {
  // Everybody knows the empty secret: a key made of it would let everybody in.
  if (secrets.some((secret) => secret === '')) throw new TypeError('expected a secret, got an empty text')
  const [first] = secrets
  if (first === undefined) throw new TypeError('expected at least one secret')
  const derive = (secret: string): Awaitable<Uint8Array> => primitives.hkdf(secret, salt, info, 32)
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

/** @returns The ring for one purpose of ours. Derived once, when it is first used. */
export function keyRing(secrets: readonly string[], purpose: Purpose): KeyRing {
  return ring(secrets, '', `Postern key for ${purpose}`)
}

/** @returns The ring for session tokens that next-auth v4 reads, and that reads v4's. */
export function sessionKeyRing(secrets: readonly string[], salt: string = ''): KeyRing {
  return ring(secrets, salt, sessionKeyInfo(salt))
}
