import { de } from './texts-de.ts'
import { en, type TextKey } from './texts-en.ts'

export type { TextKey }

/** @returns The texts for a minimum length. */
export function createTexts(minLength: number): Readonly<Record<'en' | 'de', Readonly<Record<TextKey, string>>>> {
  const { passwordHint, tooShort } = en
  const fill = (text: string): string => text.replace('{minLength}', String(minLength))
  return {
    en: { ...en, passwordHint: fill(passwordHint), tooShort: fill(tooShort) },
    de: { ...de, passwordHint: fill(de.passwordHint), tooShort: fill(de.tooShort) }
  }
}
