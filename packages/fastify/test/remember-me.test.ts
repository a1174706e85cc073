import type { PosternOptions } from '@postern/core'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  cookieNames,
  getSession,
  people,
  type Started,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from './start.ts'

const cookie = cookieNames.sessionToken
const day = 24 * 60 * 60
const strategies = ['jwt', 'database'] as const

/** Remembers who ticked the box of the form. */
const byTick: NonNullable<NonNullable<PosternOptions['session']>['remember']> = ({ credentials }) =>
  credentials?.['remember'] === 'on'

async function signIn({ browser }: Pick<Started, 'browser'>, fields: Readonly<Record<string, string>> = {}) {
  const response = await browser.submit('/api/auth/callback/credentials', {
    username: 'ada',
    password: 'lovelace',
    ...fields
  })
  return response.setCookies.find(({ name }) => name === cookie)
}

for (const strategy of strategies) {
  t.test(`${strategy}: who does not tick "remember me" is forgotten when the browser closes`, async (t) => {
    const started = await start(t, { session: { strategy, remember: byTick } })
    const forgotten = await signIn(started)
    t.match(forgotten, { maxAge: null, expires: null, httpOnly: true, secure: true })
    t.match(await getSession(started.browser), { user: { name: 'ada' } })
    const stored = await signIn(started, { remember: 'on' })
    t.equal(stored?.maxAge, 30 * day)
  })

  t.test(`${strategy}: a session of an open browser is renewed, and stays one of an open browser`, async (t) => {
    const { browser, clock } = await start(t, { session: { strategy, remember: false } })
    await signInByForm(browser)
    clock.advance(2 * day)
    const renewed = await browser.request('GET', '/api/auth/session')
    t.match(
      renewed.setCookies.find(({ name }) => name === cookie),
      { maxAge: null, expires: null }
    )
    clock.advance(29 * day)
    t.match(await getSession(browser), { user: { name: 'grace' } }, 'renewed on the server')
    clock.advance(31 * day)
    t.same(await getSession(browser), {}, 'and over on the server when it was not used')
  })

  t.test(`${strategy}: a session keeps the lifetime of its sign-in when it is used longer`, async (t) => {
    const remember = ({ user }: { user: { name?: string | null } }) => (user.name === 'ada' ? 3600 : true)
    const { browser, newBrowser, clock } = await start(t, { session: { strategy, remember } })
    const short = await signIn({ browser })
    t.equal(short?.maxAge, 3600)
    for (let count = 0; count < 3; count++) {
      clock.advance(2400)
      t.match(await getSession(browser), { user: { name: 'ada' } })
    }
    const copy = newBrowser()
    copy.cookies.set(cookie, browser.cookies.get(cookie) ?? '', { secure: true })
    clock.advance(3600 + 11)
    t.same(await getSession(copy), {}, 'it ends on the server too')
    await signInByForm(browser)
    clock.advance(20 * day)
    t.match(await getSession(browser), { user: { name: 'grace' } }, 'another one lasts as configured')
  })

  t.test(`${strategy}: seconds beyond maxAge, or beyond the absolute limit, are cut`, async (t) => {
    const long = await start(t, { session: { strategy, maxAge: day, remember: () => 90 * day } })
    t.equal((await signIn(long))?.maxAge, day)
    const bounded = await start(t, { session: { strategy, absoluteMaxAge: 600, remember: () => 3600 } })
    t.equal((await signIn(bounded))?.maxAge, 600)
  })
}

for (const { value: strategy, test } of turnsOf(strategies, t)()) {
  test(`${strategy}: it is called for every sign-in method, with the data of that method`, async (t) => {
    const questions: unknown[] = []
    const remember = (question: unknown): boolean => {
      questions.push(question)
      return true
    }
    const started = await start(t, { session: { strategy, remember } })
    await signInByForm(started.newBrowser())
    await signInByMail(started, started.newBrowser(), 'mail@example.com')
    await signInAtIssuer(started, started.newBrowser(), { sub: 'x', email: 'x@example.com' })
    t.match(questions, [
      { user: { email: 'grace@example.com' }, account: { type: 'credentials' }, credentials: { username: 'grace' } },
      { user: { email: 'mail@example.com' }, account: { type: 'email' } },
      { user: { email: 'x@example.com' }, account: { type: 'oidc' }, profile: { sub: 'x' } }
    ])
  })

  test(`${strategy}: a response that is none signs no one in`, async (t) => {
    let result: unknown
    const { newBrowser, log } = await start(t, { session: { strategy, remember: () => result as never } })
    for (result of [undefined, null, 0, -1, Number.NaN, 'yes', {}]) {
      log.length = 0
      const browser = newBrowser()
      const signedIn = await signInByForm(browser)
      t.match(signedIn.location, /error=Callback/)
      t.same(await getSession(browser), {})
      t.ok(
        log.some((line) => line.includes('session.remember')),
        'the log names it'
      )
    }
  })
}

t.test('client input does not extend a session', async (t) => {
  const { browser } = await start(t, {
    session: { strategy: 'jwt', remember: byTick },
    callbacks: { jwt: ({ token, session }) => ({ ...token, ...(typeof session === 'object' ? session : {}) }) },
    providers: [people]
  })
  await signInByForm(browser)
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const body = JSON.stringify({ csrfToken, data: { session_age: 90 * day, exp: 9_999_999_999 } })
  const updated = await browser.post('/api/auth/session', body, { 'content-type': 'application/json' })
  t.match(
    updated.setCookies.find(({ name }) => name === cookie),
    { maxAge: null, expires: null }
  )
})

t.test('a session token of the application keeps the lifetime', async (t) => {
  let count = 0
  const generateSessionToken = (): string => `token-${++count}`
  const { browser, clock } = await start(t, {
    session: { strategy: 'database', remember: false, generateSessionToken }
  })
  await signInByForm(browser)
  clock.advance(2 * day)
  const renewed = await browser.request('GET', '/api/auth/session')
  t.match(
    renewed.setCookies.find(({ name }) => name === cookie),
    { maxAge: null, expires: null }
  )
})
