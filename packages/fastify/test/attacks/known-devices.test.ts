import type { RateRule } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import { inTurn, isLong, times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { form, getAddress, password } from '../advisories/perimeter-setup.ts'
import { createTestGate } from '../interruption-feature.ts'
import {
  cookieNames,
  fromAfar,
  getSession,
  mails,
  origin,
  type Started,
  type StartOptions,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from '../start.ts'
import { startTwo } from '../two-applications.ts'
import { browserAt, getCsrf } from '../visitor.ts'
import { type ClockLimiter, createClockLimiter } from './clock-limiter.ts'
import { exhaust, perClient } from './limited-setup.ts'
import { address, strategies } from './setup.ts'

const mail = '/api/auth/signin/email'
const someStrategies = inTurn(strategies)

/** Callbacks are limited too; these limits are out of the way. */
const callbackPerClient: RateRule = { points: 1_000_000, seconds: 60 }

interface Guarded extends Started {
  readonly limiter: ClockLimiter
  /** The usernames whose password was checked. */
  readonly checked: string[]
}

/** An application whose limits follow the clock of the test, with a form that has two fields for a user. */
async function startGuarded(t: Test, options: StartOptions = {}): Promise<Guarded> {
  const limiter = createClockLimiter()
  const checked: string[] = []
  const form = credentials({
    credentials: { username: {}, email: {}, password },
    authorize: ({ username, email, password }) => {
      const name = username || email?.split('@')[0] || ''
      checked.push(name)
      return password === 'lovelace' ? { id: `id-${name}`, name, email: `${name}@example.com` } : null
    }
  })
  const providers = [mails(), form]
  const rateLimit = { limiter, callbackPerClient, ...options.rateLimit }
  const started = await start(t, { instances: 1, providers, ...options, rateLimit })
  limiter.now = started.clock.now
  return { ...started, limiter, checked }
}

/** Posts wrong passwords for a username, each from another client. */
async function guessFromAnywhere({ app, clock }: Started, count: number, username: string = 'vera') {
  const { csrfToken, cookies } = await getCsrf(app, clock)
  const attempts = Array.from({ length: count }, (_, turn) =>
    browserAt(app, clock, getAddress(turn), cookies.clone()).submit(form, { username, password: 'wrong', csrfToken })
  )
  return Promise.all(attempts)
}

/** A browser elsewhere with the device cookie of another one, and nothing else. */
function copyDevice({ app, clock }: Started, from: Browser, remoteAddress: string): Browser {
  const browser = browserAt(app, clock, remoteAddress)
  const value = from.cookies.get(cookieNames.device)
  if (value === null) throw new Error('expected a device cookie')
  browser.cookies.set(cookieNames.device, value, { secure: true, path: '/api/auth' })
  return browser
}

const submit = (browser: Browser, username: string, password: string = 'lovelace') =>
  browser.submit(form, { username, password })

t.test('limit-2: many clients guess at one username: the owner signs in with a known device', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startGuarded(t, { session: { strategy } })
    const owner = browserAt(started.app, started.clock, '7.7.7.7')
    await submit(owner, 'vera')
    t.ok(owner.cookies.get(cookieNames.device), `${strategy}: the device is known`)
    await owner.submit('/api/auth/signout', {})
    t.ok(owner.cookies.get(cookieNames.device), 'also after signing out')
    await guessFromAnywhere(started, times(102, 120))
    t.equal((await submit(browserAt(started.app, started.clock, '7.7.7.8'), 'vera')).status, 429, 'another device')
    t.equal((await submit(owner, 'vera')).location, origin)
    t.match(await getSession(owner), { user: { name: 'vera' } })
  }
})

t.test('a device has its budget for usernames of every length, and for those only', async (t) => {
  for (const [letter, length] of [
    ['v', 1],
    ['v', 24],
    ['v', 25],
    ['v', 200],
    ['愛', 8]
  ] as const) {
    const started = await startGuarded(t)
    const [name, other] = [letter.repeat(length), `${letter.repeat(length - 1)}w`]
    const owner = browserAt(started.app, started.clock, '7.7.7.7')
    await submit(owner, name)
    for (const guessed of [name, other]) await guessFromAnywhere(started, 102, guessed)
    t.equal((await submit(owner, name)).location, origin, `${letter}, ${length}`)
    t.equal((await submit(owner, other)).status, 429)
  }
})

t.test('one client fills every window of a username and of its address: the owner there signs in', async (t) => {
  const started = await startGuarded(t, { rateLimit: perClient })
  const { app, clock } = started
  const owner = browserAt(app, clock, '8.8.8.8')
  await submit(owner, 'vera')
  const thief = browserAt(app, clock, '8.8.8.8')
  for (let turn = 0; turn < 12; turn++) await submit(thief, 'vera', 'wrong')
  for (let turn = 0; turn < perClient.credentialsPerClient.points + 20; turn++)
    await submit(thief, `user${turn}`, 'wrong')
  t.equal((await submit(thief, 'vera')).status, 429)
  t.equal((await submit(owner, 'vera')).location, origin)
})

t.test(
  'limit-2: beyond the limit of a username the delay grows, to 30 seconds, and no password is checked',
  async (t) => {
    const started = await startGuarded(t)
    const { app, clock, checked } = started
    await guessFromAnywhere(started, 101)
    t.equal(checked.length, 100)
    const waits: number[] = []
    for (let client = 0; client < 12; client++) {
      const [before, time] = [checked.length, performance.now()]
      const refused = await submit(browserAt(app, clock, `9.9.8.${client}`), 'vera', 'wrong')
      t.equal(refused.status, 429)
      t.ok(performance.now() - time < 4000, 'it is answered at once')
      t.equal(checked.length, before, 'no password is checked')
      const wait = Number(refused.headers['retry-after'])
      waits.push(wait)
      clock.advance(wait)
      t.equal((await submit(browserAt(app, clock, `9.9.9.${client}`), 'vera', 'wrong')).status, 302, 'one is checked')
      t.equal((await submit(browserAt(app, clock, `9.9.7.${client}`), 'vera')).status, 429, 'and no other')
      t.equal(checked.length, before + 1)
    }
    t.same(waits.slice(0, 4), [5, 10, 20, 30])
    t.ok(
      waits.slice(3).every((wait) => wait === 30),
      String(waits)
    )
    clock.advance(30)
    t.equal(
      (await submit(browserAt(app, clock, '7.7.7.7'), 'vera')).location,
      origin,
      'the right password, after the delay'
    )
  }
)

t.test('waiting for the delay does not exceed the limits of a client', async (t) => {
  const started = await startGuarded(t)
  const { app, clock } = started
  await exhaust(started, 'vera')
  const owner = browserAt(app, clock, '7.7.7.7')
  for (let turn = 0; turn < 40; turn++) {
    const { status, headers } = await submit(owner, 'vera')
    t.equal(status, 429)
    t.ok(Number(headers['retry-after']) <= 30)
  }
  clock.advance(30)
  t.equal((await submit(owner, 'vera')).location, origin)
})

t.test('a device cookie is stolen: its copies share one small budget, and the owner has another', async (t) => {
  const started = await startGuarded(t)
  const { app, clock, checked } = started
  const owner = browserAt(app, clock, '7.7.7.7')
  await submit(owner, 'vera')
  const second = browserAt(app, clock, '7.7.7.8')
  await submit(second, 'vera')
  await exhaust(started, 'vera')
  const before = checked.length
  for (let copy = 0; copy < times(12, 30); copy++)
    await submit(copyDevice(started, owner, getAddress(1000 + copy)), 'vera', 'wrong')
  t.equal(checked.length - before, 10, 'ten guesses, from anywhere')
  t.equal((await submit(second, 'vera')).location, origin, 'the other device of the owner')
  clock.advance(3600)
  await exhaust(started, 'vera')
  const later = checked.length
  for (let day = 0; day < 3; day++) {
    clock.advance(900)
    for (let copy = 0; copy < 12; copy++)
      await submit(copyDevice(started, owner, getAddress(2000 + copy)), 'other', 'x')
  }
  t.equal(checked.slice(later).filter((name) => name === 'vera').length, 0)
})

t.test('many device cookies of one user are stolen: together they have four budgets', async (t) => {
  const started = await startGuarded(t)
  const { app, clock, checked } = started
  const devices: Browser[] = []
  for (let device = 0; device < times(6, 8); device++) {
    const owner = browserAt(app, clock, `7.7.7.${device}`)
    await submit(owner, 'vera')
    devices.push(owner)
  }
  await exhaust(started, 'vera')
  const before = checked.length
  for (const [index, device] of devices.entries())
    for (let turn = 0; turn < 12; turn++)
      await submit(copyDevice(started, device, getAddress(3000 + index)), 'vera', 'wrong')
  t.equal(checked.length - before, 40)
})

t.test('limit-2: the device cookie of another user is no budget for guessing', async (t) => {
  const started = await startGuarded(t)
  const { app, clock, checked } = started
  const mallory = browserAt(app, clock, '6.6.6.6')
  await submit(mallory, 'mallory')
  await exhaust(started, 'vera')
  const before = checked.length
  for (let turn = 0; turn < 12; turn++)
    await submit(copyDevice(started, mallory, getAddress(1000 + turn)), 'vera', 'wrong')
  t.equal(checked.length, before)
})

t.test('a sign-in to the own account names another user in a second field: right guesses look wrong', async (t) => {
  const checked: string[] = []
  const authorize = ({ username, email, password }: Readonly<Record<'username' | 'email' | 'password', string>>) => {
    checked.push(username || email)
    return password === 'lovelace' ? { id: username || email, name: username || email } : null
  }
  const bare = { id: 'credentials', name: 'Credentials', type: 'credentials', authorize } as const
  const started = await startGuarded(t, { providers: [bare], session: { strategy: 'jwt' } })
  const { app, clock } = started
  const mallory = browserAt(app, clock, '6.6.6.6')
  await mallory.submit(form, { username: 'mallory', email: 'vera', password: 'lovelace' })
  t.match(await getSession(mallory), { user: { name: 'mallory' } })
  await exhaust(started, 'vera')
  const thief = copyDevice(started, mallory, '6.6.6.7')
  checked.length = 0
  const wrong = await thief.submit(form, { email: 'vera', password: 'wrong' })
  const right = await thief.submit(form, { email: 'vera', password: 'lovelace' })
  t.same(checked, ['vera', 'vera'])
  const withoutRef = (location: string | null) => location?.replace(/ref=[\w-]+/, '')
  t.match(wrong.location, 'CredentialsSignin')
  t.same([right.status, withoutRef(right.location)], [wrong.status, withoutRef(wrong.location)])
  t.same(await getSession(thief), {})
})

t.test('the device cookie of another application is used', async (t) => {
  const limiter = createClockLimiter()
  const two = await startTwo(t, { strategy: 'database', both: { rateLimit: { limiter, callbackPerClient } } })
  limiter.now = two.clock.now
  const owner = two.newBrowser('admin')
  await owner.submit('/admin/api/auth/signin/email', { email: address })
  await owner.open(two.mailbox.last().url, { headers: fromAfar })
  const value = owner.cookies.get(cookieNames.device)
  if (value === null) throw new Error('expected a device cookie')
  const ask = async (name: 'shop' | 'admin', cookie: string | null) => {
    const browser = two.newBrowser(name)
    if (cookie) browser.cookies.set(cookieNames.device, cookie, { secure: true, path: `/${name}/api/auth` })
    return (await browser.submit(`/${name}/api/auth/signin/email`, { email: address })).status
  }
  for (let turn = 0; turn < 6; turn++) await ask('shop', null)
  t.equal(await ask('shop', value), 429, 'no budget there')
  t.equal(await ask('admin', value), 302, 'a budget at home')
})

t.test('a device cookie is changed, emptied or made up', async (t) => {
  const started = await startGuarded(t)
  const { app, clock, checked } = started
  const owner = browserAt(app, clock, '7.7.7.7')
  await submit(owner, 'vera')
  const value = owner.cookies.get(cookieNames.device) ?? ''
  await exhaust(started, 'vera')
  const before = checked.length
  const forged = [value.slice(0, -2), `${value}A`, '', 'null', '[]', 'e30', value.split('.').toReversed().join('.')]
  for (const [index, text] of forged.entries()) {
    const browser = browserAt(app, clock, getAddress(1000 + index))
    browser.cookies.set(cookieNames.device, text, { secure: true, path: '/api/auth' })
    t.equal((await submit(browser, 'vera')).status, 429, text.slice(0, 12))
  }
  t.equal(checked.length, before)
  clock.advance(181 * 86_400)
  await exhaust(started, 'vera')
  const late = browserAt(app, clock, '7.7.7.9')
  late.cookies.set(cookieNames.device, value, { secure: true, path: '/api/auth' })
  t.equal((await submit(late, 'vera')).status, 429, 'and it expires')
})

t.test('all sessions are revoked, or the user is deleted: the budget of every device ends', async (t) => {
  for (const [name, end] of [
    ['revokeAll', ({ app }: Started, id: string) => app.postern.sessions.revokeAll(id)],
    ['deleteUser', ({ app }: Started, id: string) => app.postern.deleteUser(id)]
  ] as const) {
    const started = await startGuarded(t)
    const { app, clock, adapter } = started
    const owner = browserAt(app, clock, '7.7.7.7')
    await submit(owner, 'vera')
    const id = (await adapter?.getUserByEmail?.('vera@example.com'))?.id ?? ''
    clock.advance(60)
    await end(started, id)
    clock.advance(60)
    await exhaust(started, 'vera')
    t.equal((await submit(copyDevice(started, owner, '6.6.6.6'), 'vera')).status, 429, name)
    clock.advance(3600)
    await submit(owner, 'vera')
    await exhaust(started, 'vera')
    if (name === 'revokeAll') t.equal((await submit(owner, 'vera')).location, origin, 'a new sign-in has a new one')
    clock.advance(300 * 86_400)
  }
})

// Their order decides, not the clocks: those of two processes differ by up to 30 seconds.
t.test('a device that becomes known just after an end of all sessions stays so, and others do not', async (t) => {
  // A form of the millisecond of the end came before it.
  for (const seconds of [0.001, 1, 29]) {
    const started = await startGuarded(t)
    const { app, clock, adapter } = started
    const before = browserAt(app, clock, '7.7.7.7')
    await submit(before, 'vera')
    const id = (await adapter?.getUserByEmail?.('vera@example.com'))?.id ?? ''
    clock.advance(1)
    await app.postern.sessions.revokeAll(id)
    clock.advance(seconds)
    const after = browserAt(app, clock, '7.7.7.8')
    await submit(after, 'vera')
    await exhaust(started, 'vera')
    t.equal((await submit(copyDevice(started, before, '6.6.6.6'), 'vera')).status, 429, 'one from before it')
    t.equal((await submit(after, 'vera')).location, origin, `${seconds} s after it`)
    await app.postern.sessions.revokeAll(id)
    t.equal((await submit(copyDevice(started, after, '6.6.6.7'), 'vera')).status, 429, 'after the next end')
  }
})

t.test('the owner of an address reclaims a user: devices of the person who created it have no budget', async (t) => {
  const started = await startGuarded(t)
  const { app, clock, mailbox } = started
  const thief = browserAt(app, clock, '6.6.6.6')
  await submit(thief, 'vera')
  clock.advance(60)
  const owner = browserAt(app, clock, '7.7.7.7')
  await signInByMail({ mailbox }, owner, 'vera@example.com')
  t.match(await getSession(owner), { user: { email: 'vera@example.com' } })
  clock.advance(60)
  await exhaust(started, 'vera')
  t.equal((await submit(copyDevice(started, thief, '6.6.6.7'), 'vera')).status, 429)
})

t.test('an interrupted sign-in makes no device known before it is complete', async (t) => {
  const gate = createTestGate()
  const started = await startGuarded(t, { features: [gate.feature] })
  const { browser } = started
  await submit(browser, 'vera')
  t.equal(browser.cookies.get(cookieNames.device), null)
  await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
  t.match(await getSession(browser), { user: { name: 'vera' } })
  await exhaust(started, 'vera')
  await browser.submit(form, { username: 'vera', password: 'lovelace' })
  t.ok(browser.cookies.get(cookieNames.device), 'the device knows the username of the form')
  t.equal((await submit(copyDevice(started, browser, '7.7.7.7'), 'vera', 'wrong')).status, 302, 'and has its budget')
})

t.test('without limits no device cookie is set, and none is read', async (t) => {
  const started = await start(t, { instances: 1, rateLimit: false })
  await signInByForm(started.browser)
  t.equal(started.browser.cookies.get(cookieNames.device), null)
})

t.test('many clients ask for mails to one address: its owner gets one with a known device', async (t) => {
  const started = await startGuarded(t)
  const { app, clock, mailbox } = started
  const owner = browserAt(app, clock, '7.7.7.7')
  await signInByMail({ mailbox }, owner, address)
  const sent = mailbox.mails.length
  for (let turn = 0; turn < 20; turn++) await browserAt(app, clock, getAddress(turn)).submit(mail, { email: address })
  t.equal(mailbox.mails.length - sent, 4)
  const other = await browserAt(app, clock, '7.7.7.8').submit(mail, { email: address })
  t.equal(other.status, 429)
  t.ok(Number(other.headers['retry-after']) <= 60, 'another device waits')
  t.equal((await owner.submit(mail, { email: address })).status, 302)
  for (let turn = 0; turn < 20; turn++)
    await copyDevice(started, owner, getAddress(turn)).submit(mail, { email: address })
  t.equal(mailbox.mails.length - sent, 4 + 5, 'a stolen cookie sends five')
})

t.test('mails to one address stay limited: ten in fifteen minutes, by any number of clients', async (t) => {
  const { app, clock, mailbox } = await startGuarded(t)
  // Seconds between two requests.
  const pause = isLong ? 15 : 60
  for (let second = 0; second < 7200; second += pause) {
    await browserAt(app, clock, getAddress(second)).submit(mail, { email: address })
    clock.advance(pause)
  }
  const { length } = mailbox.mails
  t.ok(length <= 80, `${length} mails in two hours`)
})

t.test('an unverified address at a provider is no budget for mails to it', async (t) => {
  const limiter = createClockLimiter()
  const started = await start(t, { instances: 1, rateLimit: { limiter, callbackPerClient } })
  limiter.now = started.clock.now
  const { app, clock, mailbox } = started
  const thief = browserAt(app, clock, '6.6.6.6')
  await signInAtIssuer(started, thief, { sub: 'mallory', email: address, email_verified: false })
  t.ok(thief.cookies.get(cookieNames.device))
  for (let turn = 0; turn < 20; turn++) await browserAt(app, clock, getAddress(turn)).submit(mail, { email: address })
  t.equal(mailbox.mails.length, 5)
  t.equal((await thief.submit(mail, { email: address })).status, 429)
})

t.test('limit-3: a flood of mails to many addresses: the breaker stops all of them', async (t) => {
  const { app, clock, mailbox, log } = await startGuarded(t, {
    rateLimit: { mailPerApplication: { points: 30, seconds: 60 } }
  })
  const ask = (turn: number) =>
    browserAt(app, clock, getAddress(turn)).submit(mail, { email: `user${turn}@example.com` })
  const statuses: number[] = []
  for (let turn = 0; turn < 50; turn++) statuses.push((await ask(turn)).status)
  t.equal(mailbox.mails.length, 30)
  t.equal(statuses.filter((status) => status === 429).length, 20)
  t.ok(log.some((line) => line.includes('MAIL_LIMIT_REACHED')))
  clock.advance(60)
  t.equal((await ask(49)).status, 302, 'what was not sent does not count')
})

t.test('one username is guessed from the networks of one subscriber', async (t) => {
  const points = isLong ? 10 : 3
  const started = await startGuarded(t, {
    rateLimit: {
      credentialsPerIdentifier: { points: 9999, seconds: 3600 },
      credentialsPerIdentifierAndClient: { points, seconds: 900 }
    }
  })
  const { app, clock, checked } = started
  const guess = (client: string) => submit(browserAt(app, clock, client), 'vera', 'wrong')
  for (let net = 0; net < (isLong ? times(45, 60) : 15); net++)
    await guess(`2001:db8:1:1${(net % 100).toString(16).padStart(2, '0')}::1`)
  t.equal(checked.length, 4 * points, 'a /56')
  for (let net = 0; net < (isLong ? times(125, 200) : 45); net++)
    await guess(`2001:db8:1:${(net + 32).toString(16)}00::1`)
  t.ok(checked.length <= 20 * points, `a /48: ${checked.length}`)
  await guess('2001:db8:2:1::1')
  t.equal(checked.at(-1), 'vera', 'other networks have their own')
})
