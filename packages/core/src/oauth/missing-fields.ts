import type { Profile } from '../model/identity.ts'
import { isObject } from '../model/json-object.ts'

/** The most fields that a message names. */
const maxNamed = 5

/** A view of an object that records which of its fields are read although they are missing. */
function recording<T extends object>(object: T, path: string, missing: Set<string>): T {
  return new Proxy(object, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof name !== 'string' || name in Object.prototype || name === 'then') return value
      const field = path === '' ? name : `${path}.${name}`
      if (value === undefined || value === null) missing.add(field)
      return isObject(value) ? recording(value, field, missing) : value
    }
  })
}

/**
 * Finds the fields that a `profile` function reads and the profile lacks. The function is called once more, so this is for a
 * profile that it could not convert.
 *
 * @returns The names in quotes, in the order in which they are read.
 */
export async function getMissingFields(
  profile: Profile,
  read: (profile: Profile) => unknown
): Promise<readonly string[]> {
  const missing = new Set<string>()
  await Promise.resolve(recording(profile, '', missing))
    .then(read)
    .catch(() => undefined)
  return Array.from(missing, (field) => JSON.stringify(field)).slice(0, maxNamed)
}
