import crypto from 'node:crypto'
import { hashThreads } from './hash-threads.ts'

/** The maximum memory of one hash that is compared, in bytes. */
const maxBytes = 2 ** 30

/** The smallest and largest values of parameters in hashes that are compared, by the id of the function. */
const ranges: Readonly<Record<string, Readonly<Record<string, readonly [min: number, max: number]>>>> = {
  argon2id: { m: [8, maxBytes / 1024], t: [1, 50], p: [1, 16] },
  scrypt: { ln: [1, 20], r: [1, 32], p: [1, 16] }
}

/** Whether a hash with these parameters can be computed, at a reasonable cost. Other ids than those above are unknown. */
export function areAccepted(id: string, parameters: Readonly<Record<string, number>>): boolean {
  const known = Object.hasOwn(ranges, id) ? Object.entries(ranges[id] ?? {}) : []
  const { m = 0, p = 0, ln = 0, r = 0 } = parameters
  return (
    known.length > 0 &&
    known.length === Object.keys(parameters).length &&
    known.every(([name, [min, max]]) => (parameters[name] ?? 0) >= min && (parameters[name] ?? 0) <= max) &&
    (id === 'scrypt' ? 128 * r * 2 ** ln <= maxBytes : m >= 8 * p)
  )
}

/** A function that derives a key from a password, with its parameters. */
export interface KeyDerivation {
  /** The id in PHC strings. */
  readonly id: string
  /** The parameters of new hashes. */
  readonly parameters: Readonly<Record<string, number>>
  /** The memory that one hash takes, in bytes. */
  readonly bytesPerHash: number
  derive(password: Buffer, salt: Buffer, options: DeriveOptions): Promise<Buffer>
}

export interface DeriveOptions {
  readonly parameters: Readonly<Record<string, number>>
  readonly length: number
}

/** A copy with memory of its own: a small buffer is part of a larger one, which a message would copy. */
const copy = (bytes: Buffer): Uint8Array => new Uint8Array(bytes)

/** 19 MiB, two passes, one lane: OWASP's first recommendation. */
const argon2Parameters = { m: 19_456, t: 2, p: 1 }

const argon2 = (derive: KeyDerivation['derive']): KeyDerivation => ({
  id: 'argon2id',
  parameters: argon2Parameters,
  bytesPerHash: argon2Parameters.m * 1024,
  derive
})

/** Argon2id of Node 24.7 and later. @returns `null` if Node lacks it. */
export function nativeArgon2(): KeyDerivation | null {
  if (typeof crypto.argon2Sync !== 'function') return null
  return argon2((password, salt, { parameters: { m = 0, t = 0, p = 0 }, length }) => {
    const values = {
      message: copy(password),
      nonce: copy(salt),
      memory: m,
      passes: t,
      parallelism: p,
      tagLength: length
    }
    return hashThreads.run({ module: 'node:crypto', name: 'argon2Sync', args: ['argon2id', values] })
  })
}

/** The number of Argon2id in `@node-rs/argon2`. */
const argon2id = 2

/** Argon2id of the optional package `@node-rs/argon2`. @returns `null` if it is not installed. */
export async function packageArgon2(name: string = '@node-rs/argon2'): Promise<KeyDerivation | null> {
  const isInstalled = await import(name).then(
    () => true,
    () => false
  )
  if (!isInstalled) return null
  // A thread has no path to resolve the name from.
  const module = import.meta.resolve(name)
  return argon2((password, salt, { parameters: { m = 0, t = 0, p = 0 }, length }) => {
    const options = {
      algorithm: argon2id,
      memoryCost: m,
      timeCost: t,
      parallelism: p,
      outputLen: length,
      salt: copy(salt)
    }
    return hashThreads.run({ module, name: 'hashRawSync', args: [copy(password), options] })
  })
}

const scryptBlock = { ln: 17, r: 8, p: 1 }

/** The memory of scrypt. @see RFC 7914 §6 */
const scryptBytes = ({ ln = 0, r = 0, p = 0 }: Readonly<Record<string, number>>): number => 128 * r * (2 ** ln + p + 2)

/** scrypt with N = 2^17, which every version of Node has. */
export function nodeScrypt(): KeyDerivation {
  return {
    id: 'scrypt',
    parameters: scryptBlock,
    bytesPerHash: scryptBytes(scryptBlock),
    derive: (password, salt, { parameters, length }) => {
      const { ln = 0, r = 0, p = 0 } = parameters
      const cost = { N: 2 ** ln, r, p, maxmem: scryptBytes(parameters) + 1024 * 1024 }
      return hashThreads.run({
        module: 'node:crypto',
        name: 'scryptSync',
        args: [copy(password), copy(salt), length, cost]
      })
    }
  }
}
