import { type Feature, text } from '@postern/core/feature'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import { inTurn, isLong, times } from '@postern/testkit/long'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { form, getAddress, password } from '../advisories/perimeter-setup.ts'
import { createTestGate } from '../interruption-feature.ts'
import { fewInTurn } from '../selections.ts'
import { cookieNames, fromAfar, mails, people, type Started, signInByForm, signInByMail } from '../start.ts'
import { startTwo } from '../two-applications.ts'
import { browserAt } from '../visitor.ts'
import { createClockLimiter } from './clock-limiter.ts'
import { callbackPerClient, exhaust, startLimited } from './limited-setup.ts'
import {
  accountsOf,
  address,
  begin,
  idIn,
  idOf,
  mallory,
  script,
  signIn,
  signUp,
  startAccounts,
  strategies,
  withId
} from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const someStrategies = inTurn(strategies)
const fewNames = fewInTurn(4)

/** The mails of one client: the default in the long run, less in `npm test`. */
const mostMails = isLong ? 20 : 5
const mailPerClient = { points: mostMails, seconds: 3600 }

const mail = '/api/auth/signin/email'
const gatePath = '/api/auth/verify/ask'
const flash = '__Secure-postern.flash'
const stranger = { sub: 'stranger', name: 'Mallory', email_verified: false }

/** A route that needs a sign-in of the last minute. */
const withFresh = (app: FastifyInstance): void => {
  app.get('/danger', async (request, reply) => {
    await app.requireSession.with({ freshWithin: 60 }).call(app, request, reply)
    return reply.sent ? reply : { done: true }
  })
}

/** A browser elsewhere with the device cookie of another one. */
function copyDevice({ app, clock }: Started, from: Browser, remoteAddress: string): Browser {
  const browser = browserAt(app, clock, remoteAddress)
  const value = from.cookies.get(cookieNames.device)
  if (value === null) throw new Error('expected a device cookie')
  browser.cookies.set(cookieNames.device, value, { secure: true, path: '/api/auth' })
  return browser
}

const seen = ({ status, location }: { readonly status: number; readonly location: string | null }) => ({
  status,
  location: location?.replace(/ref=[\w-]+/, '')
})

// Linking and joining by address

t.test('a stale or recent session signs in with the address of a user, and with an unknown one', async (t) => {
  for (const strategy of someStrategies()) {
    for (const age of [0, 700]) {
      const started = await startAccounts(t, { linking: { concealUsers: true }, session: { strategy } })
      await signInByMail(started, started.newBrowser(), address)
      const visit = async (sub: string, email: string, link: string) => {
        const browser = started.newBrowser()
        await signIn(started, browser, mallory)
        started.clock.advance(age)
        return seen(await signIn(started, browser, { ...stranger, sub, email }, { link }))
      }
      for (const link of ['', 'true']) {
        const known = await visit(`known${link}${age}`, address, link)
        const unknown = await visit(`unknown${link}${age}`, `nobody${link}${age}@example.com`, link)
        t.same(known, unknown, `${strategy}, ${age} s, link ${link}`)
      }
    }
  }
})

t.test('a concealed sign-in interrupts, invites or calls signIn for known addresses only', async (t) => {
  const gate = createTestGate()
  const started = await startAccounts(t, {
    linking: { concealUsers: true },
    demo: { verifiesEmail: true },
    features: [gate.feature]
  })
  const userId = await signUp(started)
  await started.app.postern.invite(userId, { expiresIn: 600 })
  const [known, unknown] = [
    seen(await signIn(started, started.newBrowser(), { ...stranger, email: address })),
    seen(await signIn(started, started.newBrowser(), { ...stranger, sub: 'other', email: 'nobody@example.com' }))
  ]
  t.same(known, unknown)
  t.equal(gate.asked.length, 0)
  t.same(await accountsOf(started, userId), [])
})

t.test('one client sends notices to many addresses: they count as its mails', async (t) => {
  const started = await startLimited(t, { linking: { concealUsers: true }, rateLimit: { mailPerClient } })
  const { app, clock, mailbox } = started
  for (let turn = 0; turn < 3 * mostMails; turn++) {
    const browser = browserAt(app, clock, '6.6.6.6')
    await signIn(started, browser, { ...stranger, sub: `s${turn}`, email: `user${turn}@example.com` })
  }
  t.equal(mailbox.mails.length, mostMails)
})

t.test('a notice has one recipient, and nothing that the stranger chose', async (t) => {
  const started = await startAccounts(t, { linking: { concealUsers: true } })
  const { mailbox, newBrowser } = started
  const addresses = [
    `${address}, mallory@evil.test`,
    `${address}\r\nBcc: mallory@evil.test`,
    `"${address}" <mallory@evil.test>`,
    `<${address}>`,
    'VERA@Example.com'
  ]
  for (const [index, email] of addresses.entries())
    await signIn(started, newBrowser(), {
      sub: `s${index}`,
      name: 'Win at https://evil.test/now',
      email,
      email_verified: false
    })
  t.ok(mailbox.mails.length > 0)
  for (const { to, subject, text, html } of mailbox.mails) {
    t.match(to, /^[^\s,<>"]+@[^\s,<>"@]+$/)
    t.notMatch(`${subject}${text}${html}`, 'evil.test')
  }
})

t.test('a user takes the address of a victim with an account that was verified for another', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { newBrowser, adapter } = started
    const thief = newBrowser()
    await signIn(started, thief, mallory)
    await signIn(started, thief, { ...mallory, sub: 'second' }, { provider: 'loose', link: 'true' })
    const id = (await idIn(thief)) ?? ''
    await adapter?.updateUser?.({ id, email: address, emailVerified: null })
    const pending = await begin(started, newBrowser(), mallory)
    await signIn(started, newBrowser(), mallory)
    t.notOk((await adapter?.getUser?.(id))?.emailVerified, 'the old account verifies nothing')
    const owner = newBrowser()
    await signInByMail(started, owner, address)
    t.equal(await idIn(owner), id)
    t.notMatch((await accountsOf(started, id)).join(), /mallory|second/, strategy)
    await pending.finish()
    const again = newBrowser()
    await signIn(started, again, mallory)
    t.not(await idIn(again), id)
    t.equal(await idIn(thief), null)
  }
})

t.test('the callbackUrl of a mail leads to a link, a sign-out or another mailed link', async (t) => {
  const started = await startAccounts(t)
  const { newBrowser, mailbox, app } = started
  const thief = newBrowser()
  await thief.submit(mail, { email: 'mallory@evil.test' })
  const own = mailbox.last().url
  const urls = [own, new URL(own).pathname + new URL(own).search, app.postern.linkUrl('demo', '/'), '/api/auth/signout']
  for (const callbackUrl of urls) {
    await thief.submit(mail, { email: address, callbackUrl })
    const victim = newBrowser()
    const page = await victim.open(mailbox.last().url, { headers: fromAfar })
    const finished = await victim.fill(page, 'form[method=post]')
    const id = await idIn(victim)
    t.ok(id)
    await victim.followAll(finished)
    t.equal(await idIn(victim), id, callbackUrl)
    t.notOk(victim.cookies.get(cookieNames.state), 'nothing is started')
  }
})

// Limits and known devices

t.test('one client asks for mails to an address without end: the owner elsewhere waits no longer', async (t) => {
  const started = await startLimited(t)
  const { app, clock } = started
  const thief = browserAt(app, clock, '6.6.6.6')
  for (let turn = 0; turn < times(20, 300); turn++) await thief.submit(mail, { email: address })
  const owner = browserAt(app, clock, '7.7.7.7')
  const wait = Number((await owner.submit(mail, { email: address })).headers['retry-after'] ?? 0)
  t.ok(wait <= 60, `requests that are refused do not make the delay longer: ${wait}`)
  clock.advance(wait)
  t.equal((await owner.submit(mail, { email: address })).status, 302)
})

t.test('a client beyond its mails starts no delay of an address', async (t) => {
  const started = await startLimited(t, { rateLimit: { mailPerClient } })
  const { app, clock, mailbox } = started
  const thief = browserAt(app, clock, '6.6.6.6')
  for (let turn = 0; turn < mostMails + 10; turn++) await thief.submit(mail, { email: `user${turn}@example.com` })
  t.equal(mailbox.mails.length, mostMails)
  for (let turn = 0; turn < times(12, 50); turn++) t.equal((await thief.submit(mail, { email: address })).status, 429)
  for (let turn = 0; turn < 5; turn++)
    t.equal((await browserAt(app, clock, getAddress(turn)).submit(mail, { email: address })).status, 302)
})

for (const [what, email] of [
  ['limited', 'one@example.com'],
  ['refused by signIn', 'refused@example.com'],
  ['invalid', 'not an address']
] as const) {
  t.test(`requests without a mail use up the breaker for all mails: ${what}`, async (t) => {
    const started = await startLimited(t, {
      rateLimit: { mailPerApplication: { points: 10, seconds: 3600 } },
      callbacks: { ...withId, signIn: ({ user }) => user.email !== 'refused@example.com' }
    })
    const { app, clock, mailbox } = started
    for (let turn = 0; turn < times(14, 40); turn++)
      await browserAt(app, clock, getAddress(turn)).submit(mail, { email })
    t.equal((await browserAt(app, clock, '7.7.7.7').submit(mail, { email: address })).status, 302)
    t.equal(mailbox.last().to, address)
  })
}

t.test('a stolen device guesses with every form and spelling: its budget is one', async (t) => {
  const checked: string[] = []
  const entry = (id: string) =>
    credentials({
      id,
      credentials: { username: {}, password },
      authorize: ({ username, password }) => {
        checked.push(username)
        return password === 'lovelace' ? { id: `id-vera`, name: 'vera', email: address } : null
      }
    })
  const started = await startLimited(t, { providers: [mails(), entry('credentials'), entry('second')] })
  const { app, clock } = started
  const owner = browserAt(app, clock, '7.7.7.7')
  await signInByForm(owner, 'vera')
  await exhaust(started, 'vera')
  const before = checked.length
  const spellings = ['vera', 'VERA', ' vera', 'véra', 'ｖｅｒａ', 've\u200bra']
  for (let turn = 0; turn < times(24, 60); turn++) {
    const path = turn % 2 ? form : '/api/auth/callback/second'
    const username = spellings[turn % spellings.length] ?? ''
    await copyDevice(started, owner, getAddress(5000 + turn)).submit(path, { username, password: 'wrong' })
  }
  t.equal(checked.length - before, 10)
})

t.test('a device whose user takes the address of a victim has no mails to it', async (t) => {
  const started = await startLimited(t)
  const { app, clock, adapter } = started
  const thief = browserAt(app, clock, '6.6.6.6')
  await signInByMail(started, thief, 'mallory@evil.test')
  await adapter?.updateUser?.({ id: (await idIn(thief)) ?? '', email: address, emailVerified: null })
  await signInByForm(thief, 'mallory')
  for (let turn = 0; turn < 6; turn++) await browserAt(app, clock, getAddress(turn)).submit(mail, { email: address })
  t.equal((await thief.submit(mail, { email: address })).status, 429)
})

t.test('signing in and out again gives an attacker with a stolen session no more budgets for a user', async (t) => {
  const started = await startLimited(t)
  const { app, clock, checked } = started
  const devices: Browser[] = []
  for (let turn = 0; turn < 8; turn++) {
    const thief = browserAt(app, clock, `6.6.6.${turn}`)
    await signInByForm(thief, 'mallory')
    await thief.submit('/api/auth/signout', {})
    devices.push(thief)
  }
  await exhaust(started, 'vera')
  const before = checked.length
  for (const device of devices) {
    const thief = copyDevice(started, device, '6.6.7.1')
    for (const username of ['vera', 'mallory', 'vera'])
      await thief.submit(form, { username, password: username === 'vera' ? 'wrong' : 'lovelace' })
  }
  t.equal(checked.slice(before).filter((name) => name === 'vera').length, 0)
})

// Scopes

t.test('encrypted cookies are put under the names of each other', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startLimited(t, { session: { strategy } })
    const { app, clock } = started
    const source = browserAt(app, clock, '6.6.6.6')
    await signInByForm(source, 'mallory')
    await source.submit('/api/auth/signin/demo', {})
    await source.submit(mail, { email: address })
    await source.submit(form, { username: '{"id":"id-vera","userId":"id-vera","sub":"vera"}', password: 'wrong' })
    const names = [...new Set([...Object.values(cookieNames), flash])].filter(
      (name) => name !== cookieNames.callbackUrl
    )
    const values = names.map((name) => [name, source.cookies.get(name)] as const)
    t.ok(source.cookies.get(flash))
    for (const [from, value] of values) {
      if (value === null) continue
      for (const name of fewNames(names)) {
        if (name === from) continue
        const browser = browserAt(app, clock, '6.6.6.7')
        browser.cookies.set(name, value, { secure: true, path: '/' })
        t.equal(await idIn(browser), null, `${strategy}, ${from} as ${name}`)
        const page = await browser.open('/api/auth/signin?error=CredentialsSignin&ref=req-1')
        t.equal(page.status, 200)
        t.notMatch(page.body, /value="(\{|vera)/)
        await browser.submit('/api/auth/callback/email', { code: started.mailbox.last().code })
        t.equal(await idIn(browser), null)
      }
    }
  }
})

t.test('the code for one email provider is used at another', async (t) => {
  const corporate = (value: string): string => {
    if (!value.endsWith('@corp.test')) throw new Error('not an address of the company')
    return value
  }
  for (const normalizeIdentifier of [corporate, undefined]) {
    const signIns: string[] = []
    const started = await startAccounts(t, {
      providers: [mails(), mails({ id: 'strict', ...(normalizeIdentifier ? { normalizeIdentifier } : {}) })],
      callbacks: {
        ...withId,
        signIn: ({ account, email }) => {
          signIns.push(`${account?.provider} ${email?.verificationRequest ?? false}`)
          return true
        }
      }
    })
    const { browser, mailbox } = started
    await browser.submit(mail, { email: address })
    const { code } = mailbox.last()
    await browser.submit('/api/auth/callback/strict', { code })
    await browser.submit('/api/auth/callback/strict', { code, email: address })
    t.equal(await idIn(browser), null)
    t.notMatch(signIns.join(), 'strict false')
    await browser.submit('/api/auth/callback/email', { code })
    t.ok(await idIn(browser), 'it still works at home')
  }
})

t.test('the typed identifier of one application is shown at another, or to a later visitor', async (t) => {
  const two = await startTwo(t, { strategy: 'database', both: { rateLimit: false } })
  const typed = 'secret.person@example'
  const browser = two.newBrowser('shop')
  const failed = await browser.submit('/shop/api/auth/signin/email', { email: typed })
  const value = browser.cookies.get(flash) ?? ''
  t.ok(value)
  const own = two.newBrowser('shop')
  own.cookies.set(flash, value, { secure: true, path: '/shop/api/auth' })
  t.match((await own.open(failed.location ?? '')).body, typed, 'it is shown at home')
  const other = two.newBrowser('admin')
  other.cookies.set(flash, value, { secure: true, path: '/admin/api/auth' })
  const page = await other.open((failed.location ?? '').replace('/shop/', '/admin/'))
  t.notMatch(page.body, typed)
  for (const path of ['signin', 'signin?error=EmailSignin', 'signin?error=EmailSignin&ref=', 'signin?ref[]=1'])
    t.notMatch((await browser.open(`/shop/api/auth/${path}`)).body, typed, path)
})

t.test('the device of one application guesses a password at another', async (t) => {
  const limiter = createClockLimiter()
  const two = await startTwo(t, {
    strategy: 'database',
    both: { rateLimit: { limiter, callbackPerClient } },
    admin: { providers: [people] }
  })
  limiter.now = two.clock.now
  const submit = (browser: Browser, name: string, password: string) =>
    browser.submit(`/${name}/api/auth/callback/credentials`, { username: 'vera', password })
  const owner = two.newBrowser('shop')
  await submit(owner, 'shop', 'lovelace')
  const value = owner.cookies.get(cookieNames.device) ?? ''
  t.ok(value)
  for (let turn = 0; turn < 12; turn++) await submit(two.newBrowser('admin'), 'admin', 'wrong')
  const thief = two.newBrowser('admin')
  thief.cookies.set(cookieNames.device, value, { secure: true, path: '/admin/api/auth' })
  t.equal((await submit(thief, 'admin', 'lovelace')).status, 429)
})

// Guards and features

t.test('a password without the second step ends no session of the owner', async (t) => {
  for (const strategy of someStrategies()) {
    const gate = createTestGate(false)
    const started = await startAccounts(t, { features: [gate.feature], session: { strategy, maxPerUser: 1 } })
    const { browser, newBrowser, clock } = started
    await signInByForm(browser, 'vera')
    gate.isDue = true
    for (let turn = 0; turn < 3; turn++) {
      clock.advance(5)
      const thief = newBrowser()
      await signInByForm(thief, 'vera')
      await thief.submit(gatePath, { answer: 'no' })
      t.equal(await idIn(thief), null)
    }
    t.ok(await idIn(browser), strategy)
  }
})

t.test('a pending sign-in is taken as a session that links an account', async (t) => {
  for (const strategy of someStrategies()) {
    const gate = createTestGate(false)
    const started = await startAccounts(t, { features: [gate.feature], session: { strategy } })
    const { browser, newBrowser } = started
    await signInByForm(browser, 'vera')
    const victimId = (await idIn(browser)) ?? ''
    const before = await accountsOf(started, victimId)
    for (const link of ['true', '']) {
      gate.isDue = true
      const thief = newBrowser()
      await signInByForm(thief, 'vera')
      gate.isDue = false
      await signIn(started, thief, { ...mallory, sub: `m${link}`, email: `m${link}@evil.test` }, { link })
      t.ok(await idOf(started, `m${link}`), 'the sign-in of the thief is completed')
      t.not(await idIn(thief), victimId, 'as another user')
      gate.isDue = true
      await thief.submit(gatePath, { answer: 'yes' })
      t.same(await accountsOf(started, victimId), before, `${strategy}, link ${link}`)
    }
  }
})

t.test('a repeated sign-in that is interrupted is no recent sign-in, and changes no session', async (t) => {
  for (const strategy of someStrategies()) {
    const gate = createTestGate(false)
    const started = await startAccounts(t, {
      features: [gate.feature],
      session: { strategy },
      before: (app) => app.after(() => withFresh(app))
    })
    const { browser, clock } = started
    await signInByForm(browser, 'vera')
    const id = await idIn(browser)
    const danger = async () => (await browser.request('GET', '/danger', { headers: script })).status
    t.equal(await danger(), 200)
    clock.advance(120)
    t.equal(await danger(), 401)
    gate.isDue = true
    await signInByForm(browser, 'vera')
    await browser.submit(gatePath, { answer: 'no' })
    t.equal(await danger(), 401, strategy)
    await signInByForm(browser, 'mallory')
    t.equal(await idIn(browser), id)
    t.equal(await danger(), 401)
  }
})

t.test('a stale session becomes recent by ending others, or by an update', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, {
      session: { strategy, updateAge: 0 },
      before: (app) =>
        app.after(() => {
          withFresh(app)
          app.get('/others', async (request) => {
            await app.postern.sessions.revokeOthers(request)
            return {}
          })
        })
    })
    const { browser, clock } = started
    await signInByForm(browser, 'vera')
    const id = await idIn(browser)
    clock.advance(900)
    const danger = async () => (await browser.request('GET', '/danger', { headers: script })).status
    t.equal((await browser.request('GET', '/others')).status, 200)
    t.equal(await idIn(browser), id)
    t.equal(await danger(), 401, `${strategy}: revokeOthers`)
    const updated = await browser.submit('/api/auth/session', { data: 'x' })
    t.equal(updated.status, 200)
    t.equal(await danger(), 401, `${strategy}: update`)
  }
})

t.test('two interruptions are passed in another order, or one of them twice', async (t) => {
  const step = (id: string, order: number) => ({
    id,
    order,
    isDue: () => true,
    show: () => text(id, 200),
    verify: () => 'passed' as const
  })
  const feature: Feature = {
    id: 'steps',
    needs: ['createTicket', 'consumeTicket'],
    setup: () => ({ interruptions: [step('one', 400), step('two', 500)] })
  }
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { features: [feature], session: { strategy } })
    const { browser } = started
    await signInByForm(browser, 'vera')
    const copy = browser.cookies.clone()
    for (const path of ['two', 'two', 'three', 'constructor']) await browser.submit(`/api/auth/verify/${path}`, {})
    t.equal(await idIn(browser), null, `${strategy}: the second one alone`)
    const other = started.newBrowser()
    for (const { name, value, ...attributes } of copy.all()) other.cookies.set(name, value, attributes)
    await other.submit('/api/auth/verify/one', {})
    await other.submit('/api/auth/verify/one', {})
    t.equal(await idIn(other), null, 'the first one twice')
    await other.submit('/api/auth/verify/two', {})
    t.ok(await idIn(other), 'both')
  }
})

t.test('a route of a feature is called by other methods, from other sites, and beyond its limit', async (t) => {
  const ran: string[] = []
  const run = (name: string) => () => {
    ran.push(name)
    return text(name, 200)
  }
  const limit = { points: 3, seconds: 60 }
  const feature: Feature = {
    id: 'vault',
    setup: () => ({
      routes: [
        { method: 'POST', path: '/vault/open', run: run('open') },
        { method: 'GET', path: '/vault/keys/:id', access: 'anyone', limit, run: run('key') }
      ]
    })
  }
  const started = await startLimited(t, { features: [feature] })
  const { browser, newBrowser } = started
  await signInByForm(browser, 'vera')
  const path = '/api/auth/vault/open'
  const cross = { ...fromAfar, origin: 'https://evil.test' }
  for (const method of ['GET', 'HEAD'] as const) await browser.request(method, path)
  await browser.post(path, '')
  await browser.post(path, '_method=POST', cross)
  await browser.submit(path, {}, { headers: cross })
  await newBrowser().submit(path, {})
  t.same(ran, [])
  await browser.submit(path, {})
  t.same(ran, ['open'])
  const client = browserAt(started.app, started.clock, '6.6.6.6')
  for (let turn = 0; turn < 12; turn++)
    await client.request(turn % 2 ? 'HEAD' : 'GET', `/api/auth/vault/keys/${turn}${turn % 3 ? '' : '?x=1'}`)
  t.equal(ran.length, 1 + 3, 'parameters and methods share the limit')
})

t.test('a session beyond idleTimeout or maxPerUser is used through another door', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, {
      session: { strategy, idleTimeout: 600, maxPerUser: 2 },
      before: (app) =>
        app.after(() => {
          app.get('/others', async (request) => {
            await app.postern.sessions.revokeOthers(request)
            return {}
          })
        })
    })
    const { browser, newBrowser, clock, app } = started
    await signInByForm(browser, 'vera')
    const id = (await idIn(browser)) ?? ''
    const copy = () => {
      const other = newBrowser()
      for (const { name, value, ...attributes } of browser.cookies.all())
        other.cookies.set(name, value, { ...attributes, expires: null })
      return other
    }
    const idle = copy()
    clock.advance(700)
    const owner = newBrowser()
    await signInByForm(owner, 'vera')
    t.not((await idle.request('GET', '/others')).status, 200)
    await idle.submit('/api/auth/session', { data: 'x' })
    await signIn(started, idle, { ...mallory, sub: 'linked' }, { link: 'true' })
    t.not(await idIn(idle), id, `${strategy}: the idle session`)
    t.not(await idOf(started, 'linked'), id, 'links nothing')
    t.equal(await idIn(owner), id, 'and ends no session')
    t.equal((await app.postern.sessions.list(id)).length, 1)
  }
})
