import { type Language, languages, loadTexts } from '@postern/pages'
import t from 'tap'
import { texts as account } from '../src/pages/texts.ts'
import { texts as passkey } from '../src/passkey/texts.ts'
import { createTexts } from '../src/password/texts.ts'
import { texts as secondFactor } from '../src/second-factor/texts.ts'
import { english, glossaries, named, paraphrased } from './glossary.ts'

interface Mail {
  readonly id: string
  readonly texts: Readonly<Record<string, Readonly<Record<'subject' | 'text' | 'button', string>>>>
}

/** The mails of the core, which are not a part of its public API. */
const { accountMails }: { readonly accountMails: Readonly<Record<string, Mail>> } = await import(
  new URL('../../../core/dist/features/account-mails.js', import.meta.url).href
)

type Named = ReadonlyMap<string, string>

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The texts of a group by name; a function is given `Ada`. */
function flatten(group: object, path: string): readonly (readonly [name: string, text: string])[] {
  return Object.entries(group).flatMap(([name, text]: [string, unknown]) => {
    if (isGroup(text)) return flatten(text, `${path}.${name}`)
    if (typeof text === 'function') return [[`${path}.${name}`, String(text('Ada'))] as const]
    return typeof text === 'string' ? [[`${path}.${name}`, text] as const] : []
  })
}

/** What users read in one language. The names of values and the tags of languages are no words. */
async function getTexts(language: Language): Promise<Named> {
  const { lang: _, dir: __, unread: ___, duration: ____, variant: _____, ...pages } = await loadTexts(language)
  const mails = Object.values(accountMails).map(({ id, texts }) => [id, texts[language] ?? {}] as const)
  const features = { account, passkey, password: createTexts(15), secondFactor }
  const all = [
    ...flatten(pages, 'pages'),
    ...Object.entries(features).flatMap(([feature, texts]) => flatten(texts[language], feature)),
    ...mails.flatMap(([id, mail]) => flatten(mail, id))
  ]
  // A soft hyphen is a place for a line break, and no letter.
  return new Map(all.map(([name, text]) => [name, text.replaceAll(/\{\w+\}|\u00ad/g, '')]))
}

const originals = await getTexts('en')

for (const language of languages)
  t.test(`${language}: one form of address, and one word for one thing`, async (t) => {
    const { words, others, address } = glossaries[language]
    const found: string[] = []
    const texts = await getTexts(language)
    for (const [name, text] of texts) {
      const [other] = others.exec(text) ?? []
      if (other !== undefined) found.push(`${name}: another word, ${other}: ${text}`)
      const [form] = address?.exec(text) ?? []
      if (form !== undefined) found.push(`${name}: another form of address, ${form}: ${text}`)
      for (const thing of named)
        if (english[thing].test(originals.get(name) ?? '') && !words[thing].test(text))
          found.push(`${name}: without the word for ${thing}: ${text}`)
    }
    t.same(found, [])
    for (const thing of [...named, ...paraphrased]) {
      const uses = [...texts].filter(
        ([name, text]) => english[thing].test(originals.get(name) ?? '') && words[thing].test(text)
      )
      t.ok(uses.length > 0, `the word for ${thing}`)
    }
  })

t.test('every form that asks for an address labels it alike', async (t) => {
  const labels = ['pages.signIn.email', 'account.email', 'passkey.email', 'password.email']
  for (const language of languages) {
    const texts = await getTexts(language)
    const found = new Set(labels.map((name) => texts.get(name)))
    t.equal(found.size, 1, `${language}: ${[...found].join(', ')}`)
    for (const label of found) t.match(label, glossaries[language].words.address, language)
  }
})

t.test('English has capitals at the beginning of sentences and names only', (t) => {
  const named = /^(?:Ada|IP|JavaScript|QR)$/
  const found = [...originals].flatMap(([name, text]) =>
    [...text.matchAll(/(?<=[\p{Ll},;] )\p{Lu}[\p{L}-]*/gu)]
      .filter(([word]) => !named.test(word))
      .map(([word]) => `${name}: ${word}: ${text}`)
  )
  t.same(found, [])
  t.end()
})

t.test('the mails about accounts exist in every language', async (t) => {
  const mails = Object.values(accountMails)
  t.equal(mails.length, 2)
  for (const { id, texts: mail } of mails) {
    t.same(Object.keys(mail).toSorted(), [...languages].toSorted(), id)
    for (const [language, texts] of Object.entries(mail))
      for (const name of ['subject', 'text', 'button'] as const) {
        const english = mail['en']?.[name] ?? ''
        t.same(getPlaceholders(texts[name]), getPlaceholders(english), `${language} ${name}: the values`)
        t.equal(texts[name] === english, language === 'en', `${language} ${name}: translated`)
        t.equal(texts[name].split('\n').length, english.split('\n').length, `${language} ${name}: the paragraphs`)
      }
  }
})

/** A sentence may name the same value twice. */
function getPlaceholders(text: string): readonly string[] {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted()
}
