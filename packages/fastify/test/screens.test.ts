import { ConfigError, SignInError } from '@postern/core'
import { renderer } from '@postern/pages'
import Fastify from 'fastify'
import t from 'tap'
import postern, { type PosternPluginOptions } from '../src/index.ts'
import { origin, people, secret, signInByForm, start } from './start.ts'

const german = { headers: { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' } }

t.test('visitors are spoken to in the language of their browser', async (t) => {
  const { browser } = await start(t)
  const page = await browser.open('/api/auth/signin', german)
  t.match(page.body, '<html lang="de" dir="ltr">')
  t.match(page.body, 'Mit Demo anmelden')
  t.equal(page.headers['vary'], 'Cookie, Accept-Language')
  t.match((await browser.open('/api/auth/signin')).body, '<html lang="en" dir="ltr">')
  const arabic = await browser.open('/api/auth/signin', { headers: { 'accept-language': 'ar-EG' } })
  t.match(arabic.body, '<html lang="ar" dir="rtl">')
})

t.test('the mail is in the language of the requesting user', async (t) => {
  const { browser, mailbox } = await start(t)
  await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' }, german)
  t.match(mailbox.last().text, 'Gültig für 24 Stunden und nur ein einziges Mal.')
  await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  t.match(mailbox.last().text, 'Good for 24 hours, and only once.')
})

t.test('an application that sends the mail itself receives the user’s languages', async (t) => {
  const logged: unknown[] = []
  const sendVerificationRequest = ({ languages }: { languages: readonly string[] }): void => void logged.push(languages)
  const { browser } = await start(t, { mail: { sendVerificationRequest } })
  await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' }, german)
  t.same(logged, [['de-AT', 'de', 'en']])
})

t.test('the script is only loaded if it is enabled, from Postern’s files, and only there is it allowed', async (t) => {
  const { browser } = await start(t, { script: true })
  const page = await browser.open('/api/auth/signin')
  const [, source = ''] = /<script src="([^"]+)" defer=""><\/script>/.exec(page.body) ?? []
  t.match(source, /^\/api\/auth\/assets\/[\da-f]{16}\.js$/)
  t.match(page.headers['content-security-policy'], `script-src ${origin}/api/auth/assets/;`)
  const file = await browser.open(source)
  t.match(file.headers, {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff'
  })
  const error = await browser.open('/api/auth/error')
  t.notMatch(error.body, '<script')
  t.notMatch(error.headers['content-security-policy'], 'script-src')
  const without = await (await start(t)).browser.open('/api/auth/signin')
  t.notMatch(without.body + String(without.headers['content-security-policy']), /<script|script-src/)
})

const plain = { url: origin, secret, providers: [people] } satisfies PosternPluginOptions

async function getProblems(options: object): Promise<readonly string[]> {
  const app = Fastify()
  try {
    await app.register(postern, { ...plain, ...options })
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(({ option, message }) => `${option}: ${message}`)
  } finally {
    await app.close()
  }
}

t.test('mistakes in the screens’ options are reported at registration, with all others', async (t) => {
  const problems = await getProblems({
    basePath: 'auth',
    languages: ['de', 'sv'],
    texts: { de: { signin: {} } },
    theme: { brandColour: '#fff' },
    screens: { Signin: () => null },
    script: 'yes',
    colour: 1
  })
  t.match(problems, [
    /^theme\.brandColour: unknown option; did you mean theme\.brandColor\?/,
    /^colour: unknown option/,
    /^basePath: expected a path/,
    /^screens\.Signin: unknown option; did you mean screens\.SignIn\?/,
    /^script: expected true or false/,
    /^languages: there are no texts in sv/,
    /^texts\.de\.signin: unknown option; did you mean texts\.de\.signIn\?/
  ])
  t.match((await getProblems({ languages: ['sv'] })).join(), /^languages: there are no texts in sv/)
  t.match((await getProblems({ script: 'yes' })).join(), /^script: expected true or false/)
})

t.test('with a custom renderer, options of the built-in screens are an error', async (t) => {
  t.match(await getProblems({ renderer, languages: ['de'], script: true }), [
    /^languages: expected this option without renderer/,
    /^script: expected this option without renderer/
  ])
  t.same(await getProblems({ renderer }), [])
})

t.test(
  "a code of the application's own has the text that the application gives it, and no other code has",
  async (t) => {
    const texts = { en: { codes: { Banned: { text: 'This account is closed.', next: 'Write to the office.' } } } }
    const callbacks = {
      signIn: () => {
        throw new SignInError('Banned', 'for the log only')
      }
    }
    const started = await start(t, { texts, callbacks })
    const { browser, log } = started
    const { location } = await signInByForm(browser)
    t.equal(new URL(location ?? '').searchParams.get('error'), 'Banned')
    const message = (await browser.open(location ?? '')).html().text
    t.match(message, /This account is closed\.\s*Write to the office\./)
    t.match((await browser.open('/api/auth/signin?error=Banned')).html().text, 'This account is closed.')
    t.ok(
      log.some((line) => line.includes('for the log only')),
      'the message is for the log'
    )
    const german = await browser.open(location ?? '', { headers: { 'accept-language': 'de' } })
    t.match(german.html().text, 'This account is closed.', 'a language without the text takes the English one')
    for (const code of ['Other', 'toString', '__proto__', 'constructor', 'Banned!', 'Banned '.repeat(20)]) {
      for (const page of ['error', 'signin']) {
        const text = (await browser.open(`/api/auth/${page}?error=${encodeURIComponent(code)}`)).html().text
        t.notMatch(text, 'This account is closed.', `${page}: ${code}`)
        t.notOk(text.includes(code.trim()), 'no one writes on the page by a link')
      }
    }
  }
)

t.test('an invalid explanation of a code is reported at registration', async (t) => {
  for (const [codes, message] of [
    [{ Banned: 'text' }, /texts\.en\.codes\.Banned: expected an object/],
    [{ Banned: { text: 'x' } }, /texts\.en\.codes\.Banned\.next: expected a text, got nothing/],
    [{ Banned: { text: 'x', next: 'y', nxt: 'z' } }, /texts\.en\.codes\.Banned\.nxt: unknown option/]
  ] as const) {
    const wrong: object = { texts: { en: { codes } } }
    await t.rejects(start(t, wrong), { message: message })
  }
})
