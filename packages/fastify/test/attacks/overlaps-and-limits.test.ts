import { type AddressInfo, connect } from 'node:net'
import { memoryAdapter } from '@postern/adapters/memory'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, AdapterUser, OAuthConfig, PosternOptions, Token } from '@postern/core'
import { type Feature, text } from '@postern/core/feature'
import credentials from '@postern/core/providers/credentials'
import { type Browser, createBrowser, createIssuer, fromInject, type Person } from '@postern/testkit'
import { inTurn, isLong, times } from '@postern/testkit/long'
import Fastify, { type FastifyInstance } from 'fastify'
import mysql from 'mysql2/promise'
import t, { type Test } from 'tap'
import postern, { requireSession } from '../../src/index.ts'
import { form, getAddress } from '../advisories/perimeter-setup.ts'
import { createMysqlDatabase } from '../databases.ts'
import { createTestGate } from '../interruption-feature.ts'
import { fewInTurn } from '../selections.ts'
import {
  cookieNames,
  demoIssuer,
  fromAfar,
  mails,
  openLinkPage,
  origin,
  people,
  type Started,
  type StartOptions,
  secret,
  signInByForm,
  signInByMail
} from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import { browserAt } from '../visitor.ts'
import { exhaust, perClient, startLimited, wrong } from './limited-setup.ts'
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
  vera,
  withId
} from './setup.ts'

type Session = NonNullable<NonNullable<PosternOptions['callbacks']>['session']>

const mail = '/api/auth/signin/email'
const gatePath = '/api/auth/verify/ask'

/** A promise, and what resolves it. */
function createSignal<Value>() {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((done) => {
    resolve = done
  })
  return { promise, resolve: (value: Value) => resolve(value) }
}

/** Opens the page that asks for a link. @returns What confirms it. */
async function confirm(started: Started, browser: Browser, person: Person, provider: string = 'demo') {
  const page = await openLinkPage(browser, await signIn(started, browser, person, { provider }))
  return () => browser.fill(page, '/api/auth/verify/link')
}

/** Keeps the session of another browser. */
function adopt(browser: Browser, from: Browser): void {
  for (const { name, value, ...attributes } of from.cookies.all()) browser.cookies.set(name, value, attributes)
}

const stores: Readonly<Record<string, () => Adapter>> = {
  memory: memoryAdapter,
  'no transactions': () => withoutTransactions(memoryAdapter()),
  SQLite: () => sqliteAdapter({ file: ':memory:' })
}

const someStrategies = inTurn(strategies)
const someStores = inTurn(Object.entries(stores))
const few = fewInTurn(2)

// Sign-ins in progress

/** An application with a gate, and a form whose users are those of the store. */
async function startGated(t: Test, options: StartOptions = {}, loose: Partial<OAuthConfig> = {}) {
  const gate = createTestGate(false)
  const entry = demoIssuer(createIssuer())
  const own = credentials({
    id: 'own',
    credentials: { username: {}, password: { type: 'password' } },
    authorize: ({ username }) => ({ id: username })
  })
  const started = await startAccounts(t, {
    features: [gate.feature],
    providers: [entry, { ...entry, id: 'loose', ...loose }, mails(), own],
    ...options
  })
  return { ...started, gate }
}

/** What happens to the user while a sign-in waits for a second step. */
const meanwhile: Readonly<Record<string, (started: Started, id: string) => unknown>> = {
  revokeAll: ({ app }, id) => app.postern.sessions.revokeAll(id),
  deleteUser: ({ app }, id) => app.postern.deleteUser(id),
  'revokeAll, twice': async ({ app, clock }, id) => {
    await app.postern.sessions.revokeAll(id)
    clock.advance(40)
    await app.postern.sessions.revokeAll(id)
  }
}

for (const [what, act] of Object.entries(meanwhile))
  t.test(`a password is right, then comes ${what}, then the second step passes`, async (t) => {
    for (const strategy of someStrategies())
      for (const wait of few([0.1, 5, 45, 300])) {
        const started = await startGated(t, { session: { strategy } })
        const { browser, clock, gate } = started
        const id = await signUp(started)
        gate.isDue = true
        await browser.submit('/api/auth/callback/own', { username: id, password: 'x' })
        clock.advance(wait)
        await act(started, id)
        clock.advance(wait)
        await browser.submit(gatePath, { answer: 'yes' })
        t.equal(await idIn(browser), null, `${strategy}, ${wait}`)
        t.same((await started.app.postern.sessions.list(id)).length, 0)
      }
  })

/** What changes the session of a browser while its link waits for a second step. */
const sessionChanges: Readonly<Record<string, (started: Started, browser: Browser, id: string) => unknown>> = {
  'another user signs in there': async (started, browser) => {
    await browser.submit('/api/auth/signout', {})
    await signIn(started, browser, { ...vera, sub: 'victim', email: 'victim@example.com' })
  },
  'the user signs out': (_started, browser) => browser.submit('/api/auth/signout', {}),
  'its session is revoked': ({ app }, _browser, id) => app.postern.sessions.revokeAll(id),
  'its sign-in is no longer recent': ({ clock }) => clock.advance(700),
  'its user is deleted': ({ app }, _browser, id) => app.postern.deleteUser(id),
  'its account is unlinked': async (started, _browser, id) => {
    await started.adapter?.updateUser?.({ id, emailVerified: new Date(started.clock.now()) })
    await started.app.postern.unlink(id, { provider: 'demo', providerAccountId: 'vera' })
  }
}

for (const [what, change] of Object.entries(sessionChanges))
  for (const link of ['true', ''])
    t.test(`a ${link ? 'started' : 'confirmed'} link waits for a second step, and ${what}`, async (t) => {
      for (const strategy of someStrategies()) {
        const started = await startGated(t, { session: { strategy } })
        const { browser, gate } = started
        await signIn(started, browser, vera)
        const id = (await idIn(browser)) ?? ''
        const finish = link
          ? (await begin(started, browser, mallory, { link, provider: 'loose' })).finish
          : await confirm(started, browser, mallory, 'loose')
        gate.isDue = true
        t.match((await finish()).location, /verify/, 'it waits')
        const copy = browser.cookies.clone()
        gate.isDue = false
        await change(started, browser, id)
        for (const { name, value, ...attributes } of copy.all())
          if (!name.includes('session-token')) browser.cookies.set(name, value, attributes)
        await browser.submit(gatePath, { answer: 'yes' })
        const leads = await idOf(started, 'mallory', 'loose')
        t.not(leads, id, `${strategy}: not to the first user`)
        const victim = await idOf(started, 'victim')
        t.ok(victim === null || leads !== victim, 'nor to the next one')
      }
    })

t.test('an account is unlinked while its sign-in waits for a second step', async (t) => {
  for (const strategy of someStrategies())
    for (const allowDangerousEmailAccountLinking of [false, true]) {
      const started = await startGated(t, { session: { strategy } }, { allowDangerousEmailAccountLinking })
      const { browser, newBrowser, gate, app } = started
      await signIn(started, browser, vera)
      const id = (await idIn(browser)) ?? ''
      await signIn(started, browser, mallory, { link: 'true', provider: 'loose' })
      t.equal(await idOf(started, 'mallory', 'loose'), id)
      gate.isDue = true
      const thief = newBrowser()
      await signIn(started, thief, mallory, { provider: 'loose' })
      await app.postern.unlink(id, { provider: 'loose', providerAccountId: 'mallory' })
      await thief.submit(gatePath, { answer: 'yes' })
      t.not(await idIn(thief), id, strategy)
      t.not(await idOf(started, 'mallory', 'loose'), id)
    }
})

t.test('a form is submitted before a claim and completed at any later time', async (t) => {
  for (const strategy of someStrategies())
    for (const seconds of few([0, 1, 29, 31, 45, 59, 61, 120])) {
      const entered = createSignal<void>()
      const left = createSignal<void>()
      const started = await startGated(t, {
        session: { strategy },
        constants: { callbackTimeoutMilliseconds: 60_000 },
        callbacks: {
          ...withId,
          signIn: async ({ account }) => {
            if (account?.provider !== 'own') return true
            entered.resolve()
            await left.promise
            return true
          }
        }
      })
      const { newBrowser, clock } = started
      const id = await signUp(started)
      const [thief, owner] = [newBrowser(), newBrowser()]
      const running = thief.submit('/api/auth/callback/own', { username: id, password: 'x' })
      await entered.promise
      clock.advance(1)
      await signInByMail(started, owner, address)
      t.equal(await idIn(owner), id)
      clock.advance(seconds)
      left.resolve()
      await running
      t.equal(await idIn(thief), null, `${strategy}: ${seconds} s after the claim`)
      t.equal(await idIn(owner), id)
    }
})

t.test('fifty right answers to a second step arrive at once: one session', async (t) => {
  for (const [label, open] of someStores())
    for (const strategy of someStrategies()) {
      const started = await startGated(t, { session: { strategy }, adapter: open() })
      const { browser, gate, app, newBrowser } = started
      const id = await signUp(started)
      gate.isDue = true
      await browser.submit('/api/auth/callback/own', { username: id, password: 'x' })
      const copies = Array.from({ length: times(20, 50) }, () => {
        const copy = newBrowser()
        adopt(copy, browser)
        return copy
      })
      await Promise.all(copies.map((copy) => copy.submit(gatePath, { answer: 'yes' })))
      const ids = await Promise.all(copies.map(idIn))
      t.equal(ids.filter((found) => found === id).length, 1, `${strategy}, ${label}`)
      t.equal((await app.postern.sessions.list(id)).length, 1)
    }
})

t.test('a hundred answers to a second step arrive at once: five are verified', async (t) => {
  for (const [label, open] of someStores()) {
    let verified = 0
    const feature: Feature = {
      id: 'pin',
      needs: ['createTicket', 'consumeTicket'],
      setup: () => ({
        interruptions: [
          {
            id: 'ask',
            order: 200,
            isDue: () => true,
            show: () => text('pin', 200),
            verify: (_signIn, { body }) => {
              verified++
              return body['answer'] === '77' ? 'passed' : text('wrong', 403)
            }
          }
        ]
      })
    }
    const started = await startAccounts(t, { features: [feature], adapter: open() })
    const { browser, newBrowser } = started
    await signInByForm(browser, 'vera')
    const guesses = Array.from({ length: times(30, 100) }, async (_, guess) => {
      const copy = newBrowser()
      adopt(copy, browser)
      await copy.submit(gatePath, { answer: String(guess) })
      return idIn(copy)
    })
    const ids = await Promise.all(guesses)
    t.ok(verified <= 5, `${label}: ${verified}`)
    t.ok(ids.every((id) => id === null) || verified <= 5)
  }
})

// Random sequences

/** A generator of numbers in [0, 1) with a seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Play extends Started {
  readonly owner: Browser
  readonly attacker: Browser
  ownersUrl: string
  attackersUrl: string
}

const unverified = { ...mallory, sub: 'unverified', email: address, email_verified: false }
const silent = { sub: 'silent', name: 'M', email: address }

const attackerMoves: Readonly<Record<string, (play: Play) => Promise<unknown>>> = {
  'unverified at loose': (play) => signIn(play, play.attacker, unverified, { provider: 'loose' }),
  'unverified at demo': (play) => signIn(play, play.attacker, unverified),
  'says nothing at loose': (play) => signIn(play, play.attacker, silent, { provider: 'loose' }),
  'own address at demo': (play) => signIn(play, play.attacker, mallory),
  'links own address': (play) => signIn(play, play.attacker, { ...mallory, sub: 'second' }, { link: 'true' }),
  'links unverified': (play) => signIn(play, play.attacker, { ...unverified, sub: 'third' }, { link: 'true' }),
  form: ({ attacker }) => signInByForm(attacker, 'vera'),
  'form and link': async (play) => {
    await signInByForm(play.attacker, 'vera')
    await signIn(play, play.attacker, { ...mallory, sub: 'fourth' }, { link: 'true', provider: 'loose' })
  },
  'mail to the owner': async (play) => {
    await play.attacker.submit(mail, { email: address })
    play.attackersUrl = play.mailbox.last().url
  },
  'mail to itself': (play) => signInByMail(play, play.attacker, 'mallory@evil.test'),
  'sign out': ({ attacker }) => attacker.submit('/api/auth/signout', {}),
  wait: async ({ clock }) => clock.advance(45)
}

const ownerMoves: Readonly<Record<string, (play: Play) => Promise<unknown>>> = {
  'requests a mail': async (play) => {
    await play.owner.submit(mail, { email: address })
    play.ownersUrl = play.mailbox.last().url
  },
  'opens the link': (play) => openLink(play.owner, play.ownersUrl),
  'opens the mail of the attacker': (play) => openLink(play.owner, play.attackersUrl),
  'signs in at demo': (play) => signIn(play, play.owner, vera),
  'signs in at loose': (play) => signIn(play, play.owner, vera, { provider: 'loose' }),
  'links demo': (play) => signIn(play, play.owner, vera, { link: 'true' }),
  'links another': (play) => signIn(play, play.owner, { ...vera, sub: 'vera-2' }, { link: 'true', provider: 'loose' }),
  'signs out': ({ owner }) => owner.submit('/api/auth/signout', {}),
  'is invited': async ({ adapter, app }) => {
    const user = await adapter?.getUserByEmail?.(address)
    if (user) await app.postern.invite(user.id, { expiresIn: 60 })
  }
}

async function openLink(browser: Browser, url: string): Promise<void> {
  if (url === '') return
  const page = await browser.open(url, { headers: fromAfar })
  if (page.status === 200) await browser.fill(page, 'form[method=post]').catch(() => undefined)
}

/** The user of the owner, once the address is proven. */
async function getOwnerId({ adapter }: Play): Promise<string | null> {
  const user = await adapter?.getUserByEmail?.(address)
  return user?.emailVerified ? user.id : null
}

const dangers: Readonly<Record<string, Parameters<typeof startAccounts>[1]>> = {
  default: {},
  'verifiesEmail at demo': { demo: { verifiesEmail: true } },
  'dangerous linking at both': {
    demo: { allowDangerousEmailAccountLinking: true, verifiesEmail: true },
    loose: { allowDangerousEmailAccountLinking: true }
  },
  'links without a question': { linking: { signedIn: 'link', freshWithin: false } },
  concealed: { linking: { concealUsers: true }, demo: { allowDangerousEmailAccountLinking: true } }
}

for (const [index, [label, options]] of Object.entries(dangers).entries())
  t.test(`random sequences of an attacker and an owner: ${label}`, async (t) => {
    const first = isLong ? 1 : 1 + 2 * index
    for (let seed = first; seed < first + times(2, 400); seed++) {
      const random = createRandom(seed)
      const strategy = strategies[seed % 2] ?? 'jwt'
      const adapter = seed % 3 ? memoryAdapter() : withoutTransactions(memoryAdapter())
      const started = await startAccounts(t, { session: { strategy }, adapter, ...options })
      const play: Play = {
        ...started,
        owner: started.newBrowser(),
        attacker: started.newBrowser(),
        ownersUrl: '',
        attackersUrl: ''
      }
      const done: string[] = []
      for (let turn = 0; turn < 14; turn++) {
        const moves = Object.entries(random() < 0.5 ? attackerMoves : ownerMoves)
        const [name = '', move] = moves[Math.floor(random() * moves.length)] ?? []
        done.push(name)
        await move?.(play)
        const ownerId = await getOwnerId(play)
        if (ownerId === null) continue
        const steps = `${seed}, ${strategy}: ${done.join('; ')}`
        t.not(await idIn(play.attacker), ownerId, `${steps}: the session`)
        const foreign = (await accountsOf(play, ownerId)).filter((account) => !/ vera/.test(account))
        t.same(foreign, [], `${steps}: the accounts`)
      }
    }
  })

// Limits

t.test('the copies of a device cookie guess and request mails at once: they share one budget', async (t) => {
  const started = await startLimited(t)
  const { app, clock, checked, mailbox } = started
  const owner = browserAt(app, clock, '5.5.5.5')
  await owner.submit(form, { username: 'vera', password: 'lovelace' })
  const value = owner.cookies.get(cookieNames.device) ?? ''
  await exhaust(started, 'vera')
  const before = checked.length
  const copies = Array.from({ length: times(15, 150) }, (_, turn) => {
    const copy = browserAt(app, clock, `9.9.${turn}.1`)
    copy.cookies.set(cookieNames.device, value, { secure: true, path: '/api/auth' })
    return copy
  })
  await Promise.all(copies.map((copy) => copy.submit(form, wrong('vera'))))
  t.equal(checked.length - before, 10)
  await Promise.all(copies.map((copy) => copy.submit(mail, { email: address })))
  t.ok(mailbox.mails.length <= 10, String(mailbox.mails.length))
})

t.test('clients take every turn of an address: its owner signs in with the mail of any of them', async (t) => {
  const { app, clock, mailbox } = await startLimited(t)
  for (let turn = 0; turn < times(24, 80); turn++)
    await browserAt(app, clock, getAddress(turn % 4)).submit(mail, { email: address })
  t.equal(mailbox.mails.length, 5)
  const owner = browserAt(app, clock, '7.7.7.7')
  t.equal((await owner.submit(mail, { email: address })).status, 429)
  await openLink(owner, mailbox.last().url)
  t.ok(await idIn(owner))
})

for (const clients of isLong ? [14, 40, 100] : [11])
  t.test(
    `${clients} clients guess at a username without end: its owner waits on a new device, and nowhere else`,
    async (t) => {
      const { app, clock } = await startLimited(t)
      const right = { username: 'vera', password: 'lovelace' }
      const known = browserAt(app, clock, '7.7.7.8')
      await known.submit(form, right)
      t.ok(await idIn(known))
      const attackers = Array.from({ length: clients }, (_, index) => browserAt(app, clock, getAddress(index)))
      for (let round = 0; round < 3; round++) {
        // Each client tries until it is refused, as it does when it polls.
        for (const attacker of attackers) while ((await attacker.submit(form, wrong('vera'))).status !== 429);
        t.equal((await known.submit(form, right)).location, origin, 'the known device signs in')
        const answer = await browserAt(app, clock, '7.7.7.7').submit(form, right)
        const wait = Number(answer.headers['retry-after'] ?? 0)
        t.ok(answer.status === 429 ? wait >= 1 && wait <= 30 : answer.location === origin, `a new one waits ${wait} s`)
        clock.advance(30)
      }
    }
  )

t.test('behind NAT64 one IPv4 client does not use up the limits of the others', async (t) => {
  const { app, clock } = await startLimited(t, { rateLimit: perClient })
  const thief = browserAt(app, clock, '64:ff9b::6.6.6.6')
  const tries = perClient.credentialsPerClient.points + 1
  for (let turn = 0; turn < tries; turn++) await thief.submit(form, { username: `user${turn}`, password: 'wrong' })
  for (let turn = 0; turn < 21; turn++) await thief.submit(mail, { email: `user${turn}@example.com` })
  const owner = browserAt(app, clock, '64:ff9b::7.7.7.7')
  t.not((await owner.submit(form, { username: 'vera', password: 'lovelace' })).status, 429, 'the form')
  t.not((await owner.submit(mail, { email: address })).status, 429, 'the mail')
})

// Addresses of providers

/** Users as in a table whose unique address ignores case and accents, the default of MySQL. */
function insensitive(): Adapter {
  const inner = withoutTransactions(memoryAdapter())
  const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const ids = new Map<string, string>()
  return {
    ...inner,
    createUser: async (user: Omit<AdapterUser, 'id'>) => {
      if (user.email && ids.has(fold(user.email)))
        throw Object.assign(new Error('Duplicate entry'), { code: 'ER_DUP_ENTRY' })
      const created = await inner.createUser?.(user)
      if (user.email && created) ids.set(fold(user.email), created.id)
      return created as AdapterUser
    },
    getUserByEmail: async (email: string) => inner.getUser?.(ids.get(fold(email)) ?? '') ?? null
  }
}

for (const method of ['mail', 'provider'] as const)
  t.test(
    `a table ignores accents: an address that looks alike does not lock its owner out: by ${method}`,
    async (t) => {
      const started = await startAccounts(t, { adapter: insensitive() })
      const { newBrowser } = started
      const unverified = { ...mallory, email: 'v\u00e9ra@example.com', email_verified: false }
      await signIn(started, newBrowser(), unverified, { provider: 'loose' })
      const owner = newBrowser()
      if (method === 'mail') await signInByMail(started, owner, address)
      else await signIn(started, owner, vera)
      t.ok(await idIn(owner))
    }
  )

t.test('the same with mysqlAdapter and a table as an application or Prisma creates it', async (t) => {
  const url = await createMysqlDatabase(t)
  const connection = await mysql.createConnection(url)
  await connection.query(
    'create table `user` (id varchar(191) primary key, name varchar(191), email varchar(191) unique, ' +
      'emailVerified timestamp(3) null, image varchar(191)) character set utf8mb4 collate utf8mb4_unicode_ci'
  )
  await connection.end()
  const started = await startAccounts(t, { adapter: mysqlAdapter({ url, migrate: true }) })
  const { newBrowser } = started
  await signIn(
    started,
    newBrowser(),
    { ...mallory, email: 'v\u00e9ra@example.com', email_verified: false },
    { provider: 'loose' }
  )
  const owner = newBrowser()
  await signInByMail(started, owner, address)
  t.ok(await idIn(owner), 'by mail')
})

const unusual = [
  'v\u00e9ra@example.com',
  '\uff56\uff45\uff52\uff41@example.com',
  'vera@example.com.',
  'vera@ex\u00e4mple.com',
  'vera@example\u3002com',
  'vera@localhost'
]

for (const email of unusual)
  t.test(`email-3: an address of a provider that nobody can type is not stored: ${email}`, async (t) => {
    const started = await startAccounts(t)
    const { adapter, newBrowser } = started
    const browser = newBrowser()
    await signIn(started, browser, { ...mallory, email, email_verified: true })
    const id = (await idIn(browser)) ?? ''
    const user = await adapter?.getUser?.(id)
    t.match(user, { email: null, emailVerified: null })
    await signIn(started, newBrowser(), { ...mallory, email, email_verified: true })
    t.equal(await idOf(started, 'mallory'), id, 'the account keeps its user')
  })

t.test('a stored user with such an address keeps it, and it can still be verified', async (t) => {
  for (const email of unusual) {
    const started = await startAccounts(t)
    const { adapter, newBrowser } = started
    const id = await signUp(started, email)
    await adapter?.linkAccount?.({ userId: id, provider: 'demo', type: 'oidc', providerAccountId: 'mallory' })
    const browser = newBrowser()
    await signIn(started, browser, { ...mallory, email, email_verified: true })
    t.equal(await idIn(browser), id, email)
    const user = await adapter?.getUser?.(id)
    t.equal(user?.email, email)
    t.ok(user?.emailVerified, 'as before')
  }
})

// Scopes

t.test('a form of one host of an application is posted by a page of another', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, {
      url: undefined,
      trustHost: ['https://app.test', 'https://b.test'],
      session: { strategy }
    })
    const { browser } = started
    await signInByForm(browser, 'vera')
    const id = await idIn(browser)
    t.ok(id)
    const headers = { origin: 'https://b.test', 'sec-fetch-site': 'cross-site' }
    await browser.submit('/api/auth/signout', {}, { headers })
    await browser.submit('/api/auth/signout', {}, { headers: { ...headers, 'sec-fetch-site': null } })
    await browser.submit('/api/auth/callback/credentials', { username: 'm', password: 'lovelace' }, { headers })
    t.equal(await idIn(browser), id, strategy)
  }
})

// Guards

const cookieNamed = (name: string) => ({
  sessionToken: { name, options: { httpOnly: true, sameSite: 'lax' as const, path: '/', secure: true } }
})
const site = { url: origin, secret, providers: [people] }

/** Registers a shop and an administration; the second one has routes with guards of the first. */
async function startScopes(t: Test): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const run = async () => ({ ran: true })
  let guard = requireSession
  const registerShop = async (shop: FastifyInstance) => {
    await shop.register(postern, { ...site, cookies: cookieNamed('__Secure-shop') })
    guard = shop.requireSession
    shop.get('/me', { onRequest: guard }, run)
    await shop.register(async (child) => {
      child.addHook('preHandler', requireSession)
      await child.register(async (inner) => void inner.get('/inner', run))
    })
  }
  const registerAdmin = async (admin: FastifyInstance) => {
    await admin.register(postern, { ...site, cookies: cookieNamed('__Secure-admin') })
    admin.get('/me', { onRequest: admin.requireSession }, run)
    admin.get('/borrowed', { onRequest: guard }, run)
    admin.get('/imported', { preValidation: requireSession }, run)
    admin.get('/called', { onRequest: async (request, reply) => guard.call(admin, request, reply) }, run)
    admin.get('/session', async (request) => ({ session: await request.getSession() }))
  }
  await app.register(registerShop, { prefix: '/shop' })
  await app.register(registerAdmin, { prefix: '/admin' })
  app.get('/none', { onRequest: requireSession }, run)
  return app
}

t.test('a guard of one registration is used in a route of another, of its child, and of its parent', async (t) => {
  const app = await startScopes(t)
  const browserAtShop = () => createBrowser({ origin, send: fromInject(app), basePath: '/shop/api/auth' })
  const [browser, stranger] = [browserAtShop(), browserAtShop()]
  await browser.submit('/shop/api/auth/callback/credentials', { username: 'vera', password: 'lovelace' })
  browser.cookies.set('__Secure-admin', browser.cookies.get('__Secure-shop') ?? '', { secure: true, path: '/' })
  const status = async (of: Browser, path: string) => (await of.request('GET', path, { headers: script })).status
  for (const path of ['/shop/me', '/shop/inner']) t.equal(await status(browser, path), 200, path)
  const foreign = ['/admin/me', '/admin/borrowed', '/admin/imported', '/admin/called']
  for (const path of foreign) t.equal(await status(browser, path), 401, path)
  t.equal((await browser.request('GET', '/admin/session')).body, '{"session":null}')
  t.equal(await status(browser, '/none'), 500)
  for (const path of ['/shop/me', '/shop/inner', ...foreign]) t.equal(await status(stranger, path), 401, path)
})

t.test('a guard is called by a hook with a callback, by one that catches errors, or by the handler', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(postern, site)
  let ran = 0
  const run = async () => ({ ran: ++ran })
  app.get(
    '/callback',
    { onRequest: (request, reply, done) => void requireSession.call(app, request, reply).then(() => done(), done) },
    run
  )
  app.get(
    '/caught',
    { onRequest: async (request, reply) => requireSession.call(app, request, reply).catch(() => undefined) },
    run
  )
  app.get('/late', { preHandler: [async () => undefined, requireSession] }, run)
  app.get('/handler', requireSession)
  await app.register(async (scope) => {
    scope.setErrorHandler(async () => ({ swallowed: true }))
    scope.get('/swallowed', { onRequest: requireSession }, run)
  })
  for (const url of ['/callback', '/caught', '/late', '/handler', '/swallowed']) {
    const { statusCode, body } = await app.inject({ url, headers: { host: 'app.test', ...script } })
    t.equal(statusCode, 401, `${url} ${body}`)
  }
  t.equal(ran, 0)
})

const startLines = [
  'GET /guarded HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13',
  'GET https://app.test/guarded HTTP/1.1',
  'GET //guarded HTTP/1.1',
  'GET /guarded#x HTTP/1.1',
  'GET /%67uarded HTTP/1.1',
  'HEAD /guarded HTTP/1.1',
  'OPTIONS /guarded HTTP/1.1',
  'TRACE /guarded HTTP/1.1',
  'QUERY /guarded HTTP/1.1',
  'CONNECT /guarded HTTP/1.1',
  'GET /guarded HTTP/1.1\r\nHost: evil.test',
  'GET /guarded HTTP/1.1\r\nExpect: 100-continue'
]

t.test('a guarded route gets an upgrade, or a request line that clients do not write', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(postern, site)
  let ran = 0
  app.get('/guarded', { onRequest: requireSession }, async () => ({ ran: ++ran }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  for (const line of startLines) {
    const socket = connect(port, '127.0.0.1')
    socket.end(`${line}\r\nHost: app.test\r\nConnection: close\r\n\r\n`)
    const answer = await socket.toArray().then((parts) => Buffer.concat(parts).toString())
    t.notMatch(answer, /HTTP\/1.1 2|"ran"/, line)
  }
  t.equal(ran, 0)
})

/** What a custom `decode` may return for a cookie that somebody made up. */
const decoded: readonly unknown[] = [
  null,
  undefined,
  'vera',
  true,
  1,
  () => ({ sub: 'vera' }),
  { sub: 'vera', exp: 1 },
  { sub: 'vera', exp: '1' },
  { sub: 'vera', exp: null },
  { sub: 'vera', exp: -1 },
  { sub: 'vera', session_app: 'other' },
  { sub: 'vera', session_app: ['/api/auth'] },
  { sub: 'vera', session_app: 0 }
]

t.test('a custom decode returns no token, one that is over, or one of another application', async (t) => {
  for (const [index, value] of [...decoded, 'rejects'].entries()) {
    const app = Fastify()
    t.teardown(() => app.close())
    const decode = async () => {
      if (index === decoded.length) throw new Error('no token')
      return value as Token
    }
    await app.register(postern, { ...site, session: { strategy: 'jwt' }, jwt: { encode: () => 'x', decode } })
    app.get('/guarded', { onRequest: requireSession }, async () => ({ ran: true }))
    const headers = { host: 'app.test', ...script, cookie: `${cookieNames.sessionToken}=abc` }
    t.equal((await app.inject({ url: '/guarded', headers })).statusCode, 401, `${index}: ${JSON.stringify(value)}`)
  }
})

t.test('a session without the time of sign-in, or with one that is no number, is not recent', async (t) => {
  for (const claims of [{}, { auth_time: {} }, { auth_time: ['9'] }, { auth_time: true }, { auth_time: 9e12 }]) {
    const app = Fastify()
    t.teardown(() => app.close())
    const decode = () => ({ sub: 'vera', ...claims }) as Token
    await app.register(postern, { ...site, session: { strategy: 'jwt' }, jwt: { encode: () => 'x', decode } })
    const onRequest = requireSession.with({ freshWithin: 60 })
    app.get('/guarded', { onRequest }, async () => ({ ran: true }))
    const headers = { host: 'app.test', ...script, cookie: `${cookieNames.sessionToken}=abc` }
    t.equal((await app.inject({ url: '/guarded', headers })).statusCode, 401, JSON.stringify(claims))
  }
})

/** What a `session` callback of the application may do instead of returning a session. */
const results: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  text: () => 'vera',
  false: () => false,
  error: () => {
    throw new Error('the profile service does not respond')
  }
}

t.test('the session callback returns no session: the guard lets nobody pass', async (t) => {
  for (const strategy of someStrategies())
    for (const [what, result] of Object.entries(results)) {
      let isBroken = false
      const started = await startAccounts(t, {
        session: { strategy },
        callbacks: { session: (({ session }) => (isBroken ? result() : session)) as Session },
        before: (app) =>
          app.after(() => void app.get('/guarded', { onRequest: requireSession }, async () => ({ ran: true })))
      })
      const { browser } = started
      await signInByForm(browser, 'vera')
      const request = () => browser.request('GET', '/guarded', { headers: script })
      t.equal((await request()).status, 200)
      isBroken = true
      const { status, body } = await request()
      t.ok(status === 401 || status >= 500, `${strategy}, ${what}: ${status} ${body}`)
    }
})

for (const hook of ['onSend', 'preSerialization', 'onResponse', 'onError', 'onTimeout', 'onRequestAbort'] as const)
  t.test(`guard-1: a guard that is added to a scope as a hook after the handler fails startup: ${hook}`, async (t) => {
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(postern, { url: origin, secret, providers: [people] })
    let ran = 0
    const start = async () => {
      await app.register(async (scope) => {
        scope.addHook(hook as 'onRequest', requireSession)
        scope.get('/guarded', async () => ({ ran: ++ran }))
      })
      await app.ready()
    }
    await t.rejects(start(), 'startup fails')
    const visit = app.inject({ url: '/guarded', headers: { host: 'app.test', accept: 'application/json' } })
    t.not(await visit.then(({ statusCode }) => statusCode).catch(() => null), 200)
    t.equal(ran, 0, 'the handler never runs')
  })

t.test(
  'guard-1: a guard is added as a late hook before Postern is registered, or to a sibling of its scope',
  async (t) => {
    for (const isSibling of [false, true]) {
      const app = Fastify()
      t.teardown(() => app.close())
      const start = async () => {
        const add = async (scope: FastifyInstance) => {
          scope.addHook('onResponse' as 'onRequest', requireSession)
        }
        if (isSibling) await app.register(add)
        else await add(app)
        await app.register(async (scope) => {
          await scope.register(postern, { url: origin, secret, providers: [people] })
        })
        await app.ready()
      }
      await t.rejects(start(), { code: 'POSTERN_CONFIG' }, String(isSibling))
    }
  }
)
