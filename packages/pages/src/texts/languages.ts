import { en } from './en.ts'
import type { Texts } from './texts.ts'

/**
 * A language with built-in texts.
 *
 * To add one: add its tag here, its loader below, and a file like `de.ts` beside this one. The tests of the account package then
 * require an entry in its `texts-by-language.ts`, a file like `texts/de.json` with every text of its features, an entry in
 * `glossary.ts`, and one in each mail of the core. `pnpm gallery` renders the screens in it.
 */
export type Language =
  | 'en'
  | 'de'
  | 'de-informal'
  | 'fr'
  | 'es'
  | 'pt'
  | 'it'
  | 'nl'
  | 'pl'
  | 'tr'
  | 'ar'
  | 'he'
  | 'ja'
  | 'zh'
  | 'ko'
  | 'hi'

/** A language is loaded on first use. */
const loaders: { readonly [L in Language]: () => Promise<Texts> } = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  'de-informal': async () => (await import('./de-informal.ts')).deInformal,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  pt: async () => (await import('./pt.ts')).pt,
  it: async () => (await import('./it.ts')).it,
  nl: async () => (await import('./nl.ts')).nl,
  pl: async () => (await import('./pl.ts')).pl,
  tr: async () => (await import('./tr.ts')).tr,
  ar: async () => (await import('./ar.ts')).ar,
  he: async () => (await import('./he.ts')).he,
  ja: async () => (await import('./ja.ts')).ja,
  zh: async () => (await import('./zh.ts')).zh,
  ko: async () => (await import('./ko.ts')).ko,
  hi: async () => (await import('./hi.ts')).hi
}

export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(loaders, tag)
}

/** Every built-in language, English first. */
export const languages: readonly Language[] = Object.keys(loaders).filter(isLanguage)

/** @returns The texts of a language. */
export function loadTexts(language: Language): Promise<Texts> {
  return loaders[language]()
}
