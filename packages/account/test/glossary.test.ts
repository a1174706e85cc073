import { languages, loadTexts, type Texts } from '@postern/pages'
import t from 'tap'
import { texts as account } from '../src/pages/texts.ts'
import { texts as passkey } from '../src/passkey/texts.ts'
import { createTexts } from '../src/password/texts.ts'
import { texts as secondFactor } from '../src/second-factor/texts.ts'

type Named = readonly (readonly [name: string, text: string])[]
type Mails = ReadonlyMap<string, Readonly<Record<string, Readonly<Record<'subject' | 'text' | 'button', string>>>>>

/** The mails of the core, which are not a part of its public API. */
const { accountMails }: { readonly accountMails: Mails } = await import(
  new URL('../../../core/dist/features/account-mails.js', import.meta.url).href
)

t.test('the mails about accounts exist in every language', async (t) => {
  t.equal(accountMails.size, 2)
  for (const [id, mail] of accountMails) {
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
