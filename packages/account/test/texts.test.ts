import { readdir, readFile } from 'node:fs/promises'
import { languages, loadTexts } from '@postern/pages'
import t from 'tap'
import { mailedCodeTexts } from '../src/mail/mailed-code-texts.ts'
import { en as pages } from '../src/pages/en.ts'
import { texts as account } from '../src/pages/texts.ts'
import { en as ownPasskey } from '../src/passkey/en.ts'
import { failureTexts } from '../src/passkey/failure-texts.ts'
import { texts as passkey } from '../src/passkey/texts.ts'
import { en as password } from '../src/password/en.ts'
import { createTexts } from '../src/password/texts.ts'
import { en as ownSecondFactor } from '../src/second-factor/en.ts'
import { texts as secondFactor } from '../src/second-factor/texts.ts'
import { formTexts } from '../src/sign-up-form/form-texts.ts'
import { unread } from '../src/texts-by-language.ts'
import { base, openWithPasskey } from './passkey-application.ts'
import { openWithFactor, signInWithPassword } from './second-factor-application.ts'

type Texts = Readonly<Record<string, string>>

interface Feature {
  readonly texts: Readonly<Record<string, Texts>> & { readonly en: Texts }
  /** The texts that are the same as in English. */
  readonly same: Readonly<Record<string, readonly string[]>>
  /** The texts that nobody reads. */
  readonly values: readonly string[]
}

const features: Readonly<Record<string, Feature>> = {
  password: {
    texts: createTexts(15),
    same: { de: ['code'], 'de-informal': ['code'], fr: ['code'], it: ['name', 'password', 'section'], nl: ['code'] },
    values: []
  },
  passkey: {
    texts: passkey,
    same: {
      de: ['name', 'passkeys', 'label', 'code'],
      'de-informal': ['name', 'passkeys', 'label', 'code'],
      fr: ['code'],
      it: ['name'],
      nl: ['name', 'passkeys', 'code']
    },
    values: ['locale', 'summary']
  },
  secondFactor: {
    texts: secondFactor,
    same: { de: ['passkeys'], 'de-informal': ['passkeys'], nl: ['passkeys'] },
    values: ['locale']
  },
  account: {
    texts: account,
    same: { de: ['name', 'emailCode'], 'de-informal': ['name', 'emailCode'] },
    values: ['locale', 'profileSummary', 'emailVerified', 'connectionsSummary']
  }
}

/** What every text of a language that is not written in Latin letters contains. */
const scripts: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  zh: /\p{Script=Han}/u,
  ko: /\p{Script=Hangul}/u,
  hi: /\p{Script=Devanagari}/u
}

/** What is the same in every language. */
const untranslated = /\{\w+\}|JavaScript|JSON|QR|ada@example\.com/g

/** Words that no other language has. */
const englishWords = /\b(?:the|this|you|your|with|from)\b/i

const getPlaceholders = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()

/** The parts of the file of a language, in English. */
const parts: Readonly<Record<string, Texts>> = {
  pages,
  password,
  passkey: ownPasskey,
  passkeyFailure: failureTexts.en,
  secondFactor: ownSecondFactor,
  mailedCode: mailedCodeTexts.en,
  signUpForm: formTexts.en
}

const folder = new URL('../../src/texts/', import.meta.url)

const readTexts = async (language: string): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> =>
  JSON.parse(await readFile(new URL(`${language}.json`, folder), 'utf8'))

t.test('the file of each language has the parts and the keys of English in its order, and no empty text', async (t) => {
  t.same((await readdir(folder)).toSorted(), unread.map((language) => `${language}.json`).toSorted())
  for (const language of unread) {
    const [base = language] = language.split('-', 1)
    const [texts, baseTexts] = [await readTexts(language), await readTexts(base)]
    t.same(Object.keys(texts), Object.keys(parts), language)
    for (const [part, english] of Object.entries(parts)) {
      const own = texts[part] ?? {}
      // German with *du* contains what differs from German with *Sie*.
      const differs = (key: string): boolean => Object.hasOwn(own, key) && own[key] !== baseTexts[part]?.[key]
      const expected = Object.keys(english).filter((key) => language === base || differs(key))
      t.same(Object.keys(own), expected, `${language} ${part}: the keys`)
      const empty = Object.entries(own).filter(([, text]) => typeof text !== 'string' || text.trim() === '')
      t.same(empty, [], `${language} ${part}: no empty text`)
    }
  }
})

for (const [feature, { texts, same, values }] of Object.entries(features)) {
  t.test(`${feature}: every language of the pages has every text, with the same values and paragraphs`, async (t) => {
    t.same(Object.keys(texts).toSorted(), [...languages].toSorted())
    for (const [language, own] of Object.entries(texts)) {
      t.same(Object.keys(own), Object.keys(texts.en), language)
      // One assertion for each language: there are thousands of texts.
      const problems: string[] = []
      for (const [key, text] of Object.entries(own)) {
        const english = texts.en[key] ?? ''
        const check = (isRight: boolean, rule: string): void => {
          if (!isRight) problems.push(`${key}: ${rule}: ${text}`)
        }
        check(`${getPlaceholders(text)}` === `${getPlaceholders(english)}`, 'the placeholders of English')
        check(text.split('\n').length === english.split('\n').length, 'as many paragraphs as English')
        check(text.trim() === text && text !== '' && !/ {2}|undefined|minLength|["']/.test(text), 'well formed')
        if (language === 'en' || values.includes(key)) continue
        check((text === english) === (same[language]?.includes(key) ?? false), 'translated')
        check((scripts[language] ?? /\p{L}/u).test(text), 'in the script of the language')
        const foreign = scripts[language] ? /\p{Script=Latin}/u : englishWords
        check(!foreign.test(text.replaceAll(untranslated, '')), 'without foreign words')
      }
      t.same(problems, [], language)
    }
  })
}

t.test('the languages that no speaker has reviewed are listed', async (t) => {
  t.same(
    unread.toSorted(),
    languages.filter((language) => language !== 'en').toSorted(),
    'English is the language that the texts are written in'
  )
})

for (const [feature, texts] of Object.entries({ passkey, secondFactor, account }))
  t.test(`${feature}: dates are in the language of the page`, async (t) => {
    for (const language of languages)
      t.equal(texts[language].locale, (await loadTexts(language)).lang, `${language} locale`)
  })

for (const [feature, { texts }] of Object.entries(features))
  t.test(`${feature}: mails from right to left isolate values, such as addresses and times`, async (t) => {
    for (const language of ['ar', 'he'] as const)
      for (const [key, text] of Object.entries(texts[language] ?? {}))
        if (/^mail\w+Text$/.test(key)) t.notMatch(text, /(?<!\u2068)\{\w+\}|\{\w+\}(?!\u2069)/, `${language} ${key}`)
  })

t.test('passkey: the list from right to left is in its language', async (t) => {
  const { browser } = await openWithPasskey(t, 'database')
  for (const language of ['ar', 'he'] as const) {
    const { passkeys, synced, createdAt, locale } = passkey[language]
    const page = await browser.open(`${base}/passkeys`, { headers: { 'accept-language': language } })
    t.match(page.html().querySelector('html')?.attrs, { lang: language, dir: 'rtl' })
    t.equal(page.html().querySelector('h1')?.text, passkeys)
    const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(
      new Date('2030-01-01')
    )
    t.equal(page.html().querySelector('.rows .hint')?.text, `${synced} ${createdAt.replace('{date}', date)}`)
  }
})

t.test('secondFactor: the page that asks for it is in its language, with the plural form of its days', async (t) => {
  const { newBrowser } = await openWithFactor(t, 'database', { secondFactor: { trustDeviceFor: 86_400 } })
  const browser = newBrowser()
  await signInWithPassword(browser)
  const expected = [
    ['en', 'ltr', '1 day'],
    ['de', 'ltr', '1 Tag'],
    ['pl', 'ltr', '1 dzień'],
    ['ar', 'rtl', 'يوم'],
    ['he', 'rtl', '1 יום']
  ] as const
  for (const [language, dir, days] of expected) {
    const { challenge, trust } = secondFactor[language]
    const page = await browser.open(`${base}/verify/factor`, { headers: { 'accept-language': language } })
    t.match(page.html().querySelector('html')?.attrs, { lang: language, dir })
    t.equal(page.html().querySelector('h1')?.text, challenge)
    t.equal(page.html().querySelector('label[for=trust]')?.text, trust.replace('{days}', days))
  }
})
