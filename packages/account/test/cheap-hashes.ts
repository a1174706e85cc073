import crypto from 'node:crypto'
import { isLong } from '@postern/testkit/long'

const { argon2 } = crypto

/** Argon2id as Node has it, with the least memory whatever was asked for: a hash takes no 30 milliseconds of a core. */
function cheapArgon2(...[algorithm, parameters, callback]: Parameters<typeof argon2>): void {
  argon2(algorithm, { ...parameters, memory: 8 * parameters.parallelism, passes: 1 }, callback)
}

/**
 * Applications that start after this hash passwords with little work; in the long run, with all of it. A replacement that a
 * test has made stays.
 */
export function setCheapHashes(): void {
  if (!isLong && typeof argon2 === 'function' && crypto.argon2 === argon2)
    Object.assign(crypto, { argon2: cheapArgon2 })
}

/** Undoes `setCheapHashes`: what starts after this does all the work. */
export function setRealHashes(): void {
  Object.assign(crypto, { argon2 })
}
