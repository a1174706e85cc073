import { createTexts, type TextsByLanguage } from '../texts-by-language.ts'
import { ar } from './texts/ar.ts'
import { de } from './texts/de.ts'
import { deInformal } from './texts/de-informal.ts'
import { en, type TextKey } from './texts/en.ts'
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

export type { TextKey }

/** The texts of the account pages, by language. */
export const texts: TextsByLanguage<TextKey> = createTexts(en, {
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
