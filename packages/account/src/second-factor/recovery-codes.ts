import type { FeatureContext } from '@postern/core/feature'

/** Crockford's alphabet: no I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The codes of a user, and the characters of each: 50 bits. */
export const maxCodes = 10
const length = 10

/** The first characters find the hash among those of the user, so that a check costs one. They are not secret: 40 bits are. */
const indexLength = 2

/** The codes that are left when the user should create others. */
export const fewCodes = 3

function createCode(randomBytes: FeatureContext['randomBytes']): string {
  return [...randomBytes(length)].map((byte) => alphabet[byte & 31] ?? '').join('')
}

/** @returns Which hash a code belongs to. */
export function getIndex(code: string): string {
  return code.slice(0, indexLength)
}

/** @returns Random codes, each with another index. */
export function createRecoveryCodes(randomBytes: FeatureContext['randomBytes']): readonly string[] {
  const codes = new Map<string, string>()
  while (codes.size < maxCodes) {
    const code = createCode(randomBytes)
    codes.set(getIndex(code), code)
  }
  return [...codes.values()]
}

/** @returns The code as it is shown: in two groups. */
export function formatRecoveryCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`
}

/** @returns The typed code, with letters that look like digits replaced; `null` if it is none. */
export function parseRecoveryCode(text: string): string | null {
  const code = text
    .slice(0, 64)
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Cf}\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return code.length === length && [...code].every((letter) => alphabet.includes(letter)) ? code : null
}
