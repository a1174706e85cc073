import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { origin } from '../postern.ts'
import { startTestSite } from '../ways.ts'
import { getRows, stores } from './stores.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(['jwt', 'database'] as const, t)

/** A method of an adapter, which has types of its own. */
const getMethod =
  (adapter: object, name: string) =>
  async (row: object): Promise<{ readonly id: string }> =>
    Reflect.apply(Reflect.get(adapter, name), adapter, [row])

const cookie = '__Secure-next-auth.session-token'

for (const [name, open] of Object.entries(stores)) {
  for (const { value: strategy, test } of turns()) {
    const options = { session: { strategy } }

    test(`${name}, ${strategy}: a provider, twice, is one user`, async (t) => {
      const store = open(t)
      const site = await startTestSite(t, { ...options, adapter: store.adapter })
      for (const time of ['the first', 'the second']) {
        const browser = site.browser()
        t.equal((await site.byIssuer(browser)).location, origin, `${time} time`)
        t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada Lovelace', email: 'ada@example.com' } })
        t.match(await browser.json('/who'), { session: { user: { name: 'Ada Lovelace' } } })
      }
      t.equal(getRows(store, 'user').length, 1)
      t.match(getRows(store, 'account'), [{ provider: 'demo', providerAccountId: 'ada', access_token: String }])
    })

    test(`${name}, ${strategy}: a mailed link works once, and its user is found again`, async (t) => {
      const store = open(t)
      const site = await startTestSite(t, { ...options, adapter: store.adapter })
      const browser = site.browser()
      t.equal((await site.byMail(browser)).location, origin)
      t.match(await browser.json('/api/auth/session'), { user: { email: 'ada@mail.test' } })
      const page = await browser.open(site.mailbox.last().url)
      const again = await browser.fill(page, '/api/auth/callback/email')
      t.match(again.location, /error=Verification/)
      browser.cookies.clear()
      t.equal((await site.byMail(browser)).location, origin)
      t.match(getRows(store, 'user'), [{ email: 'ada@mail.test' }])
      t.ok(getRows(store, 'user').every(({ emailVerified }) => emailVerified))
      t.equal(getRows(store, 'verificationToken').length, 0, 'no token is left over')
    })

    test(`${name}, ${strategy}: the code of a mail works too`, async (t) => {
      const store = open(t)
      const site = await startTestSite(t, { ...options, adapter: store.adapter })
      const browser = site.browser()
      await browser.submit('/api/auth/signin/email', { email: 'ada@mail.test' })
      const wrong = await browser.submit('/api/auth/callback/email', { code: 'BCDFGHJK' })
      t.match(wrong.location, /verify-request/)
      const right = await browser.submit('/api/auth/callback/email', { code: site.mailbox.last().code })
      t.equal(right.location, origin)
      t.match(await browser.json('/api/auth/session'), { user: { email: 'ada@mail.test' } })
    })

    test(`${name}, ${strategy}: a form`, async (t) => {
      const store = open(t)
      const site = await startTestSite(t, { ...options, adapter: store.adapter })
      const browser = site.browser()
      for (const _ of ['the first time', 'the second']) {
        t.equal((await site.byForm(browser)).location, origin)
        t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada', email: 'ada@form.test' } })
      }
      t.equal(getRows(store, 'user').length, strategy === 'database' ? 1 : 0)
      t.equal(getRows(store, 'session').length, strategy === 'database' ? 1 : 0, 'the second session ended the first')
    })

    test(`${name}, ${strategy}: a provider is linked to the signed-in user, and refused to another user`, async (t) => {
      const store = open(t)
      const site = await startTestSite(t, { ...options, adapter: store.adapter })
      const browser = site.browser()
      await site.byMail(browser)
      t.equal((await site.byIssuer(browser)).location, origin)
      t.equal(getRows(store, 'user').length, 1)
      const [user] = getRows(store, 'user')
      t.match(getRows(store, 'account'), [{ userId: user?.['id'], provider: 'demo' }])
      const other = site.browser()
      await other.submit('/api/auth/signin/email', { email: 'grace@mail.test' })
      await other.open(site.mailbox.last().url)
      t.match((await site.byIssuer(other)).location, /error=OAuthAccountNotLinked/)
    })

    test(`${name}, ${strategy}: sign-out`, async (t) => {
      const store = open(t)
      const site = await startTestSite(t, { ...options, adapter: store.adapter })
      const browser = site.browser()
      await site.byIssuer(browser)
      await browser.submit('/api/auth/signout', {})
      t.same(await browser.json('/api/auth/session'), {})
      t.equal(getRows(store, 'session').length, 0)
    })
  }

  t.test(`${name}: a session is renewed once a day, and over when it is over`, async (t) => {
    const store = open(t)
    let days = 0
    const runtime = { now: () => Date.now() + days * 86_400_000 }
    const site = await startTestSite(t, { adapter: store.adapter, runtime })
    const browser = site.browser()
    await site.byIssuer(browser)
    const ends = (): unknown => getRows(store, 'session')[0]?.['expires']
    const first = ends()
    days = 0.5
    t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada Lovelace' } })
    t.equal(ends(), first)
    days = 2
    t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada Lovelace' } })
    t.not(ends(), first)
    const token = browser.cookies.get(cookie) ?? ''
    days = 40
    browser.cookies.set(cookie, token, { secure: true })
    t.same(await browser.json('/api/auth/session'), {})
    t.equal(getRows(store, 'session').length, 0, 'the row no longer exists')
  })

  t.test(`${name}: with storage 'both', a row of next-auth is hashed at its first use`, async (t) => {
    const store = open(t)
    const { adapter } = store
    const token = 'a token of next-auth, which is a UUID'
    const user = await getMethod(adapter, 'createUser')({ email: 'ada@mail.test', emailVerified: null })
    const userId = user.id
    const expires = new Date(Date.now() + 86_400_000)
    await getMethod(adapter, 'createSession')({ sessionToken: token, userId, expires })
    const site = await startTestSite(t, { adapter, session: { storage: 'both' } })
    const browser = site.browser()
    browser.cookies.set(cookie, token, { secure: true })
    for (const time of ['first', 'second'])
      t.match(await browser.json('/api/auth/session'), { user: { email: 'ada@mail.test' } }, `the ${time} time`)
    t.match(getRows(store, 'session'), [{ sessionToken: /^h1\./, userId }])
  })

  t.test(`${name}: a stored value does not work as a cookie`, async (t) => {
    const store = open(t)
    const site = await startTestSite(t, { adapter: store.adapter })
    const browser = site.browser()
    await site.byIssuer(browser)
    const stolen = String(getRows(store, 'session')[0]?.['sessionToken'])
    t.match(stolen, /^h1\./)
    browser.cookies.set(cookie, stolen, { secure: true })
    t.same(await browser.json('/api/auth/session'), {})
  })
}
