import type { Texts, TimeUnit } from './texts.ts'

/** The plural forms of a unit, by plural category; `#` is replaced by the number. */
export type Forms = { readonly other: string } & { readonly [C in Intl.LDMLPluralRule]?: string }

/** Formats counts with the plural forms of a language. */
export function counted(lang: string): (count: number, forms: Forms) => string {
  let rules: Intl.PluralRules | null = null
  return (count, forms) => {
    rules ??= new Intl.PluralRules(lang)
    return (forms[rules.select(count)] ?? forms.other).replace('#', String(count))
  }
}

/** Formats durations with the plural forms of a language. */
export function durations(lang: string, units: { readonly [U in TimeUnit]: Forms }): Texts['duration'] {
  const count = counted(lang)
  return (amount, unit) => count(amount, units[unit])
}
