import type { PosternOptions, Token } from '@postern/core'
import { type Browser, createBrowser, fromInject } from '@postern/testkit'
import { inTurn, isLong, times, turnsOf } from '@postern/testkit/long'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import postern, { requireSession } from '../../src/index.ts'
import { form, getAddress } from '../advisories/perimeter-setup.ts'
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
import { startTwo } from '../two-applications.ts'
import { browserAt } from '../visitor.ts'
import { exhaust, perClient, startLimited, wrong } from './limited-setup.ts'
import {
  accountsOf,
  address,
  begin,
  getStatus,
  idIn,
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
    t.equal(await idIn(thief), null, 'the owner has reclaimed the user')
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

t.test('limit-2: after the delay many clients try at once: one password is checked', async (t) => {
  const started = await startLimited(t)
  const { app, clock, checked } = started
  await exhaust(started, 'vera')
  const refused = await browserAt(app, clock, '6.6.6.6').submit(form, wrong('vera'))
  clock.advance(Number(refused.headers['retry-after']))
  checked.length = 0
  const clients = Array.from({ length: times(40, 100) }, (_, index) => browserAt(app, clock, `9.9.9.${index}`))
  await Promise.all(clients.map((client) => client.submit(form, wrong('vera'))))
  t.equal(checked.length, 1)
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

t.test('the step-up, the pending sign-in and the device are put under the names of each other', async (t) => {
  for (const strategy of someStrategies()) {
    const gate = createTestGate(false)
    const started = await startLimited(t, { session: { strategy }, features: [gate.feature] })
    const { app, clock } = started
    const source = browserAt(app, clock, '6.6.6.6')
    await source.submit(form, { username: 'vera', password: 'lovelace' })
    await source.request('GET', '/api/auth/verify?max_age=1', { headers: html })
    const values = new Map<string, string | null>([[stepUp, source.cookies.get(stepUp)]])
    values.set(cookieNames.device, source.cookies.get(cookieNames.device))
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
})

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
