import type { Factor, FeatureContext } from '@postern/core/feature'

// The data of the factor is the hash, and the id of the password after it: `<hash>#<id>`. A changed password has another id; another
// hash of the same password, which a sign-in writes in place of an imported one, keeps it. What is bound to a password names the id.

const pattern = /^(?<hash>.+)#(?<id>[\w-]{16})$/s

/** A password as it is stored. */
interface StoredPassword {
  readonly hash: string
  /** Empty if the row has none. */
  readonly id: string
}

export function parseStoredPassword(data: string): StoredPassword {
  const { hash = data, id = '' } = pattern.exec(data)?.groups ?? {}
  return { hash, id }
}

/** The data of a password that was chosen now. */
export function createStoredPassword(hash: string, randomBytes: FeatureContext['randomBytes']): string {
  return `${hash}#${Buffer.from(randomBytes(12)).toString('base64url')}`
}

/** The data of the same password with another hash. */
export function withHash(data: string, hash: string): string {
  const { id } = parseStoredPassword(data)
  return id === '' ? hash : `${hash}#${id}`
}

/** Whether two factors hold the same password, whatever its hash; `null` is none. */
export function isSamePassword(one: Factor | null, other: Factor | null): boolean {
  if (!one || !other) return one === other
  const [first, second] = [parseStoredPassword(one.data), parseStoredPassword(other.data)]
  return first.id === second.id && (first.id !== '' || first.hash === second.hash)
}
