import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, RateLimiter } from '@postern/core'
import { type Browser, type BrowserResponse, createBrowser, fromFetch } from '@postern/testkit'
import { inTurn, times, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { countCheapHashes, type HashCost } from './cheap-hashes.ts'
import { createGate, pass } from './gate.ts'
import { createPaused } from './interrupted-store.ts'
import {
  type Application,
  type ApplicationOptions,
  ada,
  base,
  canSignIn,
  change,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  openApplication,
  openLink,
  origin,
  type Strategy,
  second,
  signIn,
  signInByMail,
  signUp,
  strategies
} from './password-application.ts'

/** In `npm test` a test, or a case of it, has one strategy, the next one the other; in the long run each has both. */
const someStrategies = inTurn(strategies)

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

t.test('the link of a reset is used by its form only, and once', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  await forget(app.newBrowser(), ada)
  const { url } = app.mailbox.last()
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
  const token = new URL(url).searchParams.get('token') ?? ''
  t.match((await scanner.submit(`${base}/password/reset`, { token, password: first })).body, 'Already done')
  t.equal(await getAddress(browser), null)
  t.ok(await canSignIn(browser, ada, second))
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

t.test('the name of the site is no password', async (t) => {
  const app = await openApplication(t, 'database', { theme: { name: 'My Little Bookshop' } })
  const refused = await signUp(app.newBrowser(), ada, 'my little bookshop')
  t.match({ status: refused.status, body: refused.body }, { status: 400, body: 'the name of the site' })
  t.equal(app.mailbox.mails.length, 0)
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

const turns = turnsOf(strategies, t)

const evil = 'mallory@evil.test'
const third = 'a third sentence to remember'

/** What each hash was asked to cost: they are counted, and computed with less. */
const costs: HashCost[] = []

countCheapHashes((cost) => costs.push(cost))

/** Counts the hashes that work makes. */
async function countHashes(work: () => Promise<unknown>): Promise<number> {
  const before = costs.length
  await work()
  return costs.length - before
}

/** A limiter whose windows do not end. */
function createLimiter(): RateLimiter {
  const counts = new Map<string, number>()
  return {
    consume: async (key, { points, seconds }) => {
      const id = `${points}/${seconds} ${key}`
      const count = (counts.get(id) ?? 0) + 1
      counts.set(id, count)
      return count > points ? seconds : 0
    },
    refund: async (key, { points, seconds }) => {
      const id = `${points}/${seconds} ${key}`
      counts.set(id, Math.max(0, (counts.get(id) ?? 0) - 1))
    }
  }
}

/** Comparisons of imported hashes, and what runs between the read of a hash and its comparison, which may take long. */
interface Comparison {
  whileCompared: (() => Promise<void>) | null
  readonly typed: string[]
}

async function openWithLegacy(t: Test, strategy: Strategy, options: ApplicationOptions = {}) {
  const comparison: Comparison = { whileCompared: null, typed: [] }
  const verifyLegacy = async (hash: string, typed: string): Promise<boolean> => {
    comparison.typed.push(typed)
    return hash === `legacy:${typed}`
  }
  const inner = memoryAdapter()
  const adapter: Adapter = {
    ...inner,
    getFactor: async (key) => {
      const found = (await inner.getFactor?.(key)) ?? null
      const run = comparison.whileCompared
      comparison.whileCompared = null
      await run?.()
      return found
    }
  }
  const app = await openApplication(t, strategy, { ...options, adapter, password: { verifyLegacy } })
  return { ...app, comparison }
}

/** Something that runs while a new password is looked up, which may take a second. */
function createInterruption() {
  const interruption: { run: (() => Promise<void>) | null; readonly breached: () => Promise<boolean> } = {
    run: null,
    breached: async () => {
      const { run } = interruption
      interruption.run = null
      await run?.()
      return false
    }
  }
  return interruption
}

/** A user with an imported hash. */
async function importUser({ adapter, auth }: Application, address: string, isVerified: boolean): Promise<string> {
  const user = await adapter.createUser?.({
    name: null,
    email: address,
    emailVerified: isVerified ? new Date() : null
  })
  const id = user?.id ?? ''
  await auth.features.password.setHash(id, `legacy:${first}`)
  return id
}

const postJson = (browser: Browser, path: string, body: unknown, more = {}): Promise<BrowserResponse> =>
  browser.post(path, JSON.stringify(body), { 'content-type': 'application/json', ...more })

const getCsrfToken = async (browser: Browser): Promise<string> =>
  (await browser.json<{ csrfToken: string }>(`${base}/csrf`)).csrfToken

for (const { value: strategy, test } of turns()) {
  for (const how of ['change', 'reset'] as const)
    test(`${strategy}: attack: a sign-in with the old password that overlaps a ${how}`, async (t) => {
      const app = await openWithLegacy(t, strategy)
      const id = await importUser(app, ada, true)
      const [owner, thief] = [app.newBrowser(), app.newBrowser()]
      await signInByMail(owner, ada, app.mailbox)
      await forget(app.newBrowser(), ada)
      const link = app.mailbox.last()
      app.clock.advance(5)
      app.comparison.whileCompared = async () => {
        app.clock.advance(1)
        if (how === 'reset') await openLink(app.newBrowser(), link, { password: second })
        else t.match((await change(owner, { password: second })).location, /changed/)
        app.clock.advance(1)
      }
      await signIn(thief, ada, first)
      t.equal(app.comparison.whileCompared, null, 'it overlapped')
      t.equal(await getAddress(thief), null, 'the old password signs nobody in')
      t.notOk(await canSignIn(app.newBrowser(), ada, first), 'the old password is not stored again')
      t.ok(await canSignIn(app.newBrowser(), ada, second))
      t.equal(await app.auth.features.password.has(id), true)
    })

  for (const how of ['suspend', 'delete', 'reclaim', 'revoke'] as const)
    test(`${strategy}: attack: a sign-in while somebody acts on its user: ${how}`, async (t) => {
      const app = await openWithLegacy(t, strategy)
      const id = await importUser(app, ada, how !== 'reclaim')
      const owner = app.newBrowser()
      app.clock.advance(5)
      app.comparison.whileCompared = async () => {
        app.clock.advance(1)
        if (how === 'suspend') await app.auth.users.suspend(id)
        else if (how === 'delete') await app.auth.deleteUser(id)
        else if (how === 'revoke') await app.auth.sessions.revokeAll(id)
        else await signInByMail(owner, ada, app.mailbox)
        app.clock.advance(1)
      }
      const thief = app.newBrowser()
      await signIn(thief, ada, first)
      t.equal(app.comparison.whileCompared, null, 'it overlapped')
      t.equal(await getAddress(thief), null)
      app.clock.advance(40)
      if (how === 'reclaim' || how === 'delete') {
        t.equal(await app.auth.features.password.has(id), false, 'no password is left')
        t.notOk(await canSignIn(app.newBrowser(), ada, first))
      }
      if (how === 'reclaim') t.equal(await getAddress(owner), ada, 'the owner stays signed in')
    })
}

const withoutReference = (text: string): string => text.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'REF')

/** What a client sees of a response, without what is random. */
function describe({ status, location, body, headers, setCookies }: BrowserResponse): object {
  const { 'set-cookie': _, date: __, ...others } = headers
  return {
    status,
    location: withoutReference(location ?? ''),
    body: withoutReference(body.replaceAll(/value="[^"]*"/g, '')),
    headers: Object.fromEntries(
      Object.entries(others).map(([name, value]) => [name, String(value).replaceAll(/nonce-[^']*/g, '').length])
    ),
    cookies: setCookies.map(({ name, value, path }) => ({ name, length: value.length, path }))
  }
}

/** Users of every kind, whose addresses have one length. */
async function createKinds(app: Application & { readonly comparison: Comparison }) {
  const at = (name: string): string => `${name}@example.com`
  await createUser(app, at('password'), first)
  await app.adapter.createUser?.({ name: null, email: at('mailonly'), emailVerified: new Date() })
  await app.adapter.createUser?.({ name: null, email: at('unproven'), emailVerified: null })
  await importUser(app, at('imported'), true)
  const suspended = await importUser(app, at('suspends'), true)
  await app.auth.users.suspend(suspended)
  return ['nobodyis', 'password', 'mailonly', 'unproven', 'imported', 'suspends'].map(at)
}

for (const json of [false, true])
  t.test(`enumeration: users of every kind look like nobody${json ? ', as JSON' : ''}`, async (t) => {
    const app = await openWithLegacy(t, 'database')
    const [nobody = '', ...known] = await createKinds(app)
    const more = json ? { json: 'true' } : {}
    const steps: readonly (readonly [string, (browser: Browser, address: string) => Promise<BrowserResponse>])[] = [
      ['sign-up', (browser, email) => browser.submit(`${base}/password/sign-up`, { email, password: second, ...more })],
      ['check-mail', (browser) => browser.open(`${base}/password/check-mail`)],
      [
        'wrong code',
        async (browser) =>
          browser.fill(await browser.open(`${base}/password/check-mail`), 'form', { code: 'BBBB-BBBB' })
      ],
      [
        'fifth wrong code',
        async (browser) => {
          for (let count = 0; count < 3; count++)
            await browser.fill(await browser.open(`${base}/password/check-mail`), 'form', { code: 'BBBB-BBBB' })
          return browser.fill(await browser.open(`${base}/password/check-mail`), 'form', { code: 'BBBB-BBBB' })
        }
      ],
      ['check-mail afterwards', (browser) => browser.open(`${base}/password/check-mail`)],
      ['forgot', (browser, email) => browser.submit(`${base}/password/forgot`, { email, ...more })],
      ['sent', (browser) => browser.open(`${base}/password/forgot/sent`)],
      [
        'sign-in',
        (browser, email) => browser.submit(`${base}/callback/password`, { email, password: 'wrong', ...more })
      ],
      ['sign-in page', (browser) => browser.open(`${base}/signin?error=CredentialsSignin`)],
      ['session', (browser) => browser.open(`${base}/session`)]
    ]
    const visit = async (address: string) => {
      const browser = app.newBrowser()
      const seen: Record<string, object> = {}
      const sent = app.mailbox.mails.length
      for (const [name, step] of steps)
        seen[name] = JSON.parse(JSON.stringify(describe(await step(browser, address))).replaceAll(address, 'ADDRESS'))
      return { seen, mails: app.mailbox.mails.length - sent }
    }
    const expected = await visit(nobody)
    for (const address of known) {
      const found = await visit(address)
      t.equal(found.mails, expected.mails, address)
      for (const [name] of steps) t.same(found.seen[name], expected.seen[name], `${address} ${name}`)
    }
  })

t.test('enumeration: a mail that cannot be sent fails in the same way, and leaves no ticket', async (t) => {
  const inner = memoryAdapter()
  const tickets = new Set<string>()
  const adapter: Adapter = {
    ...inner,
    createTicket: async (ticket) => {
      tickets.add(ticket.id)
      await inner.createTicket(ticket)
    },
    consumeTicket: async (key) => {
      tickets.delete(key.id)
      return inner.consumeTicket(key)
    }
  }
  const app = await openApplication(t, 'database', { adapter })
  await createUser(app, 'known@example.com')
  app.mailbox.fail(new Error('no'))
  tickets.clear()
  const outcomes: unknown[] = []
  for (const address of ['known@example.com', 'never@example.com']) {
    const browser = app.newBrowser()
    const responses = [await signUp(browser, address, first), await forget(browser, address)]
    outcomes.push(responses.map(describe))
  }
  t.same([...tickets], [])
  t.same(outcomes[0], outcomes[1])
  t.match(outcomes[0], [{ location: /EmailSignin/ }, { location: /EmailSignin/ }])
})

t.test('enumeration: limits count users of every kind alike', async (t) => {
  const app = await openWithLegacy(t, 'database', { rateLimit: { limiter: createLimiter() } })
  const limits = async (address: string) => {
    const statuses: number[] = []
    for (let count = 0; count < 12; count++)
      statuses.push(
        (await app.newBrowser().submit(`${base}/callback/password`, { email: address, password: 'wrong' })).status
      )
    for (let count = 0; count < 3; count++) {
      statuses.push(
        (await app.newBrowser().submit(`${base}/password/sign-up`, { email: address, password: second })).status
      )
      statuses.push((await app.newBrowser().submit(`${base}/password/forgot`, { email: address })).status)
    }
    return statuses
  }
  const expected = await limits('nobodyis@example.com')
  await importUser(app, 'imported@example.com', true)
  t.same(await limits('imported@example.com'), expected)
  t.ok(expected.includes(429))
})

t.test('attack: sign-in from many spellings of an address shares one limit', async (t) => {
  const app = await openWithLegacy(t, 'database', { rateLimit: { limiter: createLimiter() } })
  await importUser(app, ada, true)
  const spellings = [
    ada,
    'ADA@example.com',
    ' ada@example.com',
    'ada@EXAMPLE.COM',
    'ａda@example.com',
    'ada@example.com '
  ]
  const statuses: (number | string | null)[] = []
  for (let count = 0; count < 24; count++) {
    const email = spellings[count % spellings.length] ?? ada
    statuses.push(
      (await app.newBrowser().submit(`${base}/callback/password`, { email, password: `wrong ${count}` })).status
    )
  }
  t.ok(statuses.filter((status) => status !== 429).length <= 10, String(statuses))
  t.ok(app.comparison.typed.length <= 10)
})

t.test('attack: repeated and strange fields reach no other counter, and no error', async (t) => {
  const app = await openWithLegacy(t, 'database', { rateLimit: { limiter: createLimiter() } })
  await importUser(app, ada, true)
  const browser = app.newBrowser()
  const csrfToken = await getCsrfToken(browser)
  for (let count = 0; count < 40; count++) {
    const other = `other${count}@example.com`
    const [a, b] = count % 2 ? [ada, other] : [other, ada]
    const body = `email=${a}&email=${b}&password=wrong${count}&csrfToken=${csrfToken}`
    t.ok((await browser.post(`${base}/callback/password`, body)).status < 500)
    const json = await postJson(browser, `${base}/callback/password`, { email: [a, b], password: 'x', csrfToken })
    t.ok(json.status < 500)
  }
  t.ok(app.comparison.typed.length <= 10, `${app.comparison.typed.length} guesses`)
  const odd = [1, true, null, ['a'], { a: 1 }, [[]], Number.MAX_VALUE, '\0', '\ud800', 'x'.repeat(100_000)]
  for (const path of ['callback/password', 'password/sign-up', 'password/forgot', 'password/reset', 'password'])
    for (const value of odd)
      for (const field of ['email', 'password', 'token', 'code', 'currentPassword']) {
        const fields = { email: `a${Math.random()}@example.com`, password: second, csrfToken, [field]: value }
        const { status } = await postJson(browser, `${base}/${path}`, fields)
        t.ok(status < 500, `${path} ${field} ${JSON.stringify(value)?.slice(0, 20)}: ${status}`)
      }
  t.equal(await findUser(app, 'a'), null)
})

t.test('attack: after the limits, a client causes no more hashes', async (t) => {
  const app = await openWithLegacy(t, 'database', { rateLimit: { limiter: createLimiter() } })
  const browser = app.newBrowser()
  const routes: readonly (readonly [string, (count: number) => Promise<BrowserResponse>, number])[] = [
    [
      'sign-up',
      (n) => browser.submit(`${base}/password/sign-up`, { email: `a${n}@example.com`, password: second }),
      20
    ],
    ['sign-in', (n) => browser.submit(`${base}/callback/password`, { email: `a${n}@example.com`, password: 'x' }), 100],
    [
      'reset',
      (n) => browser.submit(`${base}/password/reset`, { token: 'a'.repeat(42) + (n % 10), password: second }),
      0
    ],
    ['change', () => browser.submit(`${base}/password`, { currentPassword: first, password: second }), 0],
    ['code', () => browser.submit(`${base}/password/check-mail`, { code: 'BBBBBBBB', password: second }), 0]
  ]
  for (const [name, send, most] of routes) {
    const count = await countHashes(async () => {
      for (let n = 0; n < most + 15; n++) await send(n)
    })
    t.ok(count <= most, `${name}: ${count} hashes`)
  }
})

t.test('attack: an own account is no way around the limit of hashes', async (t) => {
  const app = await openApplication(t, 'database', { rateLimit: { limiter: createLimiter() } })
  const browser = await createUser(app)
  const statuses = new Set<number>()
  for (let count = 0; count < 130; count++)
    statuses.add((await browser.submit(`${base}/callback/password`, { email: ada, password: first })).status)
  t.ok(statuses.has(429), 'right passwords are limited too')
})

const salt = Buffer.alloc(16).toString('base64').replaceAll('=', '')
const key = Buffer.alloc(32).toString('base64').replaceAll('=', '')

const importedHashes: Readonly<Record<string, readonly string[]>> = {
  'are not hashes': [
    `$argon2id$v=19$m=8,t=1,p=1$$`,
    `$argon2id$v=19$m=8,t=1,p=1$${salt}$`,
    `$argon2id$v=19$m=-1,t=1e9,p=NaN$${salt}$${key}`,
    `$argon2i$v=16$m=8,t=1,p=1$${salt}$${key}`,
    '$',
    'x'.repeat(100_000),
    '__proto__'
  ],
  'are expensive': [
    `$argon2id$v=19$m=4194304,t=1000,p=1$${salt}$${key}`,
    `$argon2id$v=19$m=4294967295,t=4294967295,p=16777215$${salt}$${key}`,
    `$argon2id$v=19$m=19456,t=100000000,p=1$${salt}$${key}`,
    `$scrypt$ln=40,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=17,r=4000000,p=100$${salt}$${key}`
  ]
}

for (const [kind, hashes] of Object.entries(importedHashes))
  t.test(`attack: imported hashes that ${kind}`, async (t) => {
    const app = await openApplication(t, 'database', { password: { verifyLegacy: () => false } })
    const user = await app.adapter.createUser?.({ name: null, email: ada, emailVerified: new Date() })
    for (const hash of hashes) {
      const stored = await app.auth.features.password.setHash(user?.id ?? '', hash).then(
        () => true,
        () => false
      )
      costs.length = 0
      const response = await signIn(app.newBrowser(), ada, first)
      for (const { memory, passes, parallelism } of costs)
        t.ok(
          memory * parallelism <= 2 ** 20 && memory * passes <= 2 ** 24 && passes <= 1000,
          `${hash.slice(0, 60)}: ${memory} KiB, ${passes} passes, ${parallelism} lanes`
        )
      t.ok(response.status < 500, `${hash.slice(0, 60)}: ${response.status} ${stored}`)
      t.equal(await getAddress(app.newBrowser()), null)
    }
  })

t.test('attack: a comparison that throws, or returns what is not true', async (t) => {
  for (const answer of ['false', 'yes', 1, {}, [], undefined, null, Number.NaN]) {
    const app = await openApplication(t, 'database', { password: { verifyLegacy: async () => answer as boolean } })
    await importUser(app, ada, true)
    const browser = app.newBrowser()
    await signIn(browser, ada, second)
    t.equal(await getAddress(browser), null, JSON.stringify(answer))
  }
  const app = await openApplication(t, 'database', {
    password: {
      verifyLegacy: () => {
        throw new Error('secret of the comparison')
      }
    }
  })
  await importUser(app, ada, true)
  const response = await signIn(app.newBrowser(), ada, second)
  t.notMatch(`${response.location} ${response.body}`, 'secret of the comparison')
  t.match(response.location, /error=Callback/, 'a crash of the application is not a wrong password')
  t.ok(app.logged.some(([code]) => code === 'CALLBACK_ERROR'))
})

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: attack: the user of an attacker whose address becomes that of the owner`, async (t) => {
    for (const way of ['email', 'sign-up', 'sign-up elsewhere', 'code', 'forgot'] as const) {
      const app = await openApplication(t, strategy)
      const { newBrowser, mailbox, adapter } = app
      const attacker = await createUser(app, evil, first)
      await forget(newBrowser(), evil)
      const reset = mailbox.last()
      const user = await findUser(app, evil)
      await adapter.updateUser?.({ id: user?.id ?? '', email: ada, emailVerified: null })
      t.ok(await canSignIn(attacker, ada, first), 'the address is not verified')
      const owner = newBrowser()
      if (way === 'email') await signInByMail(owner, ada, mailbox)
      else if (way === 'forgot') {
        await forget(owner, ada)
        const page = await owner.open(mailbox.last().url)
        const names = page.html().querySelectorAll('input[name=password]').length
        await owner.fill(page, 'form', names > 0 ? { password: second } : {})
      } else {
        const page = await owner.follow(await signUp(owner, ada, second))
        if (way === 'code') {
          const code = mailbox.last().codes[0]
          if (code !== undefined) await owner.fill(page, 'form', { code })
          else await owner.open(mailbox.last().url)
        } else {
          const browser = way === 'sign-up' ? owner : newBrowser()
          const opened = await browser.open(mailbox.last().url)
          const hasInput = opened.html().querySelector('input[name=password]') !== null
          await browser.fill(opened, 'form', hasInput ? { password: third } : {})
        }
      }
      const claimed = await findUser(app, ada)
      t.ok(claimed?.emailVerified, `${way}: the address is verified`)
      app.clock.advance(60)
      t.equal(await getAddress(attacker), null, `${way}: the session of the attacker has ended`)
      t.notOk(await canSignIn(newBrowser(), ada, first), `${way}: the password of the attacker is gone`)
      t.notOk(await canSignIn(newBrowser(), evil, first))
      const opened = await newBrowser().open(reset.url)
      t.equal(opened.html().querySelector('input[name=password]'), null, `${way}: the link of a reset is dead`)
    }
  })

  test(`${strategy}: attack: the code of another address, in the same browser`, async (t) => {
    const app = await openApplication(t, strategy)
    const browser = app.newBrowser()
    await signUp(browser, evil, first)
    const { code, url } = app.mailbox.last()
    const page = await browser.follow(await signUp(browser, ada, second))
    const wrong = await browser.fill(page, 'form', { code })
    t.equal(await findUser(app, ada), null)
    t.equal(wrong.status, 400)
    await openLink(browser, { url }, {}).catch(() => null)
    t.equal(await findUser(app, ada), null)
    t.equal((await getAddress(browser)) === ada, false)
  })

  test(`${strategy}: attack: a link of a sign-up is used once, also at the same time and elsewhere`, async (t) => {
    const app = await openApplication(t, strategy)
    const [browser, other] = [app.newBrowser(), app.newBrowser()]
    await signUp(browser, ada, first)
    const mail = app.mailbox.last()
    const [here, there] = [await browser.open(mail.url), await other.open(mail.url)]
    t.ok(there.html().querySelector('input[name=password]'), 'another browser chooses a password')
    await Promise.all([
      browser.fill(here, 'form'),
      browser.fill(here, 'form'),
      other.fill(there, 'form', { password: second }),
      other.fill(there, 'form', { password: second })
    ])
    const works = [await canSignIn(app.newBrowser(), ada, first), await canSignIn(app.newBrowser(), ada, second)]
    t.equal(works.filter(Boolean).length, 1, 'one password')
    const signedIn = [await getAddress(browser), await getAddress(other)].filter((found) => found === ada)
    t.equal(signedIn.length, 1, 'one session')
    const late = await app.newBrowser().open(mail.url)
    t.equal(late.html().querySelector('input[name=password]'), null)
  })

  test(`${strategy}: attack: links of a sign-up after the address was taken, suspended or deleted`, async (t) => {
    for (const act of ['suspend', 'delete', 'verified by the application', 'invited'] as const) {
      const app = await openApplication(t, strategy)
      const attacker = app.newBrowser()
      await signUp(attacker, ada, first)
      const link = app.mailbox.last()
      const isVerified = act !== 'invited'
      const user = await app.adapter.createUser?.({
        name: null,
        email: ada,
        emailVerified: isVerified ? new Date() : null
      })
      const id = user?.id ?? ''
      if (act === 'suspend') await app.auth.users.suspend(id)
      if (act === 'delete') await app.auth.deleteUser(id)
      if (act === 'invited') await app.auth.invite(id, { expiresIn: 3600 })
      const opened = await app.newBrowser().open(link.url)
      const hasInput = opened.html().querySelector('input[name=password]') !== null
      const browser = app.newBrowser()
      await browser.fill(await browser.open(link.url), 'form', hasInput ? { password: second } : {}).catch(() => null)
      app.clock.advance(60)
      t.notOk(await canSignIn(app.newBrowser(), ada, first), `${act}: the password of the attacker`)
      t.equal(await getAddress(attacker), null, act)
      if (act === 'suspend') t.equal(await getAddress(browser), null, act)
    }
  })

  // A changed password has a new id, and another hash of the same password keeps it.
  test(`${strategy}: a link of a reset works after a sign-in has replaced the imported hash`, async (t) => {
    for (const when of ['before the form', 'during the form']) {
      const interruption = createInterruption()
      const app = await openApplication(t, strategy, {
        password: { breached: interruption.breached, verifyLegacy: () => true }
      })
      const id = await importUser(app, ada, true)
      await forget(app.newBrowser(), ada)
      const { url } = app.mailbox.last()
      const signInNow = async (): Promise<void> => {
        const { version } = (await app.adapter.getFactor?.({ type: 'password', id })) ?? {}
        t.ok(await canSignIn(app.newBrowser(), ada, first))
        t.not((await app.adapter.getFactor?.({ type: 'password', id }))?.version, version, 'the hash was replaced')
      }
      if (when === 'before the form') await signInNow()
      else interruption.run = signInNow
      t.equal(
        (await openLink(app.newBrowser(), { url }, { password: second })).location,
        `${origin}${base}/password/changed`,
        when
      )
      t.ok(await canSignIn(app.newBrowser(), ada, second))
      t.notOk(await canSignIn(app.newBrowser(), ada, first))
      t.equal((await app.newBrowser().open(url)).html().querySelector('input[name=password]'), null)
    }
  })

  test(`${strategy}: attack: links of resets after the address, the status or the password changed`, async (t) => {
    for (const act of [
      'address',
      'unverified',
      'suspended and resumed',
      'asked for while suspended',
      'changed',
      'set by the application',
      'another link',
      'expired',
      'deleted and created again'
    ] as const) {
      const app = await openApplication(t, strategy)
      const owner = await createUser(app)
      const id = (await findUser(app, ada))?.id ?? ''
      if (act === 'asked for while suspended') await app.auth.users.suspend(id)
      const asked = await forget(app.newBrowser(), ada)
      // The mailbox may be why: nothing that was asked for meanwhile works afterwards, and nothing says so.
      t.equal(asked.location, `${origin}${base}/password/forgot/sent`)
      const link = app.mailbox.last()
      t.equal(link.to, ada)
      if (act === 'asked for while suspended') await app.auth.users.resume(id)
      const page = await app.newBrowser().open(link.url)
      if (act === 'address') await app.adapter.updateUser?.({ id, email: 'new@example.com' })
      if (act === 'unverified') await app.adapter.updateUser?.({ id, emailVerified: null })
      if (act === 'suspended and resumed') {
        await app.auth.users.suspend(id)
        await app.auth.users.resume(id)
      }
      if (act === 'changed') await change(owner, { password: third })
      if (act === 'set by the application') await app.auth.features.password.setHash(id, 'legacy')
      if (act === 'another link') {
        await forget(app.newBrowser(), ada)
        await openLink(app.newBrowser(), app.mailbox.last(), { password: third })
      }
      if (act === 'expired') app.clock.advance(3601)
      if (act === 'deleted and created again') {
        await app.auth.deleteUser(id)
        await createUser(app, ada, first)
      }
      const opened = await app.newBrowser().open(link.url)
      t.equal(opened.html().querySelector('input[name=password]'), null, `${act}: the page`)
      const browser = app.newBrowser()
      await browser.submit(`${base}/password/reset`, {
        token: page.html().querySelector('input[name=token]')?.getAttribute('value') ?? '',
        password: second
      })
      const address = (await app.adapter.getUser?.(id))?.email ?? ada
      t.notOk(await canSignIn(app.newBrowser(), address, second), act)
    }
  })

  test(`${strategy}: attack: a step-up with the password of somebody else`, async (t) => {
    const app = await openApplication(t, strategy)
    const browser = await createUser(app)
    await createUser(app, evil, second)
    app.clock.advance(3600)
    const page = await browser.open(`${base}/verify?max_age=300&callbackUrl=/`)
    const response = await browser.fill(page, `${base}/callback/password`, { email: evil, password: second })
    t.match(response.location, /error=DifferentUser/)
    t.equal(await getAddress(browser), ada)
    await browser.submit(`${base}/password/sign-up`, { email: 'new@example.com', password: second })
    await openLink(browser, app.mailbox.last())
    t.equal(await getAddress(browser), ada, 'a sign-up does not end it as another user')
  })

  test(`${strategy}: attack: a change names another user`, async (t) => {
    const app = await openApplication(t, strategy)
    await createUser(app, ada, first)
    const attacker = await createUser(app, evil, first)
    const id = (await findUser(app, ada))?.id ?? ''
    await attacker.submit(`${base}/password`, { username: ada, email: ada, userId: id, id, password: second })
    t.ok(await canSignIn(app.newBrowser(), ada, first))
    t.notOk(await canSignIn(app.newBrowser(), ada, second))
  })

  test(`${strategy}: attack: guesses of the current password in a stolen session`, async (t) => {
    const app = await openApplication(t, strategy, { rateLimit: { limiter: createLimiter() } })
    const thief = await createUser(app)
    app.clock.advance(601)
    const statuses: number[] = []
    const hashes = await countHashes(async () => {
      for (let count = 0; count < 30; count++)
        statuses.push(
          (await thief.submit(`${base}/password`, { currentPassword: `wrong ${count}`, password: second })).status
        )
    })
    t.ok(statuses.includes(429), String(statuses))
    t.ok(hashes <= 25, `${hashes} hashes`)
    const refused = await thief.submit(`${base}/password`, { password: second })
    t.ok(refused.status >= 300, 'a change without the password is refused')
    t.notOk(await canSignIn(app.newBrowser(), ada, second))
  })

  test(`${strategy}: attack: a sign-up that the signIn callback refuses leaves nothing`, async (t) => {
    let isAllowed = true
    const app = await openApplication(t, strategy, { callbacks: { signIn: () => isAllowed } })
    const browser = app.newBrowser()
    await signUp(browser, ada, first)
    isAllowed = false
    await openLink(browser, app.mailbox.last()).catch(() => null)
    t.equal(await getAddress(browser), null)
    t.equal(await findUser(app, ada), null)
    isAllowed = true
    await createUser(app, 'grace@example.com', first)
    isAllowed = false
    t.notOk(await canSignIn(app.newBrowser(), 'grace@example.com', first))
  })
}

t.test('attack: every form from another site, with the right token', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  await signUp(app.newBrowser(), evil, first)
  const token = new URL(app.mailbox.last().url).searchParams.get('token') ?? ''
  const cross = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
  const sent = app.mailbox.mails.length
  for (const [path, fields] of [
    ['password', { password: second }],
    ['password/forgot', { email: ada }],
    ['password/sign-up', { email: evil, password: second }],
    ['password/reset', { token: 'a', password: second }],
    ['callback/password', { email: ada, password: first }],
    ['callback/password-sign-up', { token, password: second }]
  ] as const) {
    const csrfToken = await getCsrfToken(browser)
    const form = await browser.submit(`${base}/${path}`, { ...fields, csrfToken }, { headers: cross })
    t.ok(/csrf|error/i.test(form.location ?? '') || form.status >= 400, `${path}: ${form.status} ${form.location}`)
    const text = await browser.post(`${base}/${path}`, JSON.stringify({ ...fields, csrfToken }), {
      ...cross,
      'content-type': 'text/plain'
    })
    t.ok(/csrf|error/i.test(text.location ?? '') || text.status >= 400, `${path}: ${text.status} ${text.location}`)
  }
  t.equal(app.mailbox.mails.length, sent)
  t.same([await findUser(app, evil), await getAddress(browser)], [null, ada])
  t.ok(await canSignIn(app.newBrowser(), ada, first))
})

t.test('attack: links and passwords leak by no header, cache or store', async (t) => {
  const adapter = memoryAdapter()
  const written: unknown[] = []
  const watch = <K extends 'createTicket' | 'createFactor' | 'updateFactor' | 'addEvents'>(
    name: K
  ): Partial<Adapter> => {
    const method = adapter[name] as ((...values: unknown[]) => unknown) | undefined
    const watched = (...values: unknown[]): unknown => {
      written.push(values)
      return method?.(...values)
    }
    return method ? { [name]: watched } : {}
  }
  const app = await openApplication(t, 'database', {
    adapter: {
      ...adapter,
      ...watch('createTicket'),
      ...watch('createFactor'),
      ...watch('updateFactor'),
      ...watch('addEvents')
    }
  })
  const browser = app.newBrowser()
  await signUp(browser, ada, first)
  const signUpMail = app.mailbox.last()
  const opened = await browser.open(signUpMail.url)
  await browser.fill(opened, 'form')
  await forget(browser, ada)
  const reset = await browser.open(app.mailbox.last().url)
  for (const page of [opened, reset]) {
    t.match(String(page.headers['cache-control']), /no-store/)
    t.match(String(page.headers['referrer-policy']), /no-referrer|origin/)
    t.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
  }
  await browser.fill(reset, 'form', { password: second })
  const stored = JSON.stringify(written)
  t.ok(written.length > 0)
  for (const secret of [first, second, new URL(signUpMail.url).searchParams.get('token') ?? 'none'])
    t.notMatch(stored, secret)
  t.notMatch(JSON.stringify(app.logged), new RegExp(`${first}|${second}`))
  t.notMatch(signUpMail.text + app.mailbox.last().text, new RegExp(`${first}|${second}`))
})

t.test('attack: a password as a normalized, cut or padded text', async (t) => {
  const app = await openApplication(t, 'database')
  const long = 'a long password of many words, '.repeat(8).trim()
  await createUser(app, ada, long)
  for (const typed of [long.slice(0, 72), long.slice(0, -1), `${long} `, ` ${long}`, `${long}\0`, long.toUpperCase()])
    t.notOk(await canSignIn(app.newBrowser(), ada, typed), typed.slice(-10))
  const legacy = await openWithLegacy(t, 'database')
  await importUser(legacy, 'grace@example.com', true)
  await signIn(legacy.newBrowser(), 'grace@example.com', 'x'.repeat(100_000))
  t.ok(
    legacy.comparison.typed.every((typed) => typed.length <= 10_000),
    'the comparison gets no endless texts'
  )
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: attack: a sign-in in a browser with the fresh session of somebody else`, async (t) => {
    const app = await openApplication(t, strategy, { linking: { signedIn: 'link' } })
    await createUser(app, ada, first)
    const browser = await createUser(app, evil, second)
    const [id, other] = [(await findUser(app, ada))?.id ?? '', (await findUser(app, evil))?.id ?? '']
    await signIn(browser, ada, first)
    t.equal(await getAddress(browser), ada)
    const names = async (userId: string) => (await app.adapter.getAccounts?.(userId))?.map(({ provider }) => provider)
    t.notMatch(await names(other), ['password'])
    t.notMatch(await names(id), ['password'])
    t.notOk(await canSignIn(app.newBrowser(), evil, first))
  })

t.test('attack: codes of many browsers at once are five tries of one', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = app.newBrowser()
  await signUp(browser, ada, first)
  const { code } = app.mailbox.last()
  const csrfToken = await getCsrfToken(browser)
  const path = `${base}/callback/password-sign-up`
  const guesses = Array.from({ length: 20 }, (_, index) => `BBBB-BB${'BCDFGHJKLMNPQRSTVWXZ'[index]}B`)
  await Promise.all(guesses.map((guess) => browser.submit(path, { code: guess, csrfToken })))
  await browser.submit(path, { code, csrfToken })
  t.equal(await findUser(app, ada), null, 'the right code comes too late')
})

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: attack: copies of the cookies of a sign-up, and of a pending one`, async (t) => {
    const app = await openApplication(t, strategy, { features: [createGate()] })
    const browser = app.newBrowser()
    await signUp(browser, ada, first)
    const before = browser.cookies.clone()
    await openLink(browser, app.mailbox.last())
    const pending = browser.cookies.clone()
    await pass(browser)
    t.equal(await getAddress(browser), ada)
    for (const cookies of [before, pending]) {
      const copy = createBrowser({ origin, send: fromFetch(app.auth.fetch), clock: app.clock, cookies })
      await pass(copy)
      t.equal(await getAddress(copy), null)
      await copy.submit(`${base}/callback/password-sign-up`, { code: app.mailbox.last().codes[0] ?? '' })
      t.equal(await getAddress(copy), null)
    }
  })
}

t.test('enumeration: users with imported hashes cost as many hashes as nobody', async (t) => {
  const app = await openWithLegacy(t, 'database')
  const addresses = await createKinds(app)
  for (const [name, step] of [
    ['sign-in', (email: string) => signIn(app.newBrowser(), email, 'wrong')],
    ['sign-up', (email: string) => signUp(app.newBrowser(), email, second)],
    ['forgot', (email: string) => forget(app.newBrowser(), email)]
  ] as const) {
    const counts: number[] = []
    for (const address of addresses) counts.push(await countHashes(() => step(address)))
    t.equal(new Set(counts).size, 1, `${name}: ${counts}`)
  }
})

t.test('attack: a password without an address is no way in', async (t) => {
  const app = await openApplication(t, 'database', { withoutEmail: true })
  const user = await app.adapter.createUser?.({ name: null, email: null, emailVerified: null })
  const id = user?.id ?? ''
  await app.auth.features.password.setHash(id, 'legacy')
  const account = { provider: 'github', providerAccountId: '7' }
  await app.adapter.linkAccount?.({ ...account, type: 'oauth', userId: id })
  await t.rejects(app.auth.unlink(id, account), { code: 'LAST_WAY_IN' })
})

t.test('attack: a hash that no sign-in can compare is no way in', async (t) => {
  const app = await openApplication(t, 'database', { withoutEmail: true })
  const user = await app.adapter.createUser?.({ name: null, email: ada, emailVerified: new Date() })
  await t.rejects(app.auth.features.password.setHash('nobody', 'legacy'), 'an unknown user has no password')
  await t.rejects(app.auth.features.password.setHash(user?.id ?? '', ''), 'an empty hash is none')
  for (const hash of [
    '$argon2id$v=19$m=19456,t=2,p=1',
    `$argon2id$v=19$t=2,p=1$${salt}$${key}`,
    `$argon2id$v=19$m=19456,t=51,p=1$${salt}$${key}`,
    `$argon2id$v=19$m=19456,t=2,p=17$${salt}$${key}`,
    `$argon2id$v=19$m=19456,t=2,p=1,x=1$${salt}$${key}`,
    `$argon2id$v=19$m=1048577,t=2,p=1$${salt}$${key}`,
    `$argon2id$v=19$m=19456,t=2,p=1$AAAA$${key}`,
    `$scrypt$ln=21,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=20,r=16,p=1$${salt}$${key}`
  ])
    await t.rejects(app.auth.features.password.setHash(user?.id ?? '', hash), hash)
  for (const hash of [`$argon2id$v=19$m=1048576,t=50,p=16$${salt}$${key}`, `$scrypt$ln=20,r=8,p=1$${salt}$${key}`])
    await t.resolves(app.auth.features.password.setHash(user?.id ?? '', hash), hash)
})

t.test('attack: the links of one application in another that shares the store', async (t) => {
  const adapter = memoryAdapter()
  const shop = await openApplication(t, 'database', { adapter, applicationId: 'shop', acceptUnbound: false })
  const admin = await openApplication(t, 'database', { adapter, applicationId: 'admin', acceptUnbound: false })
  const browser = shop.newBrowser()
  await signUp(browser, ada, first)
  const elsewhere = await admin.newBrowser().open(shop.mailbox.last().url)
  t.notOk(elsewhere.html().querySelector('input[name=password]'), 'the link of a sign-up')
  await openLink(browser, shop.mailbox.last())
  await forget(browser, ada)
  const reset = await admin.newBrowser().open(shop.mailbox.last().url)
  t.notOk(reset.html().querySelector('input[name=password]'), 'the link of a reset')
})

t.test('attack: the cookie of a sign-up that another host has planted', async (t) => {
  const app = await openApplication(t, 'database')
  const [attacker, owner] = [app.newBrowser(), app.newBrowser()]
  await signUp(attacker, ada, first)
  for (const { name, value, ...attributes } of attacker.cookies.all())
    if (!name.startsWith('__Host-')) owner.cookies.set(name, value, attributes)
  const page = await owner.open(app.mailbox.last().url)
  await owner.fill(page, 'form', page.html().querySelector('input[name=password]') ? { password: second } : {})
  t.notOk(await canSignIn(app.newBrowser(), ada, first), 'a planted cookie brings no password')
})

/** Whether work ends before a real deadline, which only a failure waits for. */
async function ends(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, 3000, false)
  })
  const isOver = await Promise.race([work.then(() => true), deadline])
  clearTimeout(timer)
  return isOver
}

t.test('attack: comparisons that never end block nobody else', async (t) => {
  let finish: ((isRight: boolean) => void)[] | null = []
  const verifyLegacy = async (): Promise<boolean> =>
    finish ? new Promise<boolean>((resolve) => void finish?.push(resolve)) : false
  const constants = { callbackTimeoutMilliseconds: 50 }
  const app = await openApplication(t, 'database', { password: { verifyLegacy }, constants })
  await importUser(app, 'imported@example.com', true)
  await createUser(app)
  const stuck = Array.from({ length: 8 }, () => signIn(app.newBrowser(), 'imported@example.com', 'x'))
  t.ok(await ends(Promise.all(stuck)), 'the attempts end')
  const browser = app.newBrowser()
  t.ok(await ends(signIn(browser, ada, first)), 'others sign in')
  const pending = finish
  finish = null
  for (const resolve of pending) resolve(false)
  await Promise.all(stuck)
})

/** The events of a user. */
const getEvents = async ({ adapter }: Application, userId: string): Promise<readonly string[]> =>
  ((await adapter.listEvents?.({ userId, limit: 50 })) ?? []).map(({ type }) => type)

for (const { value: strategy, test } of turns()) {
  for (const act of ['revoke', 'suspend', 'sign out'] as const)
    for (const kind of ['change', 'first password'] as const)
      test(`${strategy}: attack: a session that ends right before its ${kind} is written: ${act}`, async (t) => {
        const { adapter, arm, isArmed } = createPaused('createFactor', 'updateFactor')
        const app = await openApplication(t, strategy, { adapter })
        const thief = app.newBrowser()
        if (kind === 'change') await signUp(thief, ada, first).then(() => openLink(thief, app.mailbox.last()))
        else await signInByMail(thief, ada, app.mailbox)
        const id = (await findUser(app, ada))?.id ?? ''
        const page = await thief.open(`${base}/password`)
        const copy = createBrowser({
          origin,
          send: fromFetch(app.auth.fetch),
          clock: app.clock,
          cookies: thief.cookies.clone()
        })
        arm(async () => {
          app.clock.advance(1)
          if (act === 'revoke') await app.auth.sessions.revokeAll(id)
          else if (act === 'suspend') await app.auth.users.suspend(id)
          else await copy.fill(await copy.open(`${base}/signout`), `${base}/signout`)
          app.clock.advance(1)
        })
        const sent = app.mailbox.mails.length
        const current = kind === 'change' ? { currentPassword: first } : {}
        const response = await thief.fill(page, `${base}/password`, { ...current, password: second })
        t.notOk(isArmed(), 'it overlapped')
        if (act === 'suspend') await app.auth.users.resume(id)
        app.clock.advance(60)
        t.match((await thief.open(response.location ?? '')).location, /error=SessionRequired/)
        t.notOk(await canSignIn(app.newBrowser(), ada, second), 'nothing has changed')
        t.equal(app.mailbox.mails.length, sent)
        t.notOk((await getEvents(app, id)).includes('password-changed'))
        t.equal(await app.auth.features.password.has(id), kind === 'change')
        if (kind === 'change') t.ok(await canSignIn(app.newBrowser(), ada, first))
      })
}

t.test('an interruption of a sign-up: the password is stored together with the user', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openApplication(t, strategy, { features: [createGate()] })
    const browser = app.newBrowser()
    await signUp(browser, ada, first)
    t.match((await openLink(browser, app.mailbox.last())).location, /\/verify/)
    t.equal(await findUser(app, ada), null, 'nothing is written before')
    await pass(browser)
    t.equal(await getAddress(browser), ada)
    const other = app.newBrowser()
    t.match((await signIn(other, ada, first)).location, /\/verify/)
    t.equal(await getAddress(other), null, 'a password alone does not pass')
    await pass(other)
    t.equal(await getAddress(other), ada)
  }
})

t.test('an interruption of a sign-up: a user who was created in the meantime keeps the password', async (t) => {
  const app = await openApplication(t, 'database', { features: [createGate()] })
  const [one, other] = [app.newBrowser(), app.newBrowser()]
  await signUp(one, ada, first)
  await openLink(one, app.mailbox.last())
  await signUp(other, ada, second)
  await openLink(other, app.mailbox.last())
  await pass(other)
  t.equal(await getAddress(other), ada)
  await pass(one)
  t.equal(await getAddress(one), null, 'the sign-in belongs to another user than before')
  t.notOk(await canSignIn(one, ada, first))
  await signIn(one, ada, second)
  await pass(one)
  t.equal(await getAddress(one), ada)
})

t.test('a reset and a change end sign-ins that are interrupted', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openApplication(t, strategy, { features: [createGate()] })
    const owner = app.newBrowser()
    await signUp(owner, ada, first)
    await openLink(owner, app.mailbox.last())
    await pass(owner)
    const thief = app.newBrowser()
    await signIn(thief, ada, first)
    await forget(owner, ada)
    await openLink(owner, app.mailbox.last(), { password: second })
    await pass(thief)
    t.equal(await getAddress(thief), null, `${strategy}: after a reset`)

    await signIn(owner, ada, second)
    await pass(owner)
    await signIn(thief, ada, second)
    await owner.submit(`${base}/password`, { currentPassword: second, password: first })
    await pass(thief)
    t.equal(await getAddress(thief), null, `${strategy}: after a change`)
    t.equal(await getAddress(owner), ada)
  }
})

t.test('a suspended user, and one whom the callback refuses, are not signed in', async (t) => {
  for (const strategy of someStrategies()) {
    let isAllowed = true
    const app = await openApplication(t, strategy, { callbacks: { signIn: () => isAllowed } })
    await createUser(app)
    const user = await findUser(app, ada)
    isAllowed = false
    t.match((await signIn(app.newBrowser(), ada, first)).location, /AccessDenied/)
    isAllowed = true
    await app.auth.users.suspend(user?.id ?? '')
    t.match((await signIn(app.newBrowser(), ada, first)).location, /UserSuspended/)
    t.match((await signIn(app.newBrowser(), ada, second)).location, /CredentialsSignin/)
    await app.auth.users.resume(user?.id ?? '')
    t.ok(await canSignIn(app.newBrowser(), ada, first))
  }
})

t.test('a registration that cannot end sessions, or has no mail server, does not start', async (t) => {
  const { deleteSessions: _, ...without } = memoryAdapter()
  const start = async (
    ...[strategy, options]: Parameters<typeof openApplication> extends [unknown, ...infer R] ? R : []
  ) => openApplication(t, strategy, options)
  await t.rejects(start('database', { adapter: without }), { message: /features\.password.*deleteSessions/s })
  await t.resolves(start('jwt', { adapter: without }))
  const noRevocations = { strategy: 'jwt', revocations: false } as const
  await t.rejects(start('jwt', { session: noRevocations }), { message: /session\.revocations/ })
  const { createFactor: _create, ...noFactors } = memoryAdapter()
  await t.rejects(start('jwt', { adapter: noFactors }), { message: /features\.password.*createFactor/s })
})

t.test('responses of JSON clients', async (t) => {
  const app = await openApplication(t, 'database', { features: [createGate()] })
  const browser = app.newBrowser()
  await signUp(browser, ada, first)
  const token = new URL(app.mailbox.last().url).searchParams.get('token') ?? ''
  const interrupted = await browser.submit(`${base}/callback/password-sign-up`, { token, json: 'true' })
  t.equal(interrupted.status, 401)
  t.match(interrupted.json(), { url: `${origin}${base}/verify?error=VerificationRequired` })
})

const getToken = (url: string): string => new URL(url).searchParams.get('token') ?? ''
const isChanged = (response: BrowserResponse): boolean => /changed/.test(response.location ?? '')

for (const { value: strategy, test } of turns())
  test(`${strategy}: a stolen link signs nobody in, passes no second step, and the owner gets a mail`, async (t) => {
    const app = await openApplication(t, strategy, { features: [createGate()] })
    const [owner, thief] = [app.newBrowser(), app.newBrowser()]
    await signUp(owner, ada, first)
    await openLink(owner, app.mailbox.last())
    await pass(owner)
    await forget(owner, ada)
    const stolen = app.mailbox.last()
    t.ok(isChanged(await openLink(thief, stolen, { password: second })))
    t.equal(await getAddress(thief), null, 'a reset signs nobody in')
    t.match(app.mailbox.last(), { to: ada, subject: /was changed/ })
    t.match((await signIn(thief, ada, second)).location, /\/verify/)
    for (const word of ['', 'guess']) await pass(thief, word)
    t.equal(await getAddress(thief), null, 'the second step is not passed')
    await forget(owner, ada)
    await openLink(owner, app.mailbox.last(), { password: third })
    await pass(thief)
    t.equal(await getAddress(thief), null, 'the sign-in of the thief has ended')
    await signIn(thief, ada, second)
    await pass(thief)
    t.equal(await getAddress(thief), null, 'and the password no longer works')
    await signIn(owner, ada, third)
    await pass(owner)
    t.equal(await getAddress(owner), ada)
    t.notMatch(JSON.stringify(app.logged), getToken(stolen.url), 'the token is not logged')
  })

t.test('a token that is nearly right, or of another user, is of no use', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app)
  await forget(app.newBrowser(), ada)
  const token = getToken(app.mailbox.last().url)
  const wrong = [token.slice(1), `${token}A`, token.toLowerCase(), [...token].reverse().join(''), 'A'.repeat(43), '']
  for (const other of wrong) {
    const response = await app.newBrowser().submit(`${base}/password/reset`, { token: other, password: second })
    t.match({ status: response.status, body: response.body }, { status: 400, body: 'This link no longer works' })
  }
  const list = await app.newBrowser().request('GET', `${base}/password/reset?token=${token}&token=${token}`)
  t.equal(list.status, 400)
  t.ok(await canSignIn(app.newBrowser(), ada, first))
})

t.test('the event and the mail of a reset are about the owner of the link, not about the browser', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app)
  const grace = await createUser(app, 'grace@example.com', second)
  await forget(grace, ada)
  await openLink(grace, app.mailbox.last(), { password: third })
  const [event] = (await app.adapter.listEvents?.({ type: 'password-reset', limit: 10 })) ?? []
  t.equal(event?.userId, (await findUser(app, ada))?.id)
  t.equal(app.mailbox.last().to, ada)
  t.equal(await getAddress(grace), 'grace@example.com')
  t.ok(await canSignIn(app.newBrowser(), 'grace@example.com', second))
  t.ok(await canSignIn(app.newBrowser(), ada, third))
})

/** The links of several requests for one user. */
async function askForLinks(app: Application, count: number): Promise<readonly string[]> {
  const before = app.mailbox.mails.length
  for (let asked = 0; asked < count; asked++) await forget(app.newBrowser(), ada)
  return app.mailbox.mails.slice(before).map(({ url }) => getToken(url))
}

t.test('of a reset and a change at once, one chooses the password', async (t) => {
  for (let round = 0; round < times(1, 50); round++) {
    const app = await openApplication(t, 'database')
    const browser = await createUser(app)
    const [token = ''] = await askForLinks(app, 1)
    const page = await browser.open(`${base}/password`)
    const stranger = app.newBrowser()
    const [changed, reset] = await Promise.all([
      browser.fill(page, `${base}/password`, { currentPassword: first, password: second }),
      stranger.submit(`${base}/password/reset`, { token, password: third })
    ])
    t.not(isChanged(changed), isChanged(reset), `round ${round}`)
    t.equal(await canSignIn(app.newBrowser(), ada, second), isChanged(changed))
    t.equal(await canSignIn(app.newBrowser(), ada, third), isChanged(reset))
  }
})

async function openSignedUp(t: Test, strategy: (typeof strategies)[number]) {
  // The time of a form is compared with the time at which sessions ended: it must pass.
  const app = await openApplication(t, strategy, { runtime: { now: Date.now } })
  await createUser(app)
  const [token = ''] = await askForLinks(app, 1)
  return { app, token }
}

for (const { value: strategy, test } of turns())
  test(`${strategy}: a sign-in with the old password during a reset leaves no session`, async (t) => {
    for (let round = 0; round < times(1, 50); round++) {
      const { app, token } = await openSignedUp(t, strategy)
      const thieves = Array.from({ length: 10 }, () => app.newBrowser())
      const [reset] = await Promise.all([
        app.newBrowser().submit(`${base}/password/reset`, { token, password: second }),
        ...thieves.map((thief) => signIn(thief, ada, first))
      ])
      t.ok(isChanged(reset))
      t.same(
        await Promise.all(thieves.map(getAddress)),
        thieves.map(() => null),
        `round ${round}`
      )
      const { id = '' } = (await findUser(app, ada)) ?? {}
      t.same(await app.auth.sessions.list(id), [])
    }
  })

t.test('a sign-in with the old password between the steps of a reset or a change leaves no session', async (t) => {
  for (const strategy of someStrategies()) {
    const { adapter, arm, isArmed } = createPaused('updateFactor')
    const app = await openApplication(t, strategy, { adapter })
    const owner = await createUser(app)
    const [token = ''] = await askForLinks(app, 1)
    const thief = app.newBrowser()
    const enter = (password: string) => async () => {
      app.clock.advance(1)
      t.ok(await canSignIn(thief, ada, password), `${strategy}: the old password still works`)
      app.clock.advance(1)
    }
    arm(enter(first))
    t.ok(isChanged(await app.newBrowser().submit(`${base}/password/reset`, { token, password: second })))
    t.equal(await getAddress(thief), null, `${strategy}: reset`)
    await signIn(owner, ada, second)
    t.notOk(isArmed())
    arm(enter(second))
    t.ok(isChanged(await change(owner, { currentPassword: second, password: third })))
    t.equal(await getAddress(thief), null, `${strategy}: change`)
    t.equal(await getAddress(owner), ada)
  }
})

/** Spellings of one password. */
const equivalents = [
  ['M\u00fcnchen im Sommer', 'Mu\u0308nchen im Sommer', '\uff2d\u00fcnchen im Sommer'],
  ['eine \ufb01ligrane Sache', 'eine filigrane Sache', 'eine \uff46iligrane Sache'],
  [
    '\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165 \uBE44\uBC00\uBC88\uD638 123456',
    '\ud55c\uad6d\uc5b4 \uBE44\uBC00\uBC88\uD638 123456'
  ],
  ['Temperatur in \u212b 1234', 'Temperatur in \u00c5 1234', 'Temperatur in A\u030a 1234']
] as const

t.test('every form takes equivalent spellings for one password', async (t) => {
  for (const [index, spellings] of equivalents.entries()) {
    const app = await openApplication(t, 'database')
    const typed = (step: number): string => spellings[step % spellings.length] ?? ''
    await createUser(app, ada, typed(0))
    t.ok(await canSignIn(app.newBrowser(), ada, typed(1)), `${index}: sign-in`)
    const browser = app.newBrowser()
    await signIn(browser, ada, typed(2))
    app.clock.advance(700)
    t.match((await change(browser, { currentPassword: typed(1), password: second })).location, /changed/, `${index}`)
    await forget(browser, ada)
    await openLink(browser, app.mailbox.last(), { password: typed(1) })
    t.ok(await canSignIn(app.newBrowser(), ada, typed(0)), `${index}: reset`)
    t.notOk(await canSignIn(app.newBrowser(), ada, `${typed(0)}.`), `${index}: no other text`)
  }
})

t.test('no form takes NUL, a lone surrogate, or more than 256 characters', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  await forget(app.newBrowser(), ada)
  const token = getToken(app.mailbox.last().url)
  const astral = '\u{1F511}\u{1F512}'.repeat(128)
  const wrong = { NUL: 'a zero \0 character inside', surrogate: 'a lone surrogate \udd11 inside', long: `${astral}a` }
  for (const [name, password] of Object.entries(wrong)) {
    const bodies = [
      await browser.submit(`${base}/password/sign-up`, { email: 'x@example.com', password }, { json: true }),
      await browser.submit(`${base}/password/reset`, { token, password }, { json: true }),
      await browser.submit(`${base}/password`, { password }, { json: true })
    ]
    for (const { status, body } of bodies) {
      t.equal(status, 400, name)
      t.match(body, name === 'long' ? 'tooLong' : 'characters', name)
    }
    const failed = await app.newBrowser().submit(`${base}/callback/password`, { email: ada, password }, { json: true })
    t.match({ status: failed.status, location: failed.location }, { location: /CredentialsSignin/ }, name)
  }
  t.match((await change(browser, { password: astral })).location, /changed/, '256 characters outside the BMP')
  t.ok(await canSignIn(app.newBrowser(), ada, astral))
  t.notOk(await canSignIn(app.newBrowser(), ada, astral.slice(0, -2)))
})
