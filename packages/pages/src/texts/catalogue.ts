import type { Problem, Wish } from '@postern/core'
import { en } from './en.ts'
import { isLanguage, type Language, languages, loadTexts } from './languages.ts'
import { checkOverrides, type TextOverrides, withOverrides } from './overrides.ts'
import type { Texts } from './texts.ts'

/** Which languages there are, and what is said in them. */
export interface LanguageOptions {
  /**
   * The languages that visitors are spoken to in. A visitor who reads none of them gets the first. Beside those that are
   * built in, any that `texts` has.
   *
   * @defaultValue `'all'`, English first
   */
  readonly languages?: 'all' | readonly (Language | (string & {}))[] | undefined
  /**
   * Words of the application, by language (a tag of BCP 47), in place of the built-in ones. A language of its own, or
   * a region's, is made of the texts that it changes: what it leaves out is in the language itself, else in English.
   */
  readonly texts?: TextsByLanguage | undefined
}

export type TextsByLanguage = { readonly [L in Language]?: TextOverrides | undefined } & {
  readonly [tag: string]: TextOverrides | undefined
}

/** @returns The tag as BCP 47 writes it, or `null` for what is none. */
function canonical(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

const primary = (tag: string): string => tag.split('-', 1)[0] ?? tag

function listed({ languages: wanted = 'all', texts = {} }: LanguageOptions): readonly string[] {
  return wanted === 'all' ? [...new Set([...languages, ...Object.keys(texts)])] : wanted
}

/** @returns What is wrong with the choice of languages, and with texts. */
export function checkLanguages(options: LanguageOptions): Problem[] {
  const { languages: wanted, texts = {} } = options
  const own = Object.keys(texts)
  const tags = own.flatMap((tag) =>
    canonical(tag) === tag
      ? checkOverrides(texts[tag] ?? {}, `texts.${tag}`)
      : [{ option: `texts.${tag}`, message: `expected a language, like de or pt-BR${meant(tag)}` }]
  )
  if (wanted === undefined || wanted === 'all') return tags
  const known = [...languages, ...own]
  const strangers = wanted.filter((tag) => !known.includes(tag))
  const problems = strangers.map((tag) => ({
    option: 'languages',
    message: `there are no texts in ${tag}; there are ${languages.join(', ')}, and any that texts has`
  }))
  const none = wanted.length === 0 ? [{ option: 'languages', message: "expected at least one language, or 'all'" }] : []
  return [...none, ...problems, ...tags]
}

function meant(tag: string): string {
  const written = canonical(tag)
  return written === null ? '' : `; did you mean ${written}?`
}

async function textsOf(tag: string, texts: TextsByLanguage): Promise<Texts> {
  const own = texts[tag]
  const codes = texts['en']?.codes
  const overrides = codes ? { ...own, codes: { ...codes, ...own?.codes } } : own
  const language = primary(tag)
  if (isLanguage(tag)) return withOverrides(await loadTexts(tag), overrides)
  const base = isLanguage(language) ? await loadTexts(language) : en
  return withOverrides({ ...base, lang: tag }, overrides)
}

/** The texts of one language: there, or to be loaded. */
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

/** Texts in every language that visitors may be spoken to in. */
export class Catalogue {
  readonly #first: Texts
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #chosen = new WeakMap<Wish['languages'], Entry | 'none'>()

  /** @param first - For those who read none of the languages. */
  constructor(first: Texts, entries: ReadonlyMap<string, Entry>) {
    this.#first = first
    this.#entries = entries
  }

  /** @returns The texts that fit best, of those that are there. */
  for(wish: Wish | undefined): Texts {
    return (wish && this.#entryFor(wish)?.texts) ?? this.#first
  }

  /** Loads the texts that fit best; `null` where they are there. */
  prepare(wish: Wish): Promise<void> | null {
    const entry = this.#entryFor(wish)
    return entry === null || entry.texts ? null : entry.load()
  }

  /** The wishes in their order. */
  #entryFor({ languages }: Wish): Entry | null {
    const known = this.#chosen.get(languages)
    if (known) return known === 'none' ? null : known
    const [entry = null] = languages.flatMap((tag) => this.#find(tag) ?? [])
    this.#chosen.set(languages, entry ?? 'none')
    return entry
  }

  /** The tag, then the tag with ever less of it (RFC 4647 §3.4), then the same language in another region. */
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

/** English and nothing else; there at once. */
export const english: Catalogue = new Catalogue(en, new Map())

/** Every language that is built in, each loaded by `prepare`; English is there at once. */
export function everyLanguage(): Catalogue {
  const entries = languages.map((tag) => [tag, new Entry(() => loadTexts(tag))] as const)
  return new Catalogue(en, new Map(entries))
}

/**
 * Finds the languages that are listed, and loads their texts.
 *
 * @param options - With `lazy` the first is loaded only; each other one is loaded by `prepare`.
 */
export async function loadCatalogue(
  options: LanguageOptions & { readonly lazy?: boolean | undefined }
): Promise<Catalogue> {
  const { texts = {}, lazy = false } = options
  const entries = listed(options).map((tag) => [tag, new Entry(() => textsOf(tag, texts))] as const)
  const wanted = lazy ? entries.slice(0, 1) : entries
  await Promise.all(wanted.map(([, entry]) => entry.load()))
  return new Catalogue(entries[0]?.[1].texts ?? en, new Map(entries))
}
