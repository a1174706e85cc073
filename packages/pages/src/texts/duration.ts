import type { Texts, TimeUnit } from './texts.ts'

/** The forms of what is counted, by the plural categories of the language; `#` stands for the number. */
export type Forms = { readonly other: string } & { readonly [C in Intl.LDMLPluralRule]?: string }

/** Counts in the forms that a language has for it. */
export function counted(lang: string): (count: number, forms: Forms) => string {
  let rules: Intl.PluralRules | null = null
  return (count, forms) => {
    rules ??= new Intl.PluralRules(lang)
    return (forms[rules.select(count)] ?? forms.other).replace('#', String(count))
  }
}

/** Makes spans of time of the forms that a language has for them. */
export function durations(lang: string, units: { readonly [U in TimeUnit]: Forms }): Texts['duration'] {
  const count = counted(lang)
  return (amount, unit) => count(amount, units[unit])
}
