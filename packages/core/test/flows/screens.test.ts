import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { contentSecurityPolicy } from '../../src/http/content-security-policy.ts'
import type { PageName } from '../../src/model/page.ts'
import type { LanguagePreference, Renderer } from '../../src/model/renderer.ts'
import { origin, start } from './start.ts'

/** Renders the page as data, and records the preferences. */
function recorder(scripted?: ReadonlySet<PageName>): { renderer: Renderer; preferences: LanguagePreference[] } {
  const preferences: LanguagePreference[] = []
  const renderer: Renderer = {
    page: (page, _context, preference) => {
      preferences.push(preference)
      return JSON.stringify(page)
    },
    mail: () => ({ subject: '', text: '', html: '' }),
    ...(scripted && { scripted })
  }
  return { renderer, preferences }
}

t.test('the renderer receives the languages of the user', async (t) => {
  const { renderer, preferences } = recorder()
  const { browser } = start({ renderer })
  const page = await browser.open('/api/auth/signin', {
    headers: { 'accept-language': 'de-CH,fr;q=0.5', cookie: 'postern.language=it' }
  })
  t.same(preferences, [{ languages: ['it', 'de-CH', 'fr'] }])
  t.equal(page.headers['vary'], 'Cookie, Accept-Language')
  await browser.open('/api/auth/signin')
  t.same(preferences.at(-1), { languages: [] })
})

t.test('a script may run on the screens that ask for one, from Postern’s files, and on no other', async (t) => {
  const { browser } = start({ renderer: recorder(new Set<PageName>(['signin'])).renderer })
  const policy = async (path: string): Promise<string> =>
    String((await browser.open(path)).headers['content-security-policy'])
  t.match(await policy('/api/auth/signin'), `; script-src ${origin}/api/auth/assets/; `)
  t.notMatch(await policy('/api/auth/signout'), 'script-src')
  const { browser: without } = start()
  t.notMatch((await without.open('/api/auth/signin')).headers['content-security-policy'], 'script-src')
})

t.test('a policy cannot write an IPv6 address: there a script may be any file of the site', async (t) => {
  const theme = {
    colorScheme: 'auto',
    logo: '',
    brandColor: '',
    buttonText: '',
    name: '',
    radius: '',
    font: '',
    links: { support: '' }
  } as const
  const policy = (host: string): string =>
    contentSecurityPolicy(
      { basePath: '/api/auth', origin: host, siteName: '', siteUrl: host, theme },
      { isScripted: true }
    )
  t.match(policy('http://[::1]:3000'), "; script-src 'self'; ")
  t.match(policy('http://127.0.0.1:3000'), '; script-src http://127.0.0.1:3000/api/auth/assets/; ')
})

t.test('an application’s policy is made of the one that fits the screen', async (t) => {
  const { renderer } = recorder(new Set<PageName>(['signin']))
  const { browser } = start({ renderer, contentSecurityPolicy: (own) => `${own}; report-uri /csp` })
  const pages = await Promise.all(['signin', 'signout'].map((name) => browser.open(`/api/auth/${name}`)))
  for (const { headers } of pages) t.match(headers['content-security-policy'], /; report-uri \/csp$/)
  t.same(
    pages.map(({ headers }) => /script-src/.test(String(headers['content-security-policy']))),
    [true, false]
  )
})

t.test('the renderer loads what a language needs before it renders a page', async (t) => {
  const order: string[] = []
  const renderer: Renderer = {
    page: () => {
      order.push('page')
      return ''
    },
    mail: () => ({ subject: '', text: '', html: '' }),
    prepare: ({ languages }) => {
      order.push(`prepare ${languages}`)
      return languages.includes('de') ? setTimeout(20).then(() => void order.push('loaded')) : null
    }
  }
  const { browser } = start({ renderer })
  await browser.open('/api/auth/signin', { headers: { 'accept-language': 'de' } })
  await browser.open('/api/auth/signin', { headers: { 'accept-language': 'en' } })
  await browser.open('/api/auth/session')
  t.same(order, ['prepare de', 'loaded', 'page', 'prepare en', 'page'])
})

t.test('the page without a renderer says why a signed-in user signs in again', async (t) => {
  const { browser } = start()
  await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
  const { body } = await browser.open('/api/auth/verify?max_age=0')
  t.match(body, '<p>To continue, sign in again with the same account.</p>')
  const repeated = await browser.open('/api/auth/verify?max_age=0&repeat=true')
  t.match(repeated.body, 'with the same account. Afterwards, send the form again.</p>')
  t.notMatch((await browser.open('/api/auth/signin')).body, 'To continue')
})
