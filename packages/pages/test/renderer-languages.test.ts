import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { createRenderer, en, languages, loadTexts, renderer } from '../src/index.ts'
import { namedTexts } from '../src/texts/overrides.ts'
import { hiddenFields, read, skeleton } from './dom.ts'
import * as sample from './samples.ts'

const everywhere = await createRenderer()
const context = sample.createPageContext()
const preference = (...tags: readonly string[]) => ({ languages: tags })

/** Sentences of English that no screen in another language may show. */
const english = namedTexts({ ...en }).flatMap(([, text]) =>
  typeof text === 'string' && text.includes(' ') && text.length > 12 ? [text] : []
)

/** The labels of buttons without the elements that keep a word with a hyphen on one line: languages differ in their words. */
const withoutWords = (html: string): string =>
  html.replaceAll(/<span class="word">([^<]*)<\/span>/g, '$1').replaceAll(/<span>([^<]*)<\/span>/g, '$1')

/** The English screens: their elements, and their hidden fields. */
const inEnglish = new Map(
  sample.pages.map((page) => {
    const dom = read(withoutWords(renderer.page(page, context)))
    return [page, { skeleton: JSON.stringify(skeleton(dom)), fields: JSON.stringify(hiddenFields(dom)) }] as const
  })
)

for (const [turn, language] of languages.entries()) {
  // In `npm test` each language has one screen in four, the next language the next ones.
  const pages = sample.pages.filter((_page, index) => isLong || (index + turn) % 4 === 0)
  t.test(`every screen in ${language} has its lang, the same elements, and no English sentence`, async (t) => {
    const { lang, dir } = await loadTexts(language)
    for (const page of pages) {
      const html = everywhere.page(page, context, preference(language))
      const dom = read(withoutWords(html))
      t.match(dom.one('html').attributes, { lang, dir })
      t.equal(JSON.stringify(skeleton(dom)), inEnglish.get(page)?.skeleton)
      t.equal(JSON.stringify(hiddenFields(dom)), inEnglish.get(page)?.fields)
      if (language !== 'en')
        t.same(
          english.filter((text) => dom.one('body').text.includes(text)),
          []
        )
    }
  })

  const request = { requestedAt: new Date('2030-01-31T23:05:59Z'), browser: 'Firefox (Linux)' }
  t.test(`the mail in ${language} has its lang, the link and the code`, async (t) => {
    const { lang, dir, mail } = await loadTexts(language)
    const url = 'https://app.example.com/api/auth/callback/email?token=abc'
    const sent = everywhere.mail(
      { identifier: 'ada@example.com', url, code: 'BCDFGHJK', maxAge: 600, ...request },
      context,
      preference(language)
    )
    t.equal(sent.subject, mail.subject('app.example.com'))
    t.ok(sent.text.includes(`\n${url}\n`) && sent.text.includes('\nBCDFGHJK\n') && sent.text.includes(mail.ignore))
    const dom = read(sent.html)
    t.match(dom.one('html').attributes, { lang, dir })
    t.equal(dom.one('.code').attributes['dir'], 'ltr')
    t.match(dom.one('body').text, mail.orCode)
    const time = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }).format(request.requestedAt)
    for (const shown of [sent.text, dom.one('body').text]) {
      const line = shown.slice(shown.indexOf(mail.requested('Ada').split('Ada', 1)[0] ?? ''))
      t.match(line, RegExp(`^.{0,40}${time}.{0,10}23:05.{0,6} UTC · Firefox \\(Linux\\)`), line.slice(0, 80))
    }
  })
}

t.test('without a preference, or with one that is not available, the first language is used', async (t) => {
  const dutch = await createRenderer({ languages: ['nl', 'en'] })
  t.match(dutch.page(sample.signOut, context), 'lang="nl"')
  t.match(dutch.page(sample.signOut, context, preference('sv')), 'lang="nl"')
  t.match(dutch.page(sample.signOut, context, preference('en')), 'lang="en"')
  t.match(renderer.page(sample.signOut, context, preference('de')), 'lang="en"', 'the renderer that is there at once')
})

t.test('languages do not share caches', async (t) => {
  const show = (tag: string): string => everywhere.page(sample.signIn, context, preference(tag))
  const [german, french] = [show('de'), show('fr')]
  t.not(german, french)
  t.equal(show('de'), german)
  t.equal(show('fr'), french)
})

t.test('the time to wait, and how long a mail is good, are in the words of the language', async (t) => {
  const page = { ...sample.error, error: 'RateLimited', retryAfter: 61 } as const
  t.match(everywhere.page(page, context, preference('pl')), 'Proszę poczekać 2 minuty i spróbować ponownie.')
  const mail = {
    identifier: 'a@b.example',
    url: null,
    code: 'BCDFGHJK',
    maxAge: 86_400,
    requestedAt: new Date(0),
    browser: null
  }
  t.match(everywhere.mail(mail, context, preference('ar')).text, 'صالح لمدة 24 ساعة')
})

t.test('words of the application stand in place of Postern, in their language only', async (t) => {
  const own = await createRenderer({ texts: { de: { signIn: { heading: 'Hereinspaziert' } } } })
  t.equal(read(own.page(sample.signIn, context, preference('de'))).one('h1').text, 'Hereinspaziert')
  t.equal(read(own.page(sample.signIn, context, preference('en'))).one('h1').text, 'Sign in')
  t.match(own.page(sample.signIn, context, preference('de')), 'weiter zu')
})

t.test('functions of the application are given the values themselves', async (t) => {
  const own = await createRenderer({
    texts: {
      en: {
        welcome: { heading: (user) => `Hi ${user?.split(' ')[0]?.toUpperCase()}` },
        reference: (id) => `No. ${id.length}`,
        wait: (duration) => duration.replace('2 minutes', 'a while'),
        otherUser: { text: (provider) => (provider === 'GitHub' ? 'Octocat!' : 'Others') },
        signIn: { submit: (provider) => provider.toUpperCase() }
      }
    }
  })
  const show = (page: Parameters<typeof own.page>[0]) => read(own.page(page, context))
  for (const [user, heading] of [
    ['Ada Lovelace', 'Hi ADA'],
    ['Grace Hopper', 'Hi GRACE']
  ] as const)
    t.equal(show({ ...sample.welcome, user }).one('h1').text, heading)
  t.match(show(sample.otherUser).one('.card').text, 'Octocat!')
  t.match(show({ ...sample.otherUser, provider: 'Slack' }).one('.card').text, 'Others')
  t.match(show(sample.startAgain).one('button').text, 'GITHUB')
  t.match(
    show({ ...sample.error, error: 'RateLimited', retryAfter: 61, ref: 'abc' }).one('.card').text,
    /a while.*No. 3/
  )
  for (const page of [sample.signIn, sample.verifyRequest])
    t.equal(show({ ...page, ref: 'abcd' }).one('.reference').text, 'No. 4')
})

t.test('user input stays text in every language', async (t) => {
  const hostile = '"><script>alert(1)</script>'
  for (const language of languages) {
    const page = { ...sample.otherUser, provider: hostile, user: { name: hostile, email: hostile } }
    const plain = everywhere.page(sample.otherUser, context, preference(language))
    t.same(skeleton(read(everywhere.page(page, context, preference(language)))), skeleton(read(plain)), language)
  }
})
