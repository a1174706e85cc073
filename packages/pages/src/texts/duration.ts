import type { Texts, TimeUnit } from './texts.ts'

/** The forms of one unit, by the plural categories of the language; `#` stands for the number. */
export type Forms = { readonly other: string } & { readonly [C in Intl.LDMLPluralRule]?: string }

/** Makes spans of time of the forms that a language has for them. */
export function durations(lang: string, units: { readonly [U in TimeUnit]: Forms }): Texts['duration'] {
  let rules: Intl.PluralRules | null = null
  return (count, unit) => {
    rules ??= new Intl.PluralRules(lang)
    const forms = units[unit]
    return (forms[rules.select(count)] ?? forms.other).replace('#', String(count))
  }
}
