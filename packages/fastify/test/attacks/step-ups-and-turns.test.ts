import { memoryAdapter } from '@postern/adapters/memory'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, PosternOptions, Token } from '@postern/core'
import { type Browser, createBrowser, fromInject } from '@postern/testkit'
import { inTurn, isLong, times, turnsOf } from '@postern/testkit/long'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import postern, { requireSession } from '../../src/index.ts'
import { form, getAddress } from '../advisories/perimeter-setup.ts'
import { createMysqlDatabase, createTestDatabase, mysqlPort, postgresPort, withoutServer } from '../databases.ts'
import { createTestGate } from '../interruption-feature.ts'
import { fewInTurn } from '../selections.ts'
import {
  cookieNames,
  fromAfar,
  mails,
  openLinkPage,
  origin,
  people,
  secret,
  signInByForm,
  signInByMail
} from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import { startTwo } from '../two-applications.ts'
import { browserAt } from '../visitor.ts'
import { exhaust, perClient, startLimited, wrong } from './limited-setup.ts'
import {
  accountsOf,
  address,
  begin,
  getStatus,
  idIn,
  idOf,
  mallory,
  put,
  script,
  signIn,
  signUp,
  startAccounts,
  startGuarded,
  strategies,
  vera,
  withId
} from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)
const someStrategies = inTurn(strategies)
const few = fewInTurn(1)
const fewNames = fewInTurn(3)
const fewAddresses = fewInTurn(7)

const stepUp = '__Secure-postern.step-up'
const pending = '__Secure-postern.pending'
const html = { accept: 'text/html' }
const mail = '/api/auth/signin/email'
const linkPath = '/api/auth/verify/link'

/** The guard of `/money` requires a sign-in within five minutes, and accounts can be linked at any time. */
const startBank = (t: Test, options: Parameters<typeof startGuarded>[1] = {}) =>
  startGuarded(t, { freshWithin: 300, linking: { freshWithin: false }, ...options })

const openVerify = (browser: Browser, query: string = 'max_age=300') =>
  browser.request('GET', `/api/auth/verify?${query}`, { headers: html })

const readStepUp = (browser: Browser): string => {
  const value = browser.cookies.get(stepUp)
  if (value === null) throw new Error('expected a step-up')
  return value
}

// Step-up

for (const { value: strategy, test } of turns()) {
  const session = { strategy }

  test(`${strategy}: the step-up of one user is put into the browser of another`, async (t) => {
    const started = await startBank(t, { session })
    const { browser, newBrowser, clock } = started
    await signInByForm(browser, 'mallory')
    const victim = newBrowser()
    await signInByForm(victim, 'vera')
    clock.advance(301)
    await openVerify(browser, 'acr_values=impossible&amr=impossible')
    put(victim, stepUp, readStepUp(browser))
    const id = await idIn(victim)
    const cookie = readStepUp(browser)
    put(victim, stepUp, cookie)
    t.equal(await idIn(victim), id)
    await victim.open('/api/auth/signin')
    const again = await signInByForm(victim, 'vera')
    t.equal(await idIn(victim), id, String(again.location))
    t.equal(await getStatus(victim, '/money'), 200, String(again.location))
    put(browser, stepUp, null)
    clock.advance(301)
    await openVerify(victim)
    put(browser, stepUp, readStepUp(victim))
    const before = await idIn(browser)
    const page = await browser.open('/api/auth/signin?error=CredentialsSignin')
    t.notMatch(page.body, 'vera')
    await signIn(started, browser, { ...mallory, auth_time: started.seconds() }, { link: 'true' })
    t.not(await idIn(browser), id, 'a cookie of another user has no effect')
    t.ok(before)
  })

  test(`${strategy}: a step-up that nobody can meet waits, and the user signs out: anybody can sign in`, async (t) => {
    const started = await startBank(t, { session })
    const { browser, clock } = started
    await signInByForm(browser, 'vera')
    clock.advance(301)
    await openVerify(browser, 'max_age=0&acr_values=impossible&amr=impossible')
    t.ok(browser.cookies.get(stepUp))
    await browser.submit('/api/auth/signout', {})
    await signIn(started, browser, mallory)
    t.ok(await idIn(browser))
  })

  test(`${strategy}: a link that waits is confirmed during a step-up: old authentication stays old`, async (t) => {
    const started = await startBank(t, { session, linking: {} })
    const { browser, clock, seconds } = started
    await signInByMail(started, browser, address)
    clock.advance(290)
    const auth_time = seconds()
    const page = await openLinkPage(browser, await signIn(started, browser, { ...mallory, auth_time }))
    clock.advance(305)
    await openVerify(browser)
    await browser.fill(page, linkPath)
    t.equal(await getStatus(browser, '/money'), 401)
  })

  test(`${strategy}: a link waits until the sign-in is no longer recent, and a step-up is open`, async (t) => {
    const started = await startBank(t, { session, linking: {} })
    const { browser, clock } = started
    await signInByMail(started, browser, address)
    const id = (await idIn(browser)) ?? ''
    clock.advance(590)
    const page = await openLinkPage(browser, await signIn(started, browser, mallory))
    clock.advance(100)
    await openVerify(browser)
    t.match((await browser.fill(page, linkPath)).location, /error=DifferentUser/)
    t.same(await accountsOf(started, id), [])
  })

  test(`${strategy}: a step-up at a provider is finished many times at once: one session`, async (t) => {
    const started = await startBank(t, { session })
    const { browser, newBrowser, clock, seconds, adapter } = started
    await signIn(started, browser, { ...vera, auth_time: seconds() })
    const id = (await idIn(browser)) ?? ''
    clock.advance(301)
    await openVerify(browser)
    const { callback } = await begin(started, browser, { ...vera, auth_time: seconds() })
    const copies = Array.from({ length: times(20, 50) }, () => {
      const copy = newBrowser()
      for (const { name, value, path } of browser.cookies.all()) put(copy, name, value, path)
      return copy
    })
    await Promise.all(copies.map((copy) => copy.open(callback, { headers: fromAfar })))
    const passed = await Promise.all(copies.map((copy) => getStatus(copy, '/money')))
    t.equal(passed.filter((status) => status === 200).length, 1)
    t.equal((await adapter?.getSessionRecords?.({ userId: id }))?.length, 1)
  })

  test(`${strategy}: a step-up by mail is opened by a stranger, or for a user with an unverified address`, async (t) => {
    const started = await startBank(t, { session })
    const { newBrowser, clock, mailbox } = started
    const thief = newBrowser()
    await signIn(started, thief, { ...mallory, email: address, email_verified: false }, { provider: 'loose' })
    const id = (await idIn(thief)) ?? ''
    clock.advance(301)
    await openVerify(thief)
    await thief.submit(mail, { email: address })
    const { url } = mailbox.last()
    const owner = newBrowser()
    const page = await owner.open(url, { headers: fromAfar })
    t.equal(await idIn(owner), null, 'the page asks first')
    t.equal(await getStatus(thief, '/money'), 401)
    await owner.fill(page, 'form')
    t.equal(await idIn(owner), id)
    t.equal(await idIn(thief), null, 'the owner has claimed the user')
    t.same(await accountsOf(started, id), [])
  })

  test(`${strategy}: an account of nobody has an invitation, or an address that is concealed, during a step-up`, async (t) => {
    const started = await startBank(t, {
      session,
      linking: { concealUsers: true, freshWithin: false },
      demo: { verifiesEmail: true }
    })
    const { browser, newBrowser, app, clock, mailbox, seconds } = started
    const invited = await signUp(started)
    await app.postern.invite(invited, { expiresIn: 600 })
    await signInByMail(started, browser, 'mallory@evil.test')
    const id = await idIn(browser)
    clock.advance(301)
    const sent = mailbox.mails.length
    for (const [person, provider] of [
      [vera, 'demo'],
      [{ ...vera, sub: 'x', email_verified: false }, 'loose'],
      [{ ...vera, sub: 'y', email: 'nobody@evil.test', email_verified: false }, 'loose']
    ] as const) {
      await openVerify(browser)
      const { location } = await signIn(started, browser, { ...person, auth_time: seconds() }, { provider })
      t.match(location, /error=DifferentUser/, provider)
    }
    t.equal(mailbox.mails.length, sent)
    t.equal(await idIn(browser), id)
    t.same(await accountsOf(started, invited), [])
    const owner = newBrowser()
    await signIn(started, owner, vera)
    t.equal(await idIn(owner), invited, 'the invitation remains')
  })

  test(`${strategy}: a step-up guesses the password of another user: it has the limits of all, and no device`, async (t) => {
    const { app, clock, checked } = await startLimited(t, { session })
    const thief = browserAt(app, clock, '6.6.6.6')
    await thief.submit(form, { username: 'mallory', password: 'lovelace' })
    const device = thief.cookies.get(cookieNames.device)
    await openVerify(thief)
    for (let turn = 0; turn < 20; turn++) await thief.submit(form, wrong('vera'))
    t.equal(checked.filter((name) => name === 'vera').length, 10)
    t.equal((await thief.submit(form, { username: 'vera', password: 'lovelace' })).status, 429)
    await openVerify(thief)
    const grace = await thief.submit(form, { username: 'grace', password: 'lovelace' })
    t.match(grace.location, /error=DifferentUser/)
    t.equal(thief.cookies.get(cookieNames.device), device)
  })

  test(`${strategy}: the page to authenticate again is opened by HEAD, POST or a script: no step-up`, async (t) => {
    const { browser } = await startBank(t, { session })
    await signInByForm(browser, 'vera')
    await browser.request('HEAD', '/api/auth/verify?acr_values=impossible', { headers: html })
    await browser.submit('/api/auth/verify?acr_values=impossible', {})
    await browser.request('GET', '/api/auth/verify?acr_values=impossible', { headers: { ...html, cookie: '' } })
    await signInByForm(browser, 'grace')
    t.match(await browser.json('/api/auth/session'), { user: { name: 'grace' } })
  })

  test(`${strategy}: a patch of the browser contains every claim of a recent session`, async (t) => {
    const merge: PosternOptions['callbacks'] = {
      ...withId,
      jwt: ({ token, trigger, session }) =>
        trigger === 'update' ? ({ ...token, ...(session as Token) } as Token) : token
    }
    const gate = createTestGate(false, ['otp'])
    const started = await startBank(t, {
      session: { ...session, updateAge: 0 },
      callbacks: merge,
      features: [gate.feature]
    })
    const { browser, newBrowser, clock } = started
    await signInByForm(browser, 'vera')
    clock.advance(400)
    const owner = newBrowser()
    gate.isDue = true
    await signInByForm(owner, 'vera')
    await owner.submit('/api/auth/verify/ask', { answer: 'yes' })
    t.equal(await getStatus(owner, '/vault'), 200)
    const claims = (await owner.json<Token | null>('/token')) ?? {}
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    const now = Math.floor(clock.now() / 1000)
    const { session_auth, auth_time } = claims
    for (const data of [
      { session_auth, auth_time },
      { auth_time: now, amr: ['mfa'], acr: 'gold', authTime: now },
      { session_auth: JSON.stringify(session_auth), auth_time: String(now) },
      { session_auth },
      claims,
      { ...claims, jti: undefined, marker: 'merged' }
    ]) {
      await browser.request('POST', '/api/auth/session', {
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ csrfToken, data })
      })
      for (const path of ['/money', '/vault', '/gold'])
        t.not(await getStatus(browser, path), 200, `${JSON.stringify(data).slice(0, 60)} ${path}`)
    }
    if (strategy === 'jwt') t.match(await browser.json('/token'), { marker: 'merged' })
  })

  test(`${strategy}: the profile, the user or the form states how the user authenticated`, async (t) => {
    const started = await startBank(t, {
      session,
      callbacks: {
        session: ({ session }) =>
          ({
            ...session,
            amr: ['mfa'],
            acr: 'gold',
            authTime: Date.now(),
            authentication: { amr: ['mfa'] }
          }) as typeof session,
        jwt: ({ token, user, account, profile }) =>
          ({ ...profile, ...account, ...user, ...token, amr: ['mfa'], acr: 'gold' }) as Token,
        signIn: ({ account, profile, user }) => {
          for (const object of [account, profile, user])
            Object.assign(object ?? {}, { amr: ['mfa'], acr: 'gold', auth_time: 9e9, session_auth: { amr: ['mfa'] } })
          return true
        }
      },
      demo: {
        idToken: false,
        userinfo: { request: async () => ({ ...vera, acr: 'gold', amr: ['mfa'], auth_time: 9e9 }) }
      } as never
    })
    const { browser, newBrowser, clock } = started
    await signIn(started, browser, vera)
    t.equal(await getStatus(browser, '/who'), 200)
    for (const path of ['/vault', '/gold', '/money']) t.equal(await getStatus(browser, path), 401, path)
    const form = newBrowser()
    await form.submit('/api/auth/callback/credentials', {
      username: 'grace',
      password: 'lovelace',
      amr: 'mfa',
      acr: 'gold',
      auth_time: '9000000000'
    })
    for (const path of ['/vault', '/gold']) t.equal(await getStatus(form, path), 401, path)
    clock.advance(301)
    t.equal(await getStatus(form, '/money'), 401)
  })

  test(`${strategy}: the page to authenticate again gets a hostile query: it sets no cookie that breaks the site`, async (t) => {
    const { browser, clock } = await startBank(t, { session })
    await signInByForm(browser, 'vera')
    clock.advance(301)
    const long = 'a'.repeat(3000)
    for (const query of [
      `acr_values=${long}+${long}+${long}`,
      `amr=${Array.from({ length: 250 }, (_, index) => `m${index}`).join('+')}`,
      Array.from({ length: 500 }, (_, index) => `acr_values=v${index}`).join('&'),
      'max_age=-1',
      'max_age=NaN',
      'max_age=1e309',
      'max_age=99999999999999999999',
      'max_age=1&max_age=2',
      'max_age[]=1',
      'amr=__proto__&acr_values=constructor',
      `acr_values=%00%0d%0aSet-Cookie:x=1`,
      `callbackUrl=${encodeURIComponent(`${origin}/${long}${long}`)}`,
      'acr_values=%F0%9F%98%80'
    ]) {
      const page = await openVerify(browser, query)
      t.ok(page.status < 500, `${page.status} ${query.slice(0, 40)}`)
    }
  })
}

// Limits

/** The limit of a username: the default in the long run, less in `npm test`. */
const most = isLong ? 100 : 20
const perUsername = { credentialsPerIdentifier: { points: most, seconds: 3600 } }

t.test('one reserved turn is used by many requests at once, from as many clients', async (t) => {
  const started = await startLimited(t)
  const { app, clock, checked } = started
  await exhaust(started, 'vera')
  const one = browserAt(app, clock, '6.6.6.6')
  const refused = await one.submit(form, wrong('vera'))
  const cookie = one.cookies.get(cookieNames.turns)
  clock.advance(Number(refused.headers['retry-after']))
  checked.length = 0
  const copies = Array.from({ length: times(40, 100) }, (_, index) => {
    const copy = browserAt(app, clock, index % 2 ? '6.6.6.6' : `9.9.9.${index}`)
    put(copy, cookieNames.turns, cookie)
    return copy
  })
  await Promise.all(copies.map((copy) => copy.submit(form, wrong('vera'))))
  t.equal(checked.length, 1)
})

t.test('the turn of one username is used for another, and that of a password for a mail', async (t) => {
  const started = await startLimited(t)
  const { app, clock, checked, mailbox } = started
  await exhaust(started, 'mallory')
  await exhaust(started, 'vera')
  for (let turn = 0; turn < 8; turn++) {
    const other = browserAt(app, clock, `5.5.5.${turn}`)
    await other.submit(form, wrong('vera'))
    await other.submit(mail, { email: address })
  }
  const one = browserAt(app, clock, '6.6.6.6')
  const refused = await one.submit(form, wrong('mallory'))
  t.equal(refused.status, 429)
  clock.advance(Number(refused.headers['retry-after']))
  checked.length = 0
  const sent = mailbox.mails.length
  t.equal((await one.submit(form, wrong('vera'))).status, 429)
  t.equal((await one.submit(mail, { email: address })).status, 429)
  t.same(checked, [])
  t.equal(mailbox.mails.length, sent)
  await one.submit(form, wrong('mallory'))
  t.same(checked, ['mallory'], 'it is used for its own')
})

t.test('a turn is kept until after the next window: it adds at most its own guess', async (t) => {
  const started = await startLimited(t)
  const { app, clock, checked } = started
  await exhaust(started, 'vera')
  const keepers: Browser[] = []
  for (let index = 0; index < times(15, 60); index++) {
    const keeper = browserAt(app, clock, `6.6.${index}.1`)
    await keeper.submit(form, wrong('vera'))
    keepers.push(keeper)
  }
  clock.advance(3 * 3600)
  checked.length = 0
  for (const keeper of keepers) for (let turn = 0; turn < 4; turn++) await keeper.submit(form, wrong('vera'))
  t.ok(checked.length <= 100, String(checked.length))
})

/** The cookie keeps the last turns only: a few usernames are as many as thirty. */
const usernames = times(4, 30)

t.test(`one client has the turns of ${usernames} usernames: the cookie fits into a browser`, async (t) => {
  const started = await startLimited(t, {})
  const { app, clock } = started
  const one = browserAt(app, clock, '6.6.6.6')
  for (let user = 0; user < usernames; user++) {
    await exhaust(started, `u${user}`, user * 101)
    await one.submit(form, wrong(`u${user}`))
  }
  const value = one.cookies.get(cookieNames.turns) ?? ''
  t.ok(value.length < 4000, String(value.length))
})

t.test('a public client writes X-Forwarded-For: it is no proxy, and its limits stay', async (t) => {
  for (const remote of few(['6.6.6.6', '2001:db8::1', '64:ff9b::6.6.6.6', '::ffff:6.6.6.6'])) {
    const { app, clock, checked } = await startLimited(t, { rateLimit: perClient })
    const one = browserAt(app, clock, remote)
    for (let turn = 0; turn < (isLong ? times(103, 130) : 23); turn++)
      await one.submit(form, wrong(`u${turn}`), {
        headers: { 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1', 'x-real-ip': '10.0.0.1' }
      })
    t.equal(checked.length, perClient.credentialsPerClient.points, remote)
  }
})

t.test('a translated private address counts as one client, not as a proxy', async (t) => {
  for (const remote of few(['64:ff9b::10.0.0.1', '64:ff9b:1::10.0.0.1', '2002:0a00:0001::1'])) {
    const { app, clock, checked } = await startLimited(t, { rateLimit: perClient })
    const one = browserAt(app, clock, remote)
    for (let turn = 0; turn < (isLong ? times(103, 130) : 23); turn++)
      await one.submit(form, wrong(`u${turn}`), { headers: { 'x-forwarded-for': '1.2.3.4' } })
    t.equal(checked.length, perClient.credentialsPerClient.points, remote)
  }
})

t.test(
  'right passwords of the attacker, with the name of the victim in other fields, use up no limit of the victim',
  async (t) => {
    const { app, clock } = await startLimited(t, { rateLimit: perUsername })
    for (let turn = 0; turn < (isLong ? times(102, 150) : most + 2); turn++) {
      const one = browserAt(app, clock, getAddress(turn))
      await one.submit(form, {
        username: `m${turn}`,
        password: 'lovelace',
        email: 'vera',
        name: 'vera',
        user: 'vera',
        login: 'vera'
      })
    }
    const owner = browserAt(app, clock, '7.7.7.7')
    t.not((await owner.submit(form, { username: 'vera', password: 'lovelace' })).status, 429)
  }
)

t.test('one request names sixty victims in fields that no form has: it counts for none of them', async (t) => {
  const { app, clock } = await startLimited(t, { rateLimit: perUsername })
  const names = Array.from({ length: 60 }, (_, index) => [`field${index}`, `v${index}`] as const)
  for (let turn = 0; turn < most; turn++) {
    const one = browserAt(app, clock, getAddress(turn % 10))
    await one.submit(form, { ...wrong(`m${turn}`), ...Object.fromEntries(names) })
  }
  for (const [index, [, username]] of names.entries()) {
    if (!isLong && index % 4 !== 0) continue
    const owner = browserAt(app, clock, `7.7.7.${index}`)
    t.equal((await owner.submit(form, { username, password: 'lovelace' })).location, origin)
  }
})

t.test('the budget of the devices of an owner is used up by a stranger without a device', async (t) => {
  const started = await startLimited(t)
  const { app, clock } = started
  const owner = browserAt(app, clock, '7.7.7.7')
  await owner.submit(form, { username: 'vera', password: 'lovelace' })
  await owner.submit('/api/auth/signout', {})
  for (let round = 0; round < times(1, 3); round++) {
    await exhaust(started, 'vera')
    for (let turn = 0; turn < times(18, 60); turn++) {
      const thief = browserAt(app, clock, turn % 2 ? '7.7.7.7' : getAddress(2000 + turn))
      put(thief, cookieNames.device, (owner.cookies.get(cookieNames.device) ?? '').slice(0, -1 - (turn % 9)))
      await thief.submit(form, wrong('vera'))
    }
  }
  t.equal((await owner.submit(form, { username: 'vera', password: 'lovelace' })).location, origin)
})

// Scopes

t.test('the step-up of one application is put into another', async (t) => {
  for (const strategy of someStrategies()) {
    const two = await startTwo(t, { strategy, admin: { providers: [people, mails()] } })
    const signInAt = async (name: 'shop' | 'admin') => {
      const browser = two.newBrowser(name)
      await browser.submit(`/${name}/api/auth/callback/credentials`, { username: 'vera', password: 'lovelace' })
      return browser
    }
    const [shop, admin] = [await signInAt('shop'), await signInAt('admin')]
    await shop.request('GET', '/shop/api/auth/verify?acr_values=impossible&amr=impossible', { headers: html })
    const cookie = shop.cookies.get(stepUp)
    t.ok(cookie)
    put(admin, stepUp, cookie, '/admin/api/auth')
    const as = async (username: string) =>
      admin.submit('/admin/api/auth/callback/credentials', { username, password: 'lovelace' })
    t.notMatch((await as('vera')).location, /error/, strategy)
    put(admin, stepUp, cookie, '/admin/api/auth')
    t.notMatch((await as('mallory')).location, /error/, `${strategy}: it does not name a user there`)
  }
})

t.test(
  'the step-up, the pending sign-in, the turns and the device are put under the names of each other',
  async (t) => {
    for (const strategy of someStrategies()) {
      const gate = createTestGate(false)
      const started = await startLimited(t, { session: { strategy }, features: [gate.feature] })
      const { app, clock } = started
      const source = browserAt(app, clock, '6.6.6.6')
      await source.submit(form, { username: 'vera', password: 'lovelace' })
      await source.request('GET', '/api/auth/verify?max_age=1', { headers: html })
      const values = new Map<string, string | null>([[stepUp, source.cookies.get(stepUp)]])
      values.set(cookieNames.device, source.cookies.get(cookieNames.device))
      const guesser = browserAt(app, clock, '6.6.6.7')
      await exhaust(started, 'mallory')
      await guesser.submit(form, wrong('mallory'))
      values.set(cookieNames.turns, guesser.cookies.get(cookieNames.turns))
      gate.isDue = true
      const waiting = browserAt(app, clock, '6.6.6.8')
      await waiting.submit(form, { username: 'vera', password: 'lovelace' })
      values.set(pending, waiting.cookies.get(pending))
      gate.isDue = false
      for (const [from, value] of values) {
        t.ok(value, from)
        for (const name of fewNames([...values.keys(), ...Object.values(cookieNames), '__Secure-postern.flash'])) {
          if (name === from || name === cookieNames.callbackUrl) continue
          const browser = browserAt(app, clock, '6.6.6.9')
          put(browser, name, value, '/')
          t.equal(await idIn(browser), null, `${strategy}: ${from} as ${name}`)
          for (const path of ['/api/auth/verify', linkPath, '/api/auth/signin', '/api/auth/verify/ask']) {
            const page = await browser.followAll(await browser.open(path))
            t.ok(page.status < 500, `${from} as ${name} ${path} ${page.status}`)
            t.notMatch(page.body, /vera/, `${from} as ${name} ${path}`)
          }
          await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
          await browser.submit(linkPath, { link: value ?? '' })
          t.equal(await idIn(browser), null, `${strategy}: ${from} as ${name}`)
        }
      }
    }
  }
)

t.test('the cookie of a step-up is kept, and used for a later session of its user: it lasts ten minutes', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { browser, clock } = started
    await signInByForm(browser, 'vera')
    await browser.request('GET', '/api/auth/verify?max_age=0&amr=impossible', { headers: html })
    const cookie = browser.cookies.get(stepUp)
    clock.advance(601)
    put(browser, stepUp, cookie)
    await signInByForm(browser, 'grace')
    t.match(await browser.json('/api/auth/session'), { user: { name: 'grace' } })
  }
})

// Guards

t.test(
  'a token of the application has a damaged record of its authentication: no guard passes, none fails',
  async (t) => {
    const now = Math.floor(Date.now() / 1000)
    for (const session_auth of [
      null,
      1,
      'mfa',
      [],
      ['mfa'],
      { amr: 'mfa' },
      { amr: { 0: 'mfa', length: 1 } },
      { amr: [['mfa']] },
      { amr: null },
      { provider: 'demo' },
      { provider: { id: 1 } },
      { provider: { id: 'demo', acr: ['gold'] } },
      { provider: { acr: { toString: 'gold' } } },
      JSON.parse('{"__proto__":{"amr":["mfa"]}}'),
      { amr: ['mfa '] },
      { amr: ['MFA'] },
      { provider: { id: 'demo', acr: 'gold ' } },
      { provider: { id: 'demo', amr: ['mfa'] } }
    ])
      for (const auth_time of few([now, String(now), [now], now * 1000, null])) {
        const app = Fastify()
        const decode = () => ({ sub: 'vera', auth_time, session_auth }) as unknown as Token
        await app.register(postern, {
          url: origin,
          secret,
          providers: [people],
          session: { strategy: 'jwt' },
          jwt: { encode: () => 'x', decode }
        })
        app.get('/vault', { onRequest: requireSession.with({ amr: ['mfa'] }) }, async () => 'x')
        app.get('/gold', { onRequest: requireSession.with({ acr: ['gold'] }) }, async () => 'x')
        const headers = { host: 'app.test', ...script, cookie: `${cookieNames.sessionToken}=abc` }
        for (const url of ['/vault', '/gold'])
          t.equal(
            (await app.inject({ url, headers })).statusCode,
            401,
            `${url} ${JSON.stringify([session_auth, auth_time])}`
          )
        await app.close()
      }
  }
)

t.test('a guard with requirements of one registration is used in another: it reads the session there', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const cookie = (name: string): PosternOptions['cookies'] => ({
    sessionToken: { name, options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true } }
  })
  let guard: typeof app.requireSession | ReturnType<typeof requireSession.with> = requireSession
  await app.register(
    async (shop) => {
      await shop.register(postern, {
        url: origin,
        secret,
        providers: [{ ...people, amr: ['pwd', 'mfa'] }],
        cookies: cookie('__Secure-shop')
      })
      guard = shop.requireSession.with({ amr: ['mfa'], freshWithin: 60 })
      shop.get('/vault', { onRequest: guard }, async () => 'x')
    },
    { prefix: '/shop' }
  )
  await app.register(
    async (admin) => {
      await admin.register(postern, { url: origin, secret, providers: [people], cookies: cookie('__Secure-admin') })
      admin.get('/vault', { onRequest: guard }, async () => 'x')
      admin.get('/child', { preHandler: guard }, async () => 'x')
    },
    { prefix: '/admin' }
  )
  const at = async (name: string) => {
    const browser = createBrowser({ origin, send: fromInject(app), basePath: `/${name}/api/auth` })
    await browser.submit(`/${name}/api/auth/callback/credentials`, { username: 'vera', password: 'lovelace' })
    return browser
  }
  const [shop, admin] = [await at('shop'), await at('admin')]
  const status = async (browser: Browser, path: string) =>
    (await browser.request('GET', path, { headers: script })).status
  t.equal(await status(shop, '/shop/vault'), 200)
  for (const browser of [shop, admin])
    for (const path of ['/admin/vault', '/admin/child']) t.equal(await status(browser, path), 401, path)
  const both = createBrowser({ origin, send: fromInject(app) })
  for (const [name, from] of [
    ['__Secure-shop', shop],
    ['__Secure-admin', admin],
    ['__Secure-admin', shop]
  ] as const)
    put(both, name, from.cookies.get(from === shop ? '__Secure-shop' : '__Secure-admin'), '/')
  for (const path of ['/admin/vault', '/admin/child']) t.equal(await status(both, path), 401, path)
})

t.test('authorized is slow: it decides about the session of its own request', async (t) => {
  for (const strategy of someStrategies()) {
    let during: (() => Promise<unknown>) | null = null
    const seen: unknown[] = []
    const started = await startAccounts(t, {
      session: { strategy },
      before: (app) =>
        app.after(() => {
          const authorized = async ({ user }: { user?: unknown }) => {
            seen.push(user)
            await during?.()
            return (user as { id?: string })?.id === 'id-vera'
          }
          app.get(
            '/own',
            { onRequest: requireSession.with({ authorized: authorized as never }) },
            async ({ auth }) => auth?.user
          )
        })
    })
    const { newBrowser } = started
    const [one, two] = [newBrowser(), newBrowser()]
    await signInByForm(one, 'grace')
    await signInByForm(two, 'mallory')
    const run = async (browser: Browser) => (await browser.request('GET', '/own', { headers: script })).status
    during = async () => {
      during = null
      await run(two)
    }
    t.equal(await run(one), 403)
    t.equal(seen.length, 2, strategy)
  }
})

// Linking, on every adapter

const localAdapters = [
  { name: 'memory', skip: false as string | false, open: async (_: Test): Promise<Adapter> => memoryAdapter() },
  { name: 'no transactions', skip: false as string | false, open: async () => withoutTransactions(memoryAdapter()) },
  { name: 'SQLite', skip: false as string | false, open: async () => sqliteAdapter({ file: ':memory:' }) }
]
const serverAdapters = [
  {
    name: 'PostgreSQL',
    skip: await withoutServer('PostgreSQL', postgresPort),
    open: async (t: Test) => postgresAdapter({ url: (await createTestDatabase(t)).url(), max: 10 })
  },
  {
    name: 'MariaDB',
    skip: await withoutServer('MariaDB', mysqlPort),
    open: async (t: Test) => mysqlAdapter({ url: await createMysqlDatabase(t), max: 10 })
  }
]
async function startOn(
  t: Test,
  open: (t: Test) => Promise<Adapter>,
  options: Parameters<typeof startAccounts>[1] = {}
) {
  const adapter = await open(t)
  t.teardown(() => adapter.close?.())
  return startAccounts(t, { ...options, adapter })
}
async function openAsk(
  started: Awaited<ReturnType<typeof startAccounts>>,
  browser: Browser,
  person: Parameters<typeof signIn>[2]
) {
  const page = await openLinkPage(browser, await signIn(started, browser, person))
  const link = page.html().querySelector('input[name=link]')?.getAttribute('value') ?? ''
  return () => browser.submit(linkPath, { link })
}

/** In `npm test` each test has one adapter of each group, with one strategy; in the long run each has all. */
const groups = [localAdapters, serverAdapters].map((adapters) =>
  turnsOf(
    adapters.flatMap((adapter) => strategies.map((strategy) => ({ ...adapter, strategy }))),
    t
  )
)

for (const adapterTurns of groups)
  for (const { value, test } of adapterTurns()) {
    const { name, skip, open, strategy } = value
    const label = `${name}, ${strategy}`
    test(`two users confirm the link of one account at once: ${label}`, { skip }, async (t) => {
      for (let round = 0; round < times(1, 3); round++) {
        const started = await startOn(t, open, { session: { strategy } })
        const { newBrowser } = started
        const [one, two] = [newBrowser(), newBrowser()]
        await signInByMail(started, one, address)
        await signInByMail(started, two, 'mallory@evil.test')
        const [first, second] = [await openAsk(started, one, vera), await openAsk(started, two, vera)]
        const ids = [await idIn(one), await idIn(two)]
        await Promise.all([first(), second()])
        const owner = await idOf(started, 'vera')
        t.ok(ids.includes(owner), String(owner))
        t.same([await idIn(one), await idIn(two)], ids, 'nobody changes sides')
        const counts = await Promise.all(ids.map(async (id) => (await accountsOf(started, id ?? '')).length))
        t.same(counts.toSorted(), [0, 1])
      }
    })

    test(`a link is confirmed while its user is deleted or suspended, or all sessions are revoked: ${label}`, {
      skip
    }, async (t) => {
      for (const end of few(['delete', 'suspend', 'revokeAll'] as const)) {
        const started = await startOn(t, open, { session: { strategy } })
        const { newBrowser, app, adapter } = started
        const one = newBrowser()
        await signInByMail(started, one, address)
        const id = (await idIn(one)) ?? ''
        const confirm = await openAsk(started, one, mallory)
        // An end in the millisecond in which the link began to wait may precede it.
        started.clock.advance(1)
        const work = {
          delete: () => app.postern.deleteUser(id),
          suspend: () => app.postern.users.suspend(id),
          revokeAll: () => app.postern.sessions.revokeAll(id)
        }[end]
        await Promise.all([confirm(), work(), confirm()])
        t.equal(await idIn(one), null, end)
        const owner = await idOf(started, 'mallory')
        if (end === 'delete') {
          t.equal(owner, null, `${end}: no account remains`)
          t.equal((await adapter?.getUser?.(id)) ?? null, null)
        } else t.ok(owner === null || owner === id, end)
      }
    })

    test(`the owner claims the user while its creator confirms a link: ${label}`, { skip }, async (t) => {
      const started = await startOn(t, open, { session: { strategy } })
      const { newBrowser, mailbox } = started
      const [thief, owner] = [newBrowser(), newBrowser()]
      await signIn(started, thief, { ...mallory, email: address, email_verified: false }, { provider: 'loose' })
      const confirm = await openAsk(started, thief, { ...mallory, sub: 'm2' })
      await owner.submit(mail, { email: address })
      await Promise.all([owner.open(mailbox.last().url, { headers: fromAfar }), confirm()])
      if ((await idIn(owner)) === null) await signInByMail(started, owner, address)
      const id = await idIn(owner)
      t.ok(id)
      t.equal(await idIn(thief), null)
      t.same(await accountsOf(started, id ?? ''), [], 'no account of the thief')
    })

    test(`accounts without an address, or with an empty one, join nobody: ${label}`, { skip }, async (t) => {
      const started = await startOn(t, open, {
        session: { strategy },
        demo: { allowDangerousEmailAccountLinking: true, verifiesEmail: true } as never,
        loose: { allowDangerousEmailAccountLinking: true, verifiesEmail: true } as never
      })
      const { newBrowser, app } = started
      const ids = new Set<string | null>()
      let index = 0
      for (const email of fewAddresses<unknown>([
        '',
        ' ',
        'null',
        'undefined',
        '@',
        'a@',
        undefined,
        null,
        0,
        false,
        [],
        {},
        [address],
        { toString: address }
      ])) {
        for (const provider of ['demo', 'loose']) {
          const browser = newBrowser()
          await signIn(
            started,
            browser,
            { sub: `s${index++}`, email: email as string, email_verified: true },
            { provider }
          )
          const id = await idIn(browser)
          if (id === null) continue
          t.notOk(ids.has(id), `${JSON.stringify(email)} at ${provider}`)
          ids.add(id)
          await app.postern.invite(id, { expiresIn: 600 }).catch(() => undefined)
        }
      }
      t.ok(ids.size > (isLong ? 5 : 3), 'they do sign up')
    })

    test(`an invitation of one user is used for another with the address, after it moved: ${label}`, {
      skip
    }, async (t) => {
      const started = await startOn(t, open, { session: { strategy }, demo: { verifiesEmail: true } as never })
      const { app, adapter, newBrowser } = started
      const id = await signUp(started, address)
      await app.postern.invite(id, { expiresIn: 600 })
      await adapter?.updateUser?.({ id, email: 'elsewhere@example.com' })
      const other = await signUp(started, address)
      const browser = newBrowser()
      await signIn(started, browser, { ...vera, email_verified: true })
      t.equal(await idIn(browser), null, 'the other user was not invited')
      t.same(await accountsOf(started, other), [])
      t.same(await accountsOf(started, id), [])
    })

    test(`an invited user is suspended, and the invitation is used after resume: ${label}`, { skip }, async (t) => {
      const started = await startOn(t, open, { session: { strategy }, demo: { verifiesEmail: true } as never })
      const { app, newBrowser } = started
      const id = await signUp(started, address)
      await app.postern.invite(id, { expiresIn: 600 })
      await app.postern.users.suspend(id)
      const during = newBrowser()
      await signIn(started, during, vera)
      t.equal(await idIn(during), null)
      await app.postern.users.resume(id)
      const browser = newBrowser()
      await signIn(started, browser, vera)
      t.equal(await idIn(browser), null, 'it ended')
      t.same(await accountsOf(started, id), [])
    })

    test(`twenty invited sign-ins and a mailed link at once: one user, accounts of the owner only: ${label}`, {
      skip
    }, async (t) => {
      const started = await startOn(t, open, { session: { strategy }, demo: { verifiesEmail: true } as never })
      const { app, newBrowser, mailbox } = started
      const thief = newBrowser()
      await signIn(started, thief, { ...mallory, email: address, email_verified: false }, { provider: 'loose' })
      const id = (await idIn(thief)) ?? ''
      await app.postern.invite(id, { expiresIn: 600 })
      const owner = newBrowser()
      await owner.submit(mail, { email: address })
      const { url } = mailbox.last()
      const others = await Promise.all(
        Array.from({ length: 6 }, async (_, index) => {
          const browser = newBrowser()
          return begin(started, browser, { ...vera, sub: `vera-${index}` })
        })
      )
      await Promise.all([...others.map(({ finish }) => finish()), owner.open(url, { headers: fromAfar })])
      const accounts = await accountsOf(started, id)
      t.notOk(accounts.includes('loose mallory'), accounts.join())
      t.ok(accounts.length <= 1, `one invitation, one account: ${accounts.join()}`)
      t.equal(await idIn(thief), null)
    })

    test(`a step-up at a provider overlaps unlink, or a suspension: ${label}`, { skip }, async (t) => {
      for (const end of few(['unlink', 'suspend'] as const)) {
        const started = await startOn(t, open, { session: { strategy }, linking: { freshWithin: false } })
        const { app, newBrowser, clock } = started
        const one = newBrowser()
        await signInByMail(started, one, address)
        const id = (await idIn(one)) ?? ''
        const now = () => Math.floor(clock.now() / 1000)
        await signIn(started, one, { ...mallory, auth_time: now() }, { link: 'true' })
        t.same(await accountsOf(started, id), ['demo mallory'])
        clock.advance(301)
        await one.request('GET', '/api/auth/verify?max_age=300', { headers: html })
        const { finish } = await begin(started, one, { ...mallory, auth_time: now() })
        const work = {
          unlink: () => app.postern.unlink(id, { provider: 'demo', providerAccountId: 'mallory' }),
          suspend: () => app.postern.users.suspend(id)
        }[end]
        await Promise.all([finish(), work()])
        const after = await idIn(one)
        if (end === 'suspend') t.equal(after, null, end)
        if (end === 'unlink') {
          const other = await signIn(started, newBrowser(), mallory)
          t.ok(other)
          t.not(await idOf(started, 'mallory'), id, end)
          t.equal(after, null, 'no session through the removed account')
        }
      }
    })
  }
