import { type FormTextKey, formTexts } from '../sign-up-form/form-texts.ts'
import { createTexts as createOwnTexts, joinTexts, mapTexts, type TextsByLanguage } from '../texts-by-language.ts'
import { ar } from './texts/ar.ts'
import { de } from './texts/de.ts'
import { deInformal } from './texts/de-informal.ts'
import { en, type TextKey as OwnTextKey } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { he } from './texts/he.ts'
import { hi } from './texts/hi.ts'
import { it } from './texts/it.ts'
import { ja } from './texts/ja.ts'
import { ko } from './texts/ko.ts'
import { nl } from './texts/nl.ts'
import { pl } from './texts/pl.ts'
import { pt } from './texts/pt.ts'
import { tr } from './texts/tr.ts'
import { zh } from './texts/zh.ts'

export type TextKey = OwnTextKey | FormTextKey

const own: TextsByLanguage<OwnTextKey> = createOwnTexts(en, {
  de,
  'de-informal': deInformal,
  fr,
  es,
  pt,
  it,
  nl,
  pl,
  tr,
  ar,
  he,
  ja,
  zh,
  ko,
  hi
})

const all: TextsByLanguage<TextKey> = joinTexts(formTexts, own)

/** @returns The texts for a minimum length. */
export function createTexts(minLength: number): TextsByLanguage<TextKey> {
  const fill = (text: string): string => text.replace('{minLength}', String(minLength))
  return mapTexts(all, (texts) => ({
    ...texts,
    passwordHint: fill(texts.passwordHint),
    tooShort: fill(texts.tooShort)
  }))
}
