import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { inTurn } from '@postern/testkit/long'
import t from 'tap'
import {
  type Application,
  ada,
  base,
  canSignIn,
  change,
  createLimiter,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  openApplication,
  openLink,
  origin,
  second,
  signIn,
  signInByMail,
  signUp,
  strategies
} from './password-application.ts'

const stores: readonly (readonly [name: string, open: () => Adapter])[] = [
  ['memory', () => memoryAdapter()],
  ['SQLite', () => sqliteAdapter({ file: ':memory:' })]
]

/** In `npm test` a test, or a case of it, has one strategy, the next one the other; in the long run each has both. */
const someStrategies = inTurn(strategies)

const getHeaders = ({ headers }: BrowserResponse): readonly string[] => Object.keys(headers).toSorted()

/** Everything of a response that may differ between two addresses of the same length, except for random values. */
function describe(response: BrowserResponse, address: string): unknown {
  const { status, location, setCookies, body } = response
  const neutral = (text: string): string =>
    text
      .replaceAll(address, '<address>')
      .replaceAll(encodeURIComponent(address), '<address>')
      .replaceAll(/ref=[\w-]+/g, 'ref')
      .replaceAll(/value="[0-9a-f|%]{64,}"/g, 'value')
      .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'ref')
  const cookies = setCookies.map(({ name, value, text: _, ...attributes }) => ({
    name,
    length: value.length,
    ...attributes
  }))
  return {
    status,
    location: location && neutral(location),
    headers: getHeaders(response),
    cookies,
    body: neutral(body)
  }
}

t.test('enumeration: responses are the same for known and unknown addresses', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openApplication(t, strategy)
    const { newBrowser, mailbox } = app
    await createUser(app, 'known@example.com')
    // A user without a password, and one whose address is unverified.
    const byLink = newBrowser()
    await signInByMail(byLink, 'links@example.com', mailbox)
    await app.adapter.createUser?.({ id: 'u', email: 'fresh@example.com', emailVerified: null, name: null })
    const addresses = ['known@example.com', 'links@example.com', 'fresh@example.com', 'never@example.com']

    /** The responses of every step of one path, for one address. */
    const paths: Readonly<Record<string, (browser: Browser, address: string) => Promise<readonly BrowserResponse[]>>> =
      {
        'sign-up': async (browser, address) => {
          const sent = await signUp(browser, address, first)
          const page = await browser.follow(sent)
          const wrong = [page]
          for (let count = 0; count < 6; count++)
            wrong.push(await browser.submit(`${base}/callback/password-sign-up`, { code: 'BBBBBBBB' }))
          return [sent, ...wrong]
        },
        forgot: async (browser, address) => {
          const sent = await forget(browser, address)
          return [sent, await browser.follow(sent)]
        },
        'sign-in': async (browser, address) => {
          const failed = await signIn(browser, address, second)
          const page = await browser.follow(failed)
          return [failed, page, await signIn(browser, address, '\ud800'), await signIn(browser, address, '')]
        }
      }
    for (const [name, run] of Object.entries(paths)) {
      const all: unknown[] = []
      for (const address of addresses) {
        const before = mailbox.mails.length
        const responses = await run(newBrowser(), address)
        all.push(responses.map((response) => describe(response, address)))
        t.equal(mailbox.mails.length - before, name === 'sign-in' ? 0 : 1, `${name}: mails to ${address}`)
      }
      for (const [index, one] of all.entries()) t.same(one, all.at(-1), `${strategy}: ${name}: ${addresses[index]}`)
    }
    const subjects = (address: string): readonly string[] =>
      mailbox.mails.filter(({ to }) => to === address).map(({ subject }) => subject)
    t.match(subjects('known@example.com').slice(-2), [/already have an account/, /new password/])
    t.match(subjects('never@example.com'), [/Confirm your email/, /No account/])
    t.notMatch(mailbox.mails.find(({ subject }) => /already/.test(subject))?.text, /token=/)
  }
})

t.test('enumeration: a mail that cannot be sent fails in the same way, and leaves no ticket', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app, 'known@example.com')
  app.mailbox.fail(new Error('no'))
  const outcomes: unknown[] = []
  for (const address of ['known@example.com', 'never@example.com']) {
    const browser = app.newBrowser()
    const responses = [await signUp(browser, address, first), await forget(browser, address)]
    outcomes.push(responses.map((response) => describe(response, address)))
  }
  t.same(outcomes[0], outcomes[1])
  t.match(outcomes[0], [{ location: /EmailSignin/ }, { location: /EmailSignin/ }])
})

t.test('enumeration: limits count every address alike', async (t) => {
  const limiter = createLimiter()
  const app = await openApplication(t, 'database', { rateLimit: { limiter } })
  await createUser(app, 'known@example.com')
  const count = async (act: (browser: Browser) => Promise<BrowserResponse>): Promise<number> => {
    for (let done = 0; done < 30; done++) if ((await act(app.newBrowser())).status === 429) return done
    return -1
  }
  const typed = async (address: string) => count((browser) => signIn(browser, address, second))
  t.equal(await typed('known@example.com'), 10)
  t.equal(await typed('never@example.com'), 10)
  limiter.clear()
  await createUser(app, 'other@example.com')
  t.ok(await canSignIn(app.newBrowser(), 'other@example.com', first))
  for (let done = 0; done < 12; done++) t.ok(await canSignIn(app.newBrowser(), 'other@example.com', first))
  const mails = async (address: string) => count((browser) => forget(browser, address))
  t.equal(await mails('third@example.com'), 5, 'mails to one address')
})

/** The steps of an attacker who knows the address, and of its owner. */
interface Victim {
  readonly app: Application
  readonly attacker: Browser
  readonly owner: Browser
}

/** Ways in which the owner of the address creates the account, or proves the address. */
const ownerSteps: Readonly<Record<string, (victim: Victim) => Promise<unknown>>> = {
  'signs up with a password': async ({ owner, app: { mailbox } }) => {
    await signUp(owner, ada, second)
    await openLink(owner, mailbox.last())
  },
  'signs up with a code': async ({ owner, app: { mailbox } }) => {
    const page = await owner.follow(await signUp(owner, ada, second))
    await owner.fill(page, 'form', { code: mailbox.last().code })
  },
  'signs in by mail': async ({ owner, app: { mailbox } }) => {
    await signInByMail(owner, ada, mailbox)
  }
}

t.test('pre-hijack: no password of an attacker signs in after the owner has the account', async (t) => {
  for (const [name, act] of Object.entries(ownerSteps))
    for (const when of ['before', 'between', 'after'] as const)
      for (const strategy of someStrategies()) {
        const app = await openApplication(t, strategy)
        const victim = { app, attacker: app.newBrowser(), owner: app.newBrowser() }
        const { attacker, owner } = victim
        const attack = async (): Promise<void> => void (await signUp(attacker, ada, first))
        if (when === 'before') await attack()
        if (when === 'between') {
          // The owner has asked for a mail, and has not opened it.
          await signUp(owner, ada, second)
          await attack()
        }
        await act(victim)
        if (when === 'after') await attack()
        const title = `${strategy}: the owner ${name}, the attacker signs up ${when}`
        t.equal(await getAddress(owner), ada, `${title}: the owner is signed in`)
        t.notOk(await canSignIn(app.newBrowser(), ada, first), `${title}: the attacker's password`)
        const stolen = await attacker.submit(`${base}/callback/password-sign-up`, { code: 'BBBBBBBB' })
        t.equal(stolen.status, 400)
        t.equal(await getAddress(attacker), null)
      }
})

t.test('pre-hijack: the owner who opens the link of an attacker chooses a password', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openApplication(t, strategy)
    const [attacker, owner] = [app.newBrowser(), app.newBrowser()]
    await signUp(attacker, ada, first)
    const page = await owner.open(app.mailbox.last().url)
    t.ok(page.html().querySelector('input[name=password][autocomplete=new-password]'))
    t.equal(page.html().querySelector('input[autocomplete=username]')?.getAttribute('value'), ada)
    const short = await owner.fill(page, 'form', { password: 'short' })
    t.equal(short.status, 400)
    t.match(short.body, 'Use at least 15 characters')
    t.equal(await findUser(app, ada), null, 'a password that is refused creates nobody')
    await owner.fill(short, 'form', { password: second })
    t.equal(await getAddress(owner), ada)
    t.notOk(await canSignIn(attacker, ada, first))
    t.ok(await canSignIn(app.newBrowser(), ada, second))
  }
})

t.test(
  'pre-hijack: the password of a sign-up is discarded if the address is that of a verified user by then',
  async (t) => {
    for (const isVerified of [true, false])
      for (const strategy of someStrategies()) {
        const app = await openApplication(t, strategy)
        const browser = app.newBrowser()
        await signUp(browser, ada, first)
        const { url } = app.mailbox.last()
        const emailVerified = isVerified ? new Date(app.clock.now()) : null
        await app.adapter.createUser?.({ id: '1', name: 'Ada', email: ada, emailVerified })
        const user = await findUser(app, ada)
        const other = app.newBrowser()
        t.match((await other.open(url)).body, isVerified ? 'is not used' : 'Choose a password')
        await openLink(browser, { url })
        t.equal(await getAddress(browser), ada)
        t.ok((await findUser(app, ada))?.emailVerified)
        t.equal((await findUser(app, ada))?.id, user?.id)
        // Nobody has proven the address before: what is in this browser is the owner's.
        t.equal(await app.auth.features.password.has(user?.id ?? ''), !isVerified)
        app.clock.advance(60)
        t.equal(await canSignIn(app.newBrowser(), ada, first), !isVerified)
      }
  }
)

t.test(
  'pre-hijack: the code too discards the password if the address is that of a verified user by then',
  async (t) => {
    for (const strategy of someStrategies()) {
      const app = await openApplication(t, strategy)
      const browser = app.newBrowser()
      const page = await browser.follow(await signUp(browser, ada, first))
      const { code } = app.mailbox.last()
      const owner = app.newBrowser()
      await signInByMail(owner, ada, app.mailbox)
      await browser.fill(await browser.fill(page, 'form', { code }), 'form')
      t.equal(await getAddress(browser), ada)
      t.notOk(await canSignIn(app.newBrowser(), ada, first))
    }
  }
)

t.test('pre-hijack: a reclaim deletes a password that was set before, and its sessions', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openApplication(t, strategy)
    const [attacker, owner] = [app.newBrowser(), app.newBrowser()]
    await createUser(app, ada)
    const user = await findUser(app, ada)
    // The application lets users change their address without a proof.
    await app.adapter.updateUser?.({ id: user?.id ?? '', emailVerified: null })
    t.ok(await canSignIn(attacker, ada, first))
    await signInByMail(owner, ada, app.mailbox)
    t.equal(await getAddress(owner), ada)
    t.equal(await getAddress(attacker), null)
    app.clock.advance(60)
    t.notOk(await canSignIn(attacker, ada, first))
    t.equal(await app.auth.features.password.has(user?.id ?? ''), false)
    const set = await change(owner, { password: second })
    t.match(set.location, /changed/)
    t.ok(await canSignIn(app.newBrowser(), ada, second))
  }
})

t.test('a user with an unverified address cannot set a password, and gets a link that verifies it', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app, ada)
  const user = await findUser(app, ada)
  await app.adapter.updateUser?.({ id: user?.id ?? '', emailVerified: null })
  await app.adapter.deleteFactor?.({ type: 'password', id: user?.id ?? '' })
  t.equal((await browser.open(`${base}/password`)).status, 403)
  t.equal((await browser.submit(`${base}/password`, { password: second })).status, 403)
  t.equal(await app.auth.features.password.has(user?.id ?? ''), false)
  const other = app.newBrowser()
  await forget(other, ada)
  t.match(app.mailbox.last().text, 'not verified yet')
  await openLink(other, app.mailbox.last())
  t.equal(await getAddress(other), ada)
  t.ok((await findUser(app, ada))?.emailVerified)
})

t.test('links of resets', async (t) => {
  const gone = 'This link no longer works'
  for (const strategy of someStrategies()) {
    const ask = async () => {
      const app = await openApplication(t, strategy)
      const browser = await createUser(app)
      const user = await findUser(app, ada)
      await forget(app.newBrowser(), ada)
      return { app, browser, userId: user?.id ?? '', url: app.mailbox.last().url }
    }
    const isGone = async ({ newBrowser }: Application, url: string): Promise<boolean> => {
      const browser = newBrowser()
      const token = new URL(url).searchParams.get('token') ?? ''
      const posted = await browser.submit(`${base}/password/reset`, { token, password: second })
      return (await browser.open(url)).body.includes(gone) && posted.body.includes(gone) && posted.status === 400
    }
    {
      const { app, url, browser } = await ask()
      const scanner = app.newBrowser()
      for (let count = 0; count < 3; count++) t.equal((await scanner.open(url)).status, 200)
      await scanner.request('HEAD', url)
      t.equal(await getAddress(browser), ada, 'GET and HEAD change nothing')
      const page = await scanner.open(url)
      t.match(page.headers, { 'cache-control': /no-store/, 'referrer-policy': /^(no-referrer|strict-origin)$/ })
      t.equal(page.html().querySelector('input[autocomplete=username]')?.getAttribute('value'), ada)
      const refused = await scanner.fill(page, 'form', { password: 'short' })
      t.equal(refused.status, 400)
      t.match((await scanner.fill(refused, 'form', { password: second })).location, /changed/)
      t.match(
        (
          await scanner.submit(`${base}/password/reset`, {
            token: new URL(url).searchParams.get('token') ?? '',
            password: first
          })
        ).body,
        'Already done'
      )
      t.equal(await getAddress(browser), null)
      t.ok(await canSignIn(browser, ada, second))
    }
    {
      const { app, url, browser } = await ask()
      await change(browser, { password: second })
      t.ok(await isGone(app, url), 'the password was changed')
      t.ok(await canSignIn(browser, ada, second))
    }
    {
      const { app, url, userId } = await ask()
      await app.adapter.updateUser?.({ id: userId, email: 'grace@example.com' })
      t.ok(await isGone(app, url), 'the address was changed')
      await app.adapter.updateUser?.({ id: userId, email: ada, emailVerified: null })
      t.ok(await isGone(app, url), 'the address is no longer verified')
    }
    {
      const { app, url } = await ask()
      app.clock.advance(3601)
      t.ok(await isGone(app, url), 'it has expired')
    }
    {
      const { app, url, userId } = await ask()
      await app.auth.users.suspend(userId)
      t.ok(await isGone(app, url), 'the user was suspended')
    }
    {
      const { app, url, userId } = await ask()
      await app.auth.deleteUser(userId)
      t.ok(await isGone(app, url), 'the user was deleted')
      t.same(await app.adapter.listFactors?.(userId), [])
    }
    {
      const { app, url } = await ask()
      await forget(app.newBrowser(), ada)
      await openLink(app.newBrowser(), app.mailbox.last(), { password: second })
      t.ok(await isGone(app, url), 'another link was used')
    }
    {
      const { app, url } = await ask()
      const grace = await createUser(app, 'grace@example.com', second)
      await openLink(grace, { url }, { password: 'a third sentence to remember' })
      t.equal(await getAddress(grace), 'grace@example.com', 'the session of another user remains')
      t.ok(await canSignIn(app.newBrowser(), 'grace@example.com', second))
      t.ok(await canSignIn(app.newBrowser(), ada, 'a third sentence to remember'))
    }
  }
})

t.test('links have the origin of the configuration', async (t) => {
  const app = await openApplication(t, 'database')
  for (const headers of [{ host: 'evil.test' }, { 'x-forwarded-host': 'evil.test' }, { forwarded: 'host=evil.test' }]) {
    const browser = app.newBrowser()
    await browser.submit(`${base}/password/forgot`, { email: ada }, { headers })
    await browser.submit(`${base}/password/sign-up`, { email: ada, password: first }, { headers })
  }
  t.ok(app.mailbox.mails.length > 0)
  for (const { text, html } of app.mailbox.mails) t.notMatch(text + html, 'evil.test')
  for (const { url } of app.mailbox.mails) t.equal(new URL(url).origin, origin)
})

t.test('five codes are verified, and only in the browser that has signed up', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = app.newBrowser()
  await signUp(browser, ada, first)
  const { code } = app.mailbox.last()
  const enter = (from: Browser, typed: string) => from.submit(`${base}/callback/password-sign-up`, { code: typed })
  t.match((await enter(app.newBrowser(), code)).body, 'no longer works')
  for (let count = 0; count < 5; count++) t.match((await enter(browser, 'BBBBBBBB')).body, 'code is wrong')
  t.match((await enter(browser, code)).body, 'no longer works', 'the sixth code is not verified')
  t.equal(await getAddress(browser), null)
  await signUp(browser, ada, first)
  await enter(browser, app.mailbox.last().code)
  t.equal(await getAddress(browser), ada)
  t.match((await enter(browser, app.mailbox.last().code)).body, 'no longer works', 'a code is used once')
})

t.test('one token is of no use where another is expected', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app)
  await forget(app.newBrowser(), ada)
  const resetToken = new URL(app.mailbox.last().url).searchParams.get('token') ?? ''
  await signUp(app.newBrowser(), 'grace@example.com', first)
  const signUpToken = new URL(app.mailbox.last().url).searchParams.get('token') ?? ''
  const browser = app.newBrowser()
  const asSignUp = await browser.submit(`${base}/callback/password-sign-up`, { token: resetToken })
  t.equal(asSignUp.status, 400)
  const asReset = await browser.submit(`${base}/password/reset`, { token: signUpToken, password: second })
  t.equal(asReset.status, 400)
  t.equal(await getAddress(browser), null)
})

t.test('forms need their CSRF token', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  const posts: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['/password/sign-up', { email: 'grace@example.com', password: first }],
    ['/password/forgot', { email: ada }],
    ['/password', { password: second }],
    ['/callback/password', { email: ada, password: first }]
  ]
  const before = app.mailbox.mails.length
  for (const [path, fields] of posts)
    await browser.submit(base + path, { ...fields, csrfToken: 'wrong' }, { headers: { origin: 'https://evil.test' } })
  t.equal(app.mailbox.mails.length, before)
  t.ok(await canSignIn(app.newBrowser(), ada, first))
})

t.test('the name of the site is no password', async (t) => {
  const app = await openApplication(t, 'database', { theme: { name: 'My Little Bookshop' } })
  const refused = await signUp(app.newBrowser(), ada, 'my little bookshop')
  t.match({ status: refused.status, body: refused.body }, { status: 400, body: 'the name of the site' })
  t.equal(app.mailbox.mails.length, 0)
})

t.test('equivalent texts are one password, and no password is cut', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app, ada, 'Stra\u00dfe nach Mu\u0308nchen 42')
  t.ok(await canSignIn(app.newBrowser(), ada, 'Stra\u00dfe nach M\u00fcnchen 42'))
  t.notOk(await canSignIn(app.newBrowser(), ada, 'Strasse nach M\u00fcnchen 42'))
  const syllables = Array.from({ length: 85 }, (_, index) => (1300 + 157 * index).toString(36).slice(-3))
  const long = `${syllables.join('')}X`
  t.equal(long.length, 256)
  const browser = await createUser(app, 'long@example.com', long)
  t.equal(await getAddress(browser), 'long@example.com')
  t.ok(await canSignIn(app.newBrowser(), 'long@example.com', long))
  t.notOk(await canSignIn(app.newBrowser(), 'long@example.com', `${long.slice(0, -1)}Y`))
  const refused = async (chosen: string): Promise<BrowserResponse> =>
    app.newBrowser().submit(`${base}/password/sign-up`, { email: 'x@example.com', password: chosen }, { json: true })
  for (const [chosen, problem] of [
    [`${long}1`, 'tooLong'],
    ['a zero \0 character inside', 'characters'],
    ['a lone surrogate \ud83d inside', 'characters']
  ] as const) {
    const response = await refused(chosen)
    t.equal(response.status, 400)
    t.match(response.body, `"problem":"${problem}"`)
  }
})

for (const [name, open] of stores)
  t.test(`${name}: exactly once`, async (t) => {
    for (const strategy of someStrategies()) {
      const app = await openApplication(t, strategy, { adapter: open() })
      const race = async <T>(count: number, act: (index: number) => Promise<T>): Promise<readonly T[]> =>
        Promise.all(Array.from({ length: count }, (_, index) => act(index)))

      const signedUp = app.newBrowser()
      await signUp(signedUp, ada, first)
      const token = new URL(app.mailbox.last().url).searchParams.get('token') ?? ''
      const csrf = await signedUp.json<{ csrfToken: string }>(`${base}/csrf`)
      const confirmed = await race(50, () => signedUp.submit(`${base}/callback/password-sign-up`, { token, ...csrf }))
      const sessions = confirmed.filter(({ setCookies }) =>
        setCookies.some(({ name, value }) => name.includes('session-token') && value !== '')
      )
      t.equal(sessions.length, 1, `${strategy}: one of 50 is signed in`)
      const user = await findUser(app, ada)
      t.equal((await app.adapter.listFactors?.(user?.id ?? ''))?.length, 1)
      t.ok(await canSignIn(app.newBrowser(), ada, first))

      await forget(app.newBrowser(), ada)
      const resetToken = new URL(app.mailbox.last().url).searchParams.get('token') ?? ''
      const thieves = await race(20, async () => app.newBrowser())
      const chosen = (index: number): string => `the sentence of the browser ${index}`
      const changed = await race(20, async (index) =>
        thieves[index]?.submit(`${base}/password/reset`, { token: resetToken, password: chosen(index) })
      )
      const winners = changed.flatMap((response, index) => (/changed/.test(response?.location ?? '') ? [index] : []))
      t.equal(winners.length, 1, `${strategy}: one of 20 chooses the password`)
      t.ok(await canSignIn(app.newBrowser(), ada, chosen(winners[0] ?? 0)))
      t.notOk(await canSignIn(app.newBrowser(), ada, first))
      t.equal((await app.adapter.listEvents?.({ type: 'password-reset', limit: 10 }))?.length, 1)
    }
  })

t.test('the queue of hashes overflows with 503, and recovers', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app)
  const browsers = Array.from({ length: 120 }, () => app.newBrowser())
  const tokens = await Promise.all(browsers.map((browser) => browser.json<{ csrfToken: string }>(`${base}/csrf`)))
  const responses = await Promise.all(
    browsers.map((browser, index) =>
      browser.submit(`${base}/callback/password`, { email: ada, password: first, ...tokens[index] })
    )
  )
  const refused = responses.filter(({ status }) => status === 503)
  t.ok(refused.length > 0, 'some are refused')
  t.ok(refused.length < responses.length, 'others are signed in')
  for (const { headers } of refused) t.match(headers['retry-after'], /^\d+$/)
  t.ok(await canSignIn(app.newBrowser(), ada, first))
})
