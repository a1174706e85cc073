import { createRandom } from '@postern/testkit'

/** Texts of up to `longest` characters of an alphabet: the same ones in every run. */
export function texts(seed: number, count: number, alphabet: readonly string[], maxLength: number): readonly string[] {
  const random = createRandom(seed)
  const pick = (below: number): number => random(4).reduce((sum, byte) => sum * 256 + byte, 0) % below
  return Array.from({ length: count }, () =>
    Array.from({ length: pick(maxLength + 1) }, () => alphabet[pick(alphabet.length)] ?? '').join('')
  )
}

/** A text as the name of a test may hold it: short and in ASCII. */
export function shown(text: string): string {
  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text.slice(0, 60)).replaceAll(/[^\x20-\x7e]/g, escaped)
}
