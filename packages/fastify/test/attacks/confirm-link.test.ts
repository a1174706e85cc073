import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { inTurn, times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { requireSession } from '../../src/index.ts'
import { createTestGate } from '../interruption-feature.ts'
import { openLinkPage, origin, type Started, type StartOptions, signInByForm, signInByMail } from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import { accountsOf, address, begin, idIn, idOf, mallory, signIn, startAccounts, strategies, vera } from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const someStrategies = inTurn(strategies)

const path = '/api/auth/verify/link'
const pendingCookie = '__Secure-postern.pending'
const interrupted = `${origin}/api/auth/verify?error=VerificationRequired`
const startOver = `${origin}/api/auth/signin?error=Callback`
const other = 'mallory@evil.test'

/** A user with a page that asks whether to link an account. */
interface Asked {
  readonly started: Started
  readonly browser: Browser
  readonly userId: string
  readonly page: BrowserResponse
  /** The value of the page's form field. */
  readonly link: string
  /** The pending sign-in, as somebody may have copied it. */
  readonly cookie: string
}

async function ask(started: Started): Promise<Asked> {
  const { browser } = started
  await signInByMail(started, browser, address)
  const userId = (await idIn(browser)) ?? ''
  const page = await openLinkPage(browser, await signIn(started, browser, vera))
  const link = page.html().querySelector('input[name=link]')?.getAttribute('value') ?? ''
  return { started, browser, userId, page, link, cookie: browser.cookies.get(pendingCookie) ?? '' }
}

const startAsked = async (t: Test, options: StartOptions = {}): Promise<Asked> => ask(await startAccounts(t, options))

const putPending = (browser: Browser, cookie: string): void =>
  browser.cookies.set(pendingCookie, cookie, { secure: true, httpOnly: true, sameSite: 'Lax', path: '/api/auth' })

/** Opens and posts the page with a copy of the pending sign-in. It must name nobody, link nothing and sign in nobody. */
async function checkUseless(t: Test, { started, userId, link, cookie }: Asked, browser: Browser, label: string) {
  const before = await idIn(browser)
  putPending(browser, cookie)
  for (const at of [path, '/api/auth/verify']) {
    const shown = await browser.followAll(await browser.open(at))
    t.notMatch(shown.body, /vera/i, `${label}: ${at} names nobody`)
    putPending(browser, cookie)
  }
  t.equal((await browser.submit(path, { link })).location, startOver, label)
  t.equal(await idOf(started, 'vera'), null, `${label}: nothing is linked`)
  t.same(await accountsOf(started, userId), [])
  t.equal(await idIn(browser), before, `${label}: the session stays as it was`)
}

t.test(
  'link-3: the cookie of a link that waits is put into another browser: signed out, or of another user',
  async (t) => {
    for (const strategy of someStrategies()) {
      const asked = await startAsked(t, { session: { strategy } })
      const { started, browser, page, userId } = asked
      const [stranger, thief] = [started.newBrowser(), started.newBrowser()]
      await signInByMail(started, thief, other)
      await checkUseless(t, asked, stranger, `${strategy}, signed out`)
      await checkUseless(t, asked, thief, `${strategy}, another user`)
      t.equal((await browser.fill(page, path)).location, origin)
      t.same(await accountsOf(started, userId), ['demo vera'], 'its own browser confirms it')
    }
  }
)

t.test('link-3: the attacker puts a link of their own account into the browser of a victim', async (t) => {
  for (const strategy of someStrategies()) {
    const { started, browser, userId, page } = await startAsked(t, { session: { strategy } })
    const thief = started.newBrowser()
    await signInByMail(started, thief, other)
    await openLinkPage(thief, await signIn(started, thief, mallory))
    putPending(browser, thief.cookies.get(pendingCookie) ?? '')
    await browser.fill(page, path)
    t.same(await accountsOf(started, userId), [], `${strategy}: the victim posts a page that named another account`)
    t.equal(await idOf(started, 'mallory'), null)
    t.equal(await idIn(browser), userId)
  }
})

/** What ends the session of the user while the page is open. */
const endings: Readonly<Record<string, (asked: Asked) => unknown>> = {
  'the user signs out': ({ browser }) => browser.submit('/api/auth/signout', {}),
  'revokeAll ends it': ({ started: { app }, userId }) => app.postern.sessions.revokeAll(userId),
  'it expires': ({ started: { clock } }) => clock.advance(301),
  'another user signs in by mail': ({ started, browser }) => signInByMail(started, browser, other),
  'another user signs in by the form': ({ browser }) => signInByForm(browser, 'grace'),
  'the user is suspended': ({ started: { app }, userId }) => app.postern.users.suspend(userId),
  'the user is suspended, and no longer': async ({ started: { app }, userId }) => {
    await app.postern.users.suspend(userId)
    await app.postern.users.resume(userId)
  },
  'the user is deleted': ({ started: { app }, userId }) => app.postern.deleteUser(userId)
}

for (const [what, end] of Object.entries(endings))
  t.test(`the page that confirms a link is used after the session ended: ${what}`, async (t) => {
    for (const strategy of someStrategies()) {
      const asked = await startAsked(t, { session: { strategy, maxAge: 300 } })
      await end(asked)
      await checkUseless(t, asked, asked.browser, strategy)
    }
  })

t.test('sign-out removes the link that waits', async (t) => {
  const { browser } = await startAsked(t)
  await browser.submit('/api/auth/signout', {})
  t.equal(browser.cookies.get(pendingCookie), null)
})

t.test('the account was linked to another user, or to the same, while the page was open', async (t) => {
  for (const strategy of someStrategies()) {
    for (const isSame of [false, true]) {
      const { started, browser, userId, page } = await startAsked(t, { session: { strategy } })
      const elsewhere = started.newBrowser()
      await signInByMail(started, elsewhere, isSame ? address : other)
      await signIn(started, elsewhere, vera, { link: 'true' })
      const owner = await idIn(elsewhere)
      t.equal(owner === userId, isSame)
      const { location } = await browser.fill(page, path)
      t.equal(location === origin, isSame, `${strategy}: ${location}`)
      t.equal(await idOf(started, 'vera'), owner, 'the account keeps its user')
      t.equal(await idIn(browser), userId)
    }
  }
})

t.test('the form that confirms a link is posted again, after the account was removed', async (t) => {
  for (const strategy of someStrategies()) {
    const asked = await startAsked(t, { session: { strategy } })
    const { started, browser, userId, page, link, cookie } = asked
    await browser.fill(page, path)
    t.same(await accountsOf(started, userId), ['demo vera'])
    t.equal(browser.cookies.get(pendingCookie), null)
    await started.app.postern.unlink(userId, { provider: 'demo', providerAccountId: 'vera' })
    const copy = started.newBrowser()
    await signInByMail(started, copy, address)
    for (const again of [browser, copy]) {
      putPending(again, cookie)
      t.equal((await again.submit(path, { link })).location, startOver, strategy)
    }
    t.same(await accountsOf(started, userId), [])
  }
})

/** Lets requests wait after their attempt was counted, until all attempts that a pending sign-in has were made. */
function together(adapter: Adapter): Adapter {
  let [left, open] = [5, (): void => undefined]
  const allCounted = new Promise<void>((resolve) => {
    open = resolve
  })
  const countTry: Adapter['countTry'] = async (...key) => {
    const tries = (await adapter.countTry?.(...key)) ?? null
    left -= 1
    if (left === 0) open()
    await allCounted
    return tries
  }
  return { ...adapter, countTry }
}

t.test('the form that confirms a link is posted many times at once: one link, one session', async (t) => {
  for (const [name, open] of [
    ['memory', () => memoryAdapter()],
    ['without transactions', () => withoutTransactions(memoryAdapter())],
    ['sqlite', () => sqliteAdapter({ file: ':memory:' })]
  ] as const) {
    for (const strategy of someStrategies()) {
      const events: string[] = []
      const started = await startAccounts(t, {
        session: { strategy },
        adapter: together(open()),
        events: { linkAccount: () => void events.push('link'), signIn: () => void events.push('sign-in') }
      })
      const { browser, userId, page } = await ask(started)
      events.length = 0
      const replies = await Promise.all(Array.from({ length: times(15, 50) }, () => browser.fill(page, path)))
      const label = `${name}, ${strategy}`
      t.equal(replies.filter(({ location }) => location === origin).length, 1, `${label}: one is confirmed`)
      t.notOk(
        replies.some(({ status }) => status >= 500),
        label
      )
      t.same(await accountsOf(started, userId), ['demo vera'], label)
      t.same(events, ['link', 'sign-in'], label)
      if (strategy === 'database') t.equal((await started.adapter?.listSessions?.(userId))?.length, 1, label)
    }
  }
})

t.test(
  'the page that confirms a link is posted after the sign-in is no longer recent, or the link expired',
  async (t) => {
    for (const strategy of someStrategies()) {
      for (const [freshWithin, seconds, expected] of [
        [undefined, 301, /error=OAuthAccountNotLinked/],
        [undefined, 299, /test$/],
        [120, 121, /error=OAuthAccountNotLinked/],
        [false, 599, /test$/],
        [false, 601, /error=Callback/]
      ] as const) {
        const started = await startAccounts(t, { session: { strategy }, linking: { freshWithin } })
        const { browser, clock } = started
        await signInByMail(started, browser, address)
        const userId = (await idIn(browser)) ?? ''
        if (freshWithin === undefined) clock.advance(300)
        const page = await openLinkPage(browser, await signIn(started, browser, vera))
        clock.advance(seconds)
        const label = `${strategy}, ${freshWithin}, ${seconds} s`
        t.match((await browser.fill(page, path)).location, expected, label)
        t.same(await accountsOf(started, userId), expected.source === 'test$' ? ['demo vera'] : [], label)
      }
    }
  }
)

t.test(
  'a second factor comes after the confirmation: it cannot be first, and nothing is linked before it',
  async (t) => {
    for (const strategy of someStrategies()) {
      const gate = createTestGate(false)
      const started = await startAccounts(t, { session: { strategy }, features: [gate.feature] })
      const { browser } = started
      await signInByMail(started, browser, address)
      const userId = (await idIn(browser)) ?? ''
      gate.isDue = true
      const page = await openLinkPage(browser, await signIn(started, browser, vera))
      const isUnlinked = async (label: string): Promise<void> => {
        t.equal(await idOf(started, 'vera'), null, `${strategy}: ${label}`)
        t.equal(await idIn(browser), userId)
      }
      const early = await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
      t.equal(early.location, `${origin}/api/auth/verify`)
      t.equal((await browser.open('/api/auth/verify/ask')).location, `${origin}/api/auth/verify`)
      await isUnlinked('the factor first')
      t.equal((await browser.fill(page, path)).location, interrupted)
      await isUnlinked('confirmed')
      t.equal((await browser.fill(page, path)).location, `${origin}/api/auth/verify`, 'it is not confirmed twice')
      t.match((await browser.open('/api/auth/verify')).location, '/verify/ask')
      t.equal((await browser.submit('/api/auth/verify/ask', { answer: 'no' })).status, 403)
      await isUnlinked('a wrong answer')
      t.equal((await browser.submit('/api/auth/verify/ask', { answer: 'yes' })).location, origin)
      t.same(await accountsOf(started, userId), ['demo vera'])
      t.equal(await idIn(browser), userId)
    }
  }
)

t.test('another user signs in between the confirmation and the second factor', async (t) => {
  for (const strategy of someStrategies()) {
    const gate = createTestGate(false)
    const started = await startAccounts(t, { session: { strategy }, features: [gate.feature] })
    const { browser } = started
    await signInByMail(started, browser, address)
    gate.isDue = true
    const page = await openLinkPage(browser, await signIn(started, browser, vera))
    await browser.fill(page, path)
    const cookie = browser.cookies.get(pendingCookie) ?? ''
    gate.isDue = false
    await signInByMail(started, browser, other)
    const thiefId = await idIn(browser)
    gate.isDue = true
    putPending(browser, cookie)
    const shown = await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
    t.equal(shown.status, 409, `${strategy}: ${shown.location}`)
    t.match(shown.body, other, 'the page names who is signed in')
    t.equal(shown.html().querySelector('form')?.getAttribute('action'), '/api/auth/signin/demo')
    t.equal(await idOf(started, 'vera'), null)
    t.equal(await idIn(browser), thiefId)
  }
})

t.test('the session ends between the confirmation and the second factor: no user is created', async (t) => {
  for (const strategy of someStrategies()) {
    const gate = createTestGate(false)
    const started = await startAccounts(t, { session: { strategy, maxAge: 300 }, features: [gate.feature] })
    const { browser, clock, adapter } = started
    await signInByMail(started, browser, address)
    gate.isDue = true
    const person = { ...vera, email: 'vera@work.example' }
    const page = await openLinkPage(browser, await signIn(started, browser, person))
    await browser.fill(page, path)
    clock.advance(301)
    t.match((await browser.submit('/api/auth/verify/ask', { answer: 'yes' })).location, /error=Callback/, strategy)
    t.equal(await idOf(started, 'vera'), null)
    t.equal(await adapter?.getUserByEmail?.('vera@work.example'), null)
    t.equal(await idIn(browser), null)
  }
})

t.test('link-3: GET and HEAD link nothing, whatever their query; other methods do not exist', async (t) => {
  for (const strategy of someStrategies()) {
    const { started, browser, page, link, userId } = await startAsked(t, { session: { strategy } })
    const csrfToken = page.html().querySelector('input[name=csrfToken]')?.getAttribute('value') ?? ''
    const query = new URLSearchParams({ csrfToken, link, _method: 'POST' })
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'] as const)
      await browser.request(method, `${path}?${query}`, { headers: { 'x-http-method-override': 'POST' } })
    await browser.post(`${path}?${query}`, '')
    t.same(await accountsOf(started, userId), [], strategy)
    t.equal((await browser.fill(page, path)).location, origin, 'the form does')
  }
})

t.test('the signed-in user has a name with markup: the page contains no element of it', async (t) => {
  for (const name of [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</form><form action=//evil.test>'
  ]) {
    const started = await startAccounts(t)
    const { browser } = started
    await signIn(started, browser, { ...mallory, name })
    const page = await openLinkPage(browser, await signIn(started, browser, vera))
    t.ok(page.html().text.includes(name), 'as text')
    t.equal(page.html().querySelectorAll('script:not([src]), img[onerror], [onfocus]').length, 0, name)
    t.equal(page.html().querySelectorAll('form').length, 1)
    t.match(page.headers['content-security-policy'], /frame-ancestors 'none'/)
    t.match(page.headers['cache-control'], /no-store/)
  }
})

t.test("next-auth's client does not report a link that waits, or that failed, as a sign-in", async (t) => {
  for (const strategy of someStrategies()) {
    const gate = createTestGate(false)
    const started = await startAccounts(t, { session: { strategy }, features: [gate.feature] })
    const { browser } = started
    await signInByMail(started, browser, address)
    const userId = (await idIn(browser)) ?? ''
    gate.isDue = true
    const { callback } = await begin(started, browser, vera)
    const waits = await browser.open(callback, { headers: { 'x-auth-return-redirect': '1' } })
    t.same([waits.status, waits.json()], [401, { url: interrupted }], strategy)
    const page = await browser.followAll(await browser.open('/api/auth/verify'))
    const link = page.html().querySelector('input[name=link]')?.getAttribute('value') ?? ''
    const confirmed = await browser.submit(path, { link, json: 'true' })
    t.same([confirmed.status, confirmed.json()], [401, { url: interrupted }], 'the second factor is due')
    t.same(await accountsOf(started, userId), [])
    await browser.submit('/api/auth/signout', {})
    const failed = await browser.submit(path, { link, json: 'true' })
    t.same([failed.status, failed.json()], [401, { url: startOver }])
    t.equal(await idIn(browser), null)
  }
})

t.test(
  'a user who does not confirm a link still meets the requirements of a guard, and confirms it later',
  async (t) => {
    for (const strategy of someStrategies()) {
      const before: StartOptions['before'] = (app) =>
        app.get('/fresh', { onRequest: requireSession.with({ freshWithin: 60 }) }, async () => 'reached')
      const { started, browser, userId, link } = await startAsked(t, { session: { strategy }, before })
      started.clock.advance(61)
      const shown = await browser.followAll(await browser.open('/fresh'))
      t.match(shown.url, '/api/auth/verify?')
      t.notMatch(shown.body, path, `${strategy}: the page asks to authenticate again`)
      t.equal((await signInByMail(started, browser, address)).location, `${origin}/fresh`)
      t.equal((await browser.open('/fresh')).body, 'reached')
      t.same(await accountsOf(started, userId), [])
      await browser.submit(path, { link })
      t.same(await accountsOf(started, userId), ['demo vera'])
    }
  }
)
