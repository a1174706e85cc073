import { de } from './texts/de.ts'
import { en, type TextKey } from './texts/en.ts'

export type { TextKey }

/** The texts of the account pages, by language. */
export const texts: Readonly<Record<'en' | 'de', Readonly<Record<TextKey, string>>>> = { en, de }
