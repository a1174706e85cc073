import type { ByLanguage } from './feature-page.ts'

/** Values in some languages, each of which is created when it is first read: a language that nobody reads takes no memory. */
export function createByLanguage<T, Language extends string>(
  languages: readonly Language[],
  create: (language: Language | 'en') => T
): ByLanguage<T> & Readonly<Record<Language, T>> {
  const all = new Set<Language | 'en'>([...languages, 'en'])
  const describe = (language: Language | 'en'): PropertyDescriptor => {
    let created: readonly [T] | null = null
    const get = (): T => {
      created ??= [create(language)]
      return created[0]
    }
    return { enumerable: true, get }
  }
  return Object.create(
    Object.prototype,
    Object.fromEntries(Array.from(all, (language) => [language, describe(language)]))
  )
}
