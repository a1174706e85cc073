import type { Profile } from './identity.ts'
import { isObject } from './json-object.ts'
import type { TokenSet } from './provider.ts'
import { isStorable } from './storable-text.ts'

/**
 * Converts a user's id at a provider to a string.
 *
 * A number must be a safe integer: beyond 2^53 several ids are the same number, and fractions, `-0`, `NaN` and
 * `Infinity` are not ids.
 *
 * @returns `null` if the value is not an id: an empty string, a string with a lone surrogate, all of which databases
 * replace with the same character, so that two users would become one, or one with NUL, which some databases cannot
 * store.
 */
export function parseAccountId(id: unknown): string | null {
  if (typeof id === 'number') return Number.isSafeInteger(id) && !Object.is(id, -0) ? String(id) : null
  return typeof id === 'string' && id !== '' && isStorable(id) ? id : null
}

/** The inputs of a provider's `profile` function, which an id may be derived from. */
interface Sources {
  readonly raw: Profile
  readonly tokens: TokenSet
}

/** Collects every string and number in these values. */
function getLeaves(...values: readonly unknown[]): readonly (string | number)[] {
  const found: (string | number)[] = []
  const pending: unknown[] = [...values]
  const seen = new Set<unknown>()
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'string' || typeof value === 'number') found.push(value)
    if (!isObject(value) || seen.has(value)) continue
    seen.add(value)
    pending.push(...Object.values(value))
  }
  return found
}

/** The results of `String()` for values that are missing or not ids. */
const textsOfNothing: ReadonlySet<string> = new Set(['undefined', 'null', 'NaN', '[object Object]'])

/** Whether the id contains the text of a number that is not exact, which several users may have. */
function isInexact(id: string, value: string | number): boolean {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return false
  return Number.isInteger(value) ? id.includes(String(value)) : id === String(value)
}

/**
 * Checks the id that a provider's `profile` function returned.
 *
 * Responses that Postern parses have no inexact numbers; those that the application requested itself may have some.
 *
 * @returns The id, or the reason why several users could have it.
 */
export function checkAccountId(
  id: unknown,
  { raw, tokens }: Sources
): { readonly id: string } | { readonly problem: string } {
  const text = parseAccountId(id)
  if (typeof id === 'number' && text === null) {
    return { problem: `the numeric id ${id} is not a safe integer; return the id as a string, as the provider sent it` }
  }
  if (text === null) return { problem: 'expected an id: text without NUL or half characters, or a safe integer' }
  const leaves = getLeaves(raw, tokens)
  if (textsOfNothing.has(text) && !leaves.includes(text)) {
    return { problem: `the id is the string of a missing value (${text}); return the field that has the id` }
  }
  if (leaves.some((value) => isInexact(text, value))) {
    return { problem: 'the numeric id was rounded when it was parsed; parse it as a string in the request function' }
  }
  return { id: text }
}
