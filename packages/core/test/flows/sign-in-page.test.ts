import t from 'tap'
import type { BuiltInPage } from '../../src/model/page.ts'
import type { RateLimiter } from '../../src/model/rate-limiter.ts'
import type { Renderer } from '../../src/model/renderer.ts'
import {
  begin,
  comeBack,
  getSession,
  origin,
  people,
  type Started,
  type StartOptions,
  sessionCookie,
  signIn,
  start
} from './start.ts'

type SignInPage = Extract<BuiltInPage, { readonly name: 'signin' }>

const renderer: Renderer = {
  page: (page) => JSON.stringify(page),
  mail: () => ({ subject: '', text: '', html: '' })
}
const open = (options: StartOptions = {}): Started => start({ renderer, ...options })

const read = async ({ browser }: Pick<Started, 'browser'>, path: string = ''): Promise<SignInPage> =>
  JSON.parse((await browser.open(`/api/auth/signin${path}`)).body)

const lastMethod = '__Secure-postern.last-method'

t.test('the method of a sign-in is kept once the session is there, and marked on the page', async (t) => {
  const app = open()
  const { browser, issuer } = app
  t.equal((await read(app)).lastUsed, null)
  const location = await issuer.authorize(await begin(browser))
  t.notOk(browser.cookies.get(lastMethod), 'not before')
  const [signedIn] = [await comeBack(browser, location)]
  t.match(
    signedIn.setCookies.find(({ name }) => name === lastMethod),
    { value: 'demo', path: '/api/auth', httpOnly: true, secure: true, sameSite: 'Lax' }
  )
  t.equal((await read(app)).lastUsed, 'demo')
  await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
  t.equal((await read(app)).lastUsed, 'credentials')
  const again = await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
  t.notOk(
    again.setCookies.some(({ name }) => name === lastMethod),
    'the browser has it'
  )
})

t.test('no method is kept of a refused sign-in, or if there is nothing to choose from', async (t) => {
  const refused = open({ callbacks: { signIn: () => false } })
  await signIn(refused, refused.browser)
  t.notOk(refused.browser.cookies.get(lastMethod))
  for (const options of [{ providers: [people] }, { hiddenProviders: ['demo'] }, { pages: { signIn: '/login' } }]) {
    const app = open(options)
    await app.browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
    t.ok((await getSession(app.browser)).user)
    t.notOk(app.browser.cookies.get(lastMethod), JSON.stringify(Object.keys(options)))
  }
})

t.test('what a browser claims to have used is a method of the page, or nothing', async (t) => {
  const app = open()
  const { body } = await app.browser.open('/api/auth/signin', { headers: { cookie: `${lastMethod}=%3Cb%3E` } })
  t.equal(JSON.parse(body).lastUsed, null)
})

t.test('a signed-in user can continue, or sign out and come back to the page', async (t) => {
  const app = open()
  const { browser } = app
  t.match(await read(app), { user: null, signOutUrl: '/api/auth/signout' })
  await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
  const callbackUrl = `${origin}/inbox`
  const page = await read(app, `?callbackUrl=${encodeURIComponent(callbackUrl)}`)
  t.match(page, { user: { name: 'grace' }, signOutUrl: '/api/auth/signout', callbackUrl })
  t.equal((await read(app, '?error=Callback')).signOutUrl, null, 'after an error, the methods are there')
  const { location } = await browser.submit('/api/auth/signout', { callbackUrl, another: 'true' })
  t.equal(location, `${origin}/api/auth/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`)
  t.match(await read(app), { user: null, callbackUrl, reason: null })
})

t.test('a browser with a session that has ended gets a message about it', async (t) => {
  const app = open({ session: { maxAge: 60 } })
  const { browser, clock } = app
  t.equal((await read(app)).reason, null, 'a first visit')
  t.equal((await read(app, '?error=SessionRequired')).reason, null)
  await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
  const cookie = `${sessionCookie}=${browser.cookies.get(sessionCookie)}`
  clock.advance(120)
  const stale = async (query: string): Promise<SignInPage> =>
    JSON.parse((await app.newBrowser().open(`/api/auth/signin${query}`, { headers: { cookie } })).body)
  t.match(await stale(''), { error: null, reason: 'session-expired', user: null })
  t.match(await stale('?error=SessionRequired'), { error: 'SessionRequired', reason: 'session-expired' })
  t.match(await stale('?error=OAuthCallback&reason=cancelled'), { reason: 'cancelled' }, 'another message is newer')
})

/** Counts without an end. */
function createLimiter(): RateLimiter {
  const counts = new Map<string, number>()
  const add = (key: string, by: number): number => {
    const count = (counts.get(key) ?? 0) + by
    counts.set(key, count)
    return count
  }
  return {
    consume: async (key, { points, seconds }) => (add(key, 1) > points ? seconds : 0),
    refund: async (key) => void add(key, -1)
  }
}

t.test('after too many wrong passwords, the page has the ways that are left', async (t) => {
  const app = open({ rateLimit: { limiter: createLimiter() } })
  const { browser } = app
  const values = { username: 'grace@example.com', password: 'wrong' }
  let response = await browser.submit('/api/auth/callback/credentials', values)
  for (let count = 0; count < 30 && response.status !== 429; count++)
    response = await browser.submit('/api/auth/callback/credentials', values)
  t.equal(response.status, 429)
  t.ok(Number(response.headers['retry-after']) > 0)
  const page: SignInPage = JSON.parse(response.body)
  t.match(page, { name: 'signin', error: 'RateLimited', choices: [{ id: 'demo' }] })
  t.equal(page.choices.length, 1)
  t.equal(page.retryAfter, Number(response.headers['retry-after']))
  const alone = open({ providers: [people], rateLimit: { limiter: createLimiter() } })
  let last = await alone.browser.submit('/api/auth/callback/credentials', values)
  for (let count = 0; count < 30 && last.status !== 429; count++)
    last = await alone.browser.submit('/api/auth/callback/credentials', values)
  t.match(JSON.parse(last.body), { name: 'error', error: 'RateLimited' }, 'no way is left')
  const json = await browser.submit('/api/auth/callback/credentials', { ...values, json: 'true' })
  t.equal(json.status, 429)
  t.match(json.body, 'error=RateLimited', 'as before for scripts')
})

t.test('POST /signin leads to the page, unless the address comes first', async (t) => {
  const { location } = await open().browser.submit('/api/auth/signin', { email: 'ada@example.com' })
  t.equal(location, `${origin}/api/auth/signin`)
})

t.test('identifierFirst needs a method with an address, and the built-in page', async (t) => {
  t.throws(() => open({ identifierFirst: true }), { message: /identifierFirst.*asks for an email address/s })
  t.throws(() => open({ identifierFirst: true, pages: { signIn: '/login' } }), {
    message: /identifierFirst.*pages\.signIn/s
  })
})
