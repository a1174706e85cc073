import { isLong, times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { form, getAddress, startGuessing } from '../advisories/perimeter-setup.ts'
import { getSession, mails, people, signInByForm, signInByMail, start } from '../start.ts'
import { browserAt } from '../visitor.ts'
import { callbackPerClient, perClient } from './limited-setup.ts'

const asJson = { 'content-type': 'application/json' }

/** The limit of a username: the default in the long run, less in `npm test`. */
const most = isLong ? 100 : 20
const perUsername = { credentialsPerIdentifier: { points: most, seconds: 3600 }, callbackPerClient }

/** A browser with its token, which posts bodies as they are. */
async function startPosting(t: Test, options: Parameters<typeof startGuessing>[2] = {}) {
  const started = await startGuessing(t, { username: { label: 'Name' } }, options)
  const browser = browserAt(started.app, started.clock, '8.8.8.8')
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  return { ...started, browser, csrfToken }
}

t.test('form and JSON, in every order of the fields, share one counter', async (t) => {
  const { browser, csrfToken, checks } = await startPosting(t)
  for (let turn = 0; turn < times(3, 8); turn++) {
    const fields: readonly (readonly [string, string])[] = [
      ['csrfToken', csrfToken],
      ['username', 'vera'],
      ['password', `p${turn}`]
    ]
    for (const order of [fields, fields.toReversed(), [...fields.slice(1), ...fields.slice(0, 1)]]) {
      await browser.post(form, `${new URLSearchParams(order.map(([name, value]): [string, string] => [name, value]))}`)
      await browser.post(form, JSON.stringify(Object.fromEntries(order)), asJson)
    }
  }
  t.equal(checks(), 10)
})

t.test('the username is an array, an object, an encoded or repeated field', async (t) => {
  const { browser, csrfToken, checks } = await startPosting(t)
  const bodies: readonly (readonly [string, typeof asJson | object])[] = [
    [JSON.stringify({ csrfToken, username: 'vera', password: 'x' }), asJson],
    [JSON.stringify({ csrfToken, username: ['vera'], password: 'x' }), asJson],
    [JSON.stringify({ csrfToken, username: { 0: 'vera' }, password: 'x' }), asJson],
    [`{"csrfToken":"${csrfToken}","username":"other","username":"vera","password":"x"}`, asJson],
    [`{"csrfToken":"${csrfToken}","\\u0075sername":"vera","password":"x"}`, asJson],
    [`csrfToken=${csrfToken}&username=vera&password=x`, {}],
    [`csrfToken=${csrfToken}&username=vera&username=other&password=x`, {}],
    [`csrfToken=${csrfToken}&username=other&username=vera&password=x`, {}],
    [`csrfToken=${csrfToken}&username[]=vera&password=x`, {}],
    [`csrfToken=${csrfToken}&%75sername=vera&password=x`, {}],
    [`csrfToken=${csrfToken}&username=%76era&password=x`, {}],
    [`csrfToken=${csrfToken}&Username=decoy&USERNAME=decoy&username=vera&password=x`, {}],
    [`csrfToken=${csrfToken}&username=vera&email=decoy&login=decoy&identifier=decoy&password=x`, {}]
  ]
  for (let turn = 0; turn < times(3, 10); turn++)
    for (const [body, headers] of bodies) await browser.post(form, body, { ...headers })
  // Several of the bodies have no username: what is counted for "" is at most as much again.
  t.ok(checks() <= 20, `${checks()}`)
})

t.test('each guess comes from a new browser, after a sign-out, or with another token', async (t) => {
  const { app, clock, checks } = await startGuessing(t, { username: { label: 'Name' } })
  for (let turn = 0; turn < times(13, 20); turn++) {
    const browser = browserAt(app, clock, '8.8.8.8')
    await browser.submit(form, { username: 'vera', password: 'x', callbackUrl: `/${turn}` })
    await browser.submit('/api/auth/signout', {})
  }
  t.equal(checks(), 10)
})

t.test('limit-4: the owner signs in between the guesses: those of the attacker stay counted', async (t) => {
  const { guess, checks } = await startGuessing(t, { username: { label: 'Name' } })
  for (let turn = 0; turn < 9; turn++) await guess({ username: 'vera' })
  for (let turn = 0; turn < 5; turn++) await guess({ username: 'vera', password: 'lovelace' }, '9.9.9.9')
  const before = checks()
  for (let turn = 0; turn < 9; turn++) await guess({ username: 'vera' })
  t.equal(checks() - before, 1)
})

t.test('guesses beyond the limit keep neither the client out longer, nor the owner elsewhere', async (t) => {
  const { guess, browser } = await startPosting(t)
  const waits: number[] = []
  for (let turn = 0; turn < times(16, 40); turn++) {
    const { status, headers } = await browser.submit(form, { username: 'vera', password: 'x' })
    if (status === 429) waits.push(Number(headers['retry-after']))
  }
  t.equal(waits.length, times(16, 40) - 10)
  t.ok(Math.max(...waits) <= 900, 'no window is longer than the rule')
  t.same(
    waits,
    waits.toSorted((one, other) => other - one),
    'and none starts again'
  )
  t.equal(await guess({ username: 'vera', password: 'lovelace' }, '9.9.9.9'), 302, 'another client')
})

t.test('a username that looks like a client, or like the key of another counter, locks nobody out', async (t) => {
  const { guess, checks } = await startGuessing(t, { username: { label: 'Name' } })
  const names = [
    'vera:9.9.9.9',
    'vera|9.9.9.9',
    'vera\u00009.9.9.9',
    'vera/9.9.9.9',
    'vera,9.9.9.9',
    '9.9.9.9',
    'vera 9.9.9.9'
  ]
  for (const username of names) for (let turn = 0; turn < 11; turn++) await guess({ username })
  const before = checks()
  t.equal(await guess({ username: 'vera', password: 'lovelace' }, '9.9.9.9'), 302)
  t.equal(checks() - before, 1)
})

t.test('very long usernames, each with another end, are counted for the client', async (t) => {
  const { guess, checks } = await startGuessing(
    t,
    { username: { label: 'Name' } },
    { rateLimit: { ...perClient, callbackPerClient } }
  )
  const { points } = perClient.credentialsPerClient
  const long = 'v'.repeat(20_000)
  for (let turn = 0; turn < points + 20; turn++) await guess({ username: `${long}${turn}` })
  t.ok(checks() <= points, `${checks()}`)
})

t.test(
  'limit-1: one network of IPv6 asks for mails: a /64 is one client, wider networks have more, but not without end',
  async (t) => {
    const { app, clock, mailbox } = await start(t, {
      instances: 1,
      rateLimit: { mailPerClient: { points: 2, seconds: 3600 } }
    })
    let count = 0
    const ask = (address: string) =>
      browserAt(app, clock, address).submit('/api/auth/signin/email', { email: `user${count++}@example.com` })
    for (let host = 1; host <= 6; host++) await ask(`2001:db8:1:1::${host}`)
    t.equal(mailbox.mails.length, 2, 'a /64')
    for (let net = 0; net < 12; net++) await ask(`2001:db8:1:1${(net + 16).toString(16)}::1`)
    t.ok(mailbox.mails.length <= 2 + 8, `a /56: ${mailbox.mails.length}`)
    for (let net = 0; net < 40; net++) await ask(`2001:db8:1:${(net + 32).toString(16)}00::1`)
    t.ok(mailbox.mails.length <= 32, `a /48: ${mailbox.mails.length}`)
  }
)

t.test('an address of IPv4 is written as 6to4: its networks are one /48', async (t) => {
  const { checks, guess } = await startGuessing(
    t,
    { username: { label: 'Name' } },
    {
      rateLimit: {
        credentialsPerClient: { points: 2, seconds: 3600 },
        callbackPerClient: { points: 9999, seconds: 60 }
      }
    }
  )
  for (let net = 0; net < times(40, 60); net++)
    await guess({ username: `user${net}` }, `2002:808:808:${net.toString(16)}00::1`)
  t.ok(checks() <= 32, `${checks()}`)
})

t.test('many guesses arrive at once from many clients: the limit of the username holds', async (t) => {
  const { checks, guess } = await startGuessing(t, { username: { label: 'Name' } }, { rateLimit: perUsername })
  const guesses = Array.from({ length: most + 30 }, (_, turn) => guess({ username: 'vera' }, getAddress(turn)))
  await Promise.all(guesses)
  t.equal(checks(), most)
})

t.test('other methods and routes check a password', async (t) => {
  const { browser, csrfToken, checks } = await startPosting(t)
  const query = `${new URLSearchParams({ csrfToken, username: 'vera', password: 'lovelace' })}`
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'] as const) {
    await browser.request(method, `${form}?${query}`)
    await browser.request(method, `/api/auth/signin/credentials?${query}`)
  }
  for (const headers of [{ 'x-http-method-override': 'POST' }, { 'x-http-method': 'POST' }])
    await browser.request('GET', `${form}?_method=POST&${query}`, { headers })
  t.equal(checks(), 0)
})

t.test('one client sends mails to many addresses by form, JSON, and both providers', async (t) => {
  const { app, clock, mailbox } = await start(t, {
    instances: 1,
    providers: [mails(), mails({ id: 'second' }), people],
    rateLimit: { mailPerClient: { points: 6, seconds: 3600 } }
  })
  for (let turn = 0; turn < 20; turn++) {
    const provider = turn % 2 ? 'email' : 'second'
    const browser = browserAt(app, clock, turn % 4 < 2 ? '8.8.8.8' : '::ffff:8.8.8.8')
    await browser.submit(`/api/auth/signin/${provider}`, { email: `user${turn}@example.com` }, { json: turn % 3 === 0 })
  }
  t.equal(mailbox.mails.length, 6)
})

t.test('codes of many mails are guessed by one client: sixty tries a minute', async (t) => {
  const tries = isLong ? 60 : 15
  const { app, clock } = await start(t, {
    instances: 1,
    rateLimit: { mailPerClient: { points: 999, seconds: 60 }, callbackPerClient: { points: tries, seconds: 60 } }
  })
  const statuses: number[] = []
  for (let mail = 0; mail < tries / 5 + 4; mail++) {
    const browser = browserAt(app, clock, `2001:db8:1:1::${mail.toString(16)}`)
    await browser.submit('/api/auth/signin/email', { email: `user${mail}@example.com` })
    for (let turn = 0; turn < 5; turn++) {
      const { status } = await browser.submit('/api/auth/callback/email', { code: 'BBBBBBBB' }, { json: true })
      statuses.push(status)
    }
  }
  t.equal(statuses.filter((status) => status !== 429).length, tries)
})

t.test(
  'an attacker uses up the limits of an address: its owner still signs in by form and by an earlier link',
  async (t) => {
    const { app, clock, mailbox, newBrowser } = await start(t, { instances: 1 })
    const owner = newBrowser()
    await owner.submit('/api/auth/signin/email', { email: 'vera@example.com' })
    const { url } = mailbox.last()
    for (let turn = 0; turn < 10; turn++) {
      const thief = browserAt(app, clock, getAddress(turn))
      await thief.submit('/api/auth/signin/email', { email: 'vera@example.com' })
      await thief.submit('/api/auth/callback/email', { code: 'BBBBBBBB' })
      await thief.submit(form, { username: 'vera', password: 'wrong' })
    }
    t.ok(mailbox.mails.length <= 5)
    await owner.open(url)
    t.match(await getSession(owner), { user: { email: 'vera@example.com' } })
    const other = newBrowser()
    await signInByForm(other, 'grace')
    t.match(await getSession(other), { user: { name: 'grace' } })
  }
)

t.test('a sign-in that is limited, or refused by the limiter, keeps the session of the browser', async (t) => {
  const started = await start(t, {
    instances: 1,
    rateLimit: { credentialsPerIdentifierAndClient: { points: 1, seconds: 900 } }
  })
  const { browser } = started
  await signInByMail(started, browser, 'vera@example.com')
  for (let turn = 0; turn < 3; turn++) await browser.submit(form, { username: 'vera', password: 'wrong' })
  t.match(await getSession(browser), { user: { email: 'vera@example.com' } })
})

t.test(
  'limit-1: one username is guessed from every network of a subscriber: the limit of the username holds',
  async (t) => {
    const { checks, guess } = await startGuessing(t, { username: { label: 'Name' } }, { rateLimit: perUsername })
    const networks = Array.from({ length: most + 30 }, (_, net) => `2001:db8:1:${(net + 16).toString(16)}00::1`)
    await Promise.all(networks.map((address) => guess({ username: 'vera' }, address)))
    t.equal(checks(), most)
  }
)

t.test('a router that ignores case, slashes or their number leads to the same counter', async (t) => {
  const { browser, csrfToken, checks } = await startPosting(t, {
    server: { routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true } }
  })
  const paths = [
    form,
    form.toUpperCase(),
    `${form}/`,
    form.replace('/', '//').replaceAll('/c', '//c'),
    '/Api/Auth/Callback/credentials'
  ]
  for (let turn = 0; turn < times(3, 8); turn++)
    for (const path of paths)
      await browser.request('POST', `https://app.test${path}`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `csrfToken=${csrfToken}&username=vera&password=x`
      })
  t.equal(checks(), 10)
})
