import type { LanguagePreference, Problem } from '@postern/core'
import { en } from './en.ts'
import { isLanguage, type Language, languages, loadTexts } from './languages.ts'
import { checkOverrides, type TextOverrides, withOverrides } from './overrides.ts'
import type { Texts } from './texts.ts'

/** The languages of the screens and mails, and their texts. */
export interface LanguageOptions {
  /**
   * The available languages, built-in or defined in `texts`. A user with none of them gets the first.
   *
   * @defaultValue `'all'`, English first
   */
  readonly languages?: 'all' | readonly (Language | (string & {}))[] | undefined
  /**
   * The application's texts by language (a BCP 47 tag), which replace the built-in ones. For a new or regional
   * language, missing texts are taken from the base language, else from English.
   */
  readonly texts?: TextsByLanguage | undefined
}

/** Replacement texts by language tag. */
export type TextsByLanguage = { readonly [L in Language]?: TextOverrides | undefined } & {
  readonly [tag: string]: TextOverrides | undefined
}

/** @returns The tag in canonical form (BCP 47), or `null` if it is invalid. */
function canonical(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

const primary = (tag: string): string => tag.split('-', 1)[0] ?? tag

function listed({ languages: requested = 'all', texts = {} }: LanguageOptions): readonly string[] {
  return requested === 'all' ? [...new Set([...languages, ...Object.keys(texts)])] : requested
}

/** @returns The problems of the options for languages and texts. */
export function checkLanguages(options: LanguageOptions): Problem[] {
  const { languages: requested, texts = {} } = options
  const own = Object.keys(texts)
  const tags = own.flatMap((tag): Problem[] =>
    canonical(tag) === tag
      ? checkOverrides(texts[tag] ?? {}, `texts.${tag}`)
      : [
          {
            option: `texts.${tag}`,
            code: 'INVALID_VALUE',
            message: `expected a language, like de or pt-BR${expectedDifference(tag)}`
          }
        ]
  )
  if (requested === undefined || requested === 'all') return tags
  const accepted = [...languages, ...own]
  const strangers = requested.filter((tag) => !accepted.includes(tag))
  const problems = strangers.map(
    (tag): Problem => ({
      option: 'languages',
      code: 'INVALID_VALUE',
      message: `there are no texts in ${tag}; there are ${languages.join(', ')}, and any that texts has`
    })
  )
  const message = "expected at least one language, or 'all'"
  const none: Problem = { option: 'languages', code: 'OPTION_MISSING', message }
  return [...(requested.length === 0 ? [none] : []), ...problems, ...tags]
}

function expectedDifference(tag: string): string {
  const written = canonical(tag)
  return written === null ? '' : `; did you mean ${written}?`
}

async function getTexts(tag: string, texts: TextsByLanguage): Promise<Texts> {
  const own = texts[tag]
  const codes = texts['en']?.codes
  const overrides = codes ? { ...own, codes: { ...codes, ...own?.codes } } : own
  const language = primary(tag)
  if (isLanguage(tag)) return withOverrides(await loadTexts(tag), overrides)
  const base = isLanguage(language) ? await loadTexts(language) : en
  return withOverrides({ ...base, lang: tag }, overrides)
}

/** The texts of one language, loaded or to be loaded. */
class Entry {
  texts: Texts | null = null
  readonly #load: () => Promise<Texts>
  #loading: Promise<void> | null = null

  constructor(load: () => Promise<Texts>) {
    this.#load = load
  }

  load(): Promise<void> {
    this.#loading ??= this.#read()
    return this.#loading
  }

  async #read(): Promise<void> {
    try {
      this.texts = await this.#load()
    } finally {
      this.#loading = null
    }
  }
}

/** The texts of all available languages. */
export class Catalogue {
  readonly #first: Texts
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #chosen = new WeakMap<LanguagePreference['languages'], Entry | 'none'>()

  /** @param first - The default for users with none of the languages. */
  constructor(first: Texts, entries: ReadonlyMap<string, Entry>) {
    this.#first = first
    this.#entries = entries
  }

  /** @returns The best match of the loaded texts. */
  for(preference: LanguagePreference | undefined): Texts {
    return (preference && this.#entryFor(preference)?.texts) ?? this.#first
  }

  /** Loads the best match; returns `null` if it is already loaded. */
  prepare(preference: LanguagePreference): Promise<void> | null {
    const entry = this.#entryFor(preference)
    return entry === null || entry.texts ? null : entry.load()
  }

  /** Tries the preferred languages in order. */
  #entryFor({ languages }: LanguagePreference): Entry | null {
    const accepted = this.#chosen.get(languages)
    if (accepted) return accepted === 'none' ? null : accepted
    const [entry = null] = languages.flatMap((tag) => this.#find(tag) ?? [])
    this.#chosen.set(languages, entry ?? 'none')
    return entry
  }

  /** Looks up the tag, then its shortened forms (RFC 4647 §3.4), then the same language in another region. */
  #find(tag: string): Entry | null {
    for (let rest = tag; rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('-')))) {
      const entry = this.#entries.get(rest)
      if (entry) return entry
    }
    const language = primary(tag)
    for (const [other, entry] of this.#entries) if (primary(other) === language) return entry
    return null
  }
}

/** English only, without loading. */
export const english: Catalogue = new Catalogue(en, new Map())

/** Every built-in language, each loaded by `prepare`; English is already loaded. */
export function everyLanguage(): Catalogue {
  const entries = languages.map((tag) => [tag, new Entry(() => loadTexts(tag))] as const)
  return new Catalogue(en, new Map(entries))
}

/**
 * Finds the listed languages, and loads their texts.
 *
 * @param options - With `lazy` only the first is loaded; `prepare` loads the others.
 */
export async function loadCatalogue(
  options: LanguageOptions & { readonly lazy?: boolean | undefined }
): Promise<Catalogue> {
  const { texts = {}, lazy = false } = options
  const entries = listed(options).map((tag) => [tag, new Entry(() => getTexts(tag, texts))] as const)
  const requested = lazy ? entries.slice(0, 1) : entries
  await Promise.all(requested.map(([, entry]) => entry.load()))
  return new Catalogue(entries[0]?.[1].texts ?? en, new Map(entries))
}
