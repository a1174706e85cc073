import type { Runtime } from '../model/runtime.ts'
import { randomLetters } from './random.ts'

/** Consonants that are hard to confuse and do not form words. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'

/** Creates a code that is mailed, and typed in the browser that has requested it. @param length - Letters. @defaultValue 8 */
export function createMailedCode(randomBytes: Runtime['randomBytes'], length: number = 8): string {
  return randomLetters(randomBytes, alphabet, length)
}

/** Normalizes a typed code: upper case, without spaces and dashes. */
export function normalizeMailedCode(text: string): string {
  return text
    .slice(0, 64)
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
}
