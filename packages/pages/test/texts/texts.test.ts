import t from 'tap'
import { type Language, languages, loadTexts } from '../../src/index.ts'
import { namedTexts, unreadTexts } from '../../src/texts/overrides.ts'
import type { Texts } from '../../src/texts/texts.ts'

const all = await Promise.all(languages.map(async (language) => [language, await loadTexts(language)] as const))

type Make = (text: string, unit?: string) => unknown
/** Made with numbers. */
const counting = ['duration', 'verifyRequest.codeHint', 'verifyRequest.triesLeft']
const isMake = (text: unknown): text is Make => typeof text === 'function'

/** Each text's name and content, with `Ada` as the value. */
function getTexts({
  duration: _,
  unread: __,
  variant: ___,
  ...texts
}: Texts): readonly (readonly [name: string, text: string])[] {
  return namedTexts(texts).map(([name, text]) => [name, String(isMake(text) ? text('Ada') : text)])
}

const english = new Map(getTexts((await Promise.all([loadTexts('en')]))[0]))

/** Texts that are the same in English by right. */
const same: Readonly<Record<string, readonly string[]>> = {
  nl: [],
  es: ['titles.error', 'errors.Default.heading', 'failed'],
  pt: ['signIn.email'],
  ar: ['signIn.emailExample'],
  he: ['signIn.emailExample']
}

const scripts: Partial<Record<Language, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  zh: /\p{Script=Han}/u,
  ko: /\p{Script=Hangul}/u,
  hi: /\p{Script=Devanagari}/u
}

for (const [language, texts] of all) {
  t.test(`${language}: every text is there, under the names that English has`, async (t) => {
    t.same(
      getTexts(texts).map(([name]) => name),
      [...english.keys()]
    )
    for (const [name, text] of getTexts(texts)) {
      t.equal(text, text.trim(), name)
      t.ok(text.length > 0 && !/ {2}|undefined|\$\{|#|\.\.\./.test(text), `${name}: ${text}`)
    }
  })

  t.test(`${language}: values are included`, async (t) => {
    const made = namedTexts({ ...texts }).flatMap(([name, text]) =>
      isMake(text) && !counting.includes(name) ? [[name, text] as const] : []
    )
    t.equal(made.length, 19)
    for (const [name, make] of made) t.match(make('A&B <c>'), 'A&B <c>', name)
    t.notMatch(texts.welcome.heading(null), /null|,|，|、/)
  })

  t.test(`${language}: it has its language, and lists the texts that no speaker has reviewed`, async (t) => {
    t.equal(texts.variant ?? new Intl.Locale(texts.lang).language, language)
    t.equal(texts.dir, ['ar', 'he'].includes(language) ? 'rtl' : 'ltr')
    const names = [...english.keys(), 'duration'].filter((name) => name !== 'lang' && name !== 'dir')
    const unread = unreadTexts(texts)
    t.same(
      unread.filter((name) => !names.includes(name)),
      [],
      'names of texts'
    )
    t.equal(unread.length === 0, language === 'en', 'English is the language that the texts are written in')
    if (texts.unread === 'all') t.same([...unread].sort(), names.sort())
  })

  if (language === 'en') continue
  t.test(`${language}: nothing falls back to English`, async (t) => {
    const fallenBack = getTexts(texts).filter(([name, text]) => text === english.get(name) && name !== 'dir')
    const allowed = ['signIn.emailExample', ...(same[language] ?? [])]
    t.same(
      fallenBack.map(([name]) => name).filter((name) => !allowed.includes(name)),
      []
    )
    const script = scripts[language]
    const other = getTexts(texts).filter(
      ([name, text]) => script && !script.test(text) && !/lang|dir|Example/.test(name)
    )
    t.same(other, [], 'in the script of the language')
  })
}

t.test('the letters of a code are counted as the language does', async (t) => {
  for (const [language, { verifyRequest }] of all) {
    for (const letters of [4, 6, 8, 12])
      t.match(verifyRequest.codeHint(letters), RegExp(`(?<!\\d)${letters}(?!\\d)`), language)
  }
  const [ar, pl] = await Promise.all([loadTexts('ar'), loadTexts('pl')])
  t.match(pl.verifyRequest.codeHint(4), '4 litery.')
  t.match(pl.verifyRequest.codeHint(8), '8 liter.')
  t.match(ar.verifyRequest.codeHint(8), '8 أحرف')
  t.match(ar.verifyRequest.codeHint(12), '12 حرفًا')
})

t.test('in French, no mark of punctuation begins a line', async (t) => {
  const apart = getTexts(await loadTexts('fr')).filter(([, text]) => /[?!:;»]/.test(text))
  t.ok(apart.length > 5)
  for (const [name, text] of apart) t.notMatch(text, / [?!:;»]/, name)
})

t.test('in languages from the right, values keep their direction', async (t) => {
  for (const [, texts] of all.filter(([, { dir }]) => dir === 'rtl')) {
    for (const [name, text] of getTexts(texts)) {
      if (
        !text.includes('Ada') ||
        // A title is in the language of the page.
        name === 'failed' ||
        name === 'mail.subject' ||
        counting.includes(name) ||
        name === 'mail.expiry' ||
        name === 'wait'
      )
        continue
      t.match(text, '\u2068Ada\u2069', name)
    }
  }
})
