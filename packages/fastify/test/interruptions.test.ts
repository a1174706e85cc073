import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { type Feature, type FeatureParts, text } from '@postern/core/feature'
import type { Browser, BrowserResponse, Person } from '@postern/testkit'
import { some, turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { createTestGate } from './interruption-feature.ts'
import {
  getSession,
  mails,
  origin,
  people,
  type Started,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from './start.ts'
import { withoutTransactions } from './store-probe.ts'

const strategies = ['jwt', 'database'] as const
const turns = turnsOf(strategies, t)
const stores: readonly (readonly [name: string, open: () => Adapter])[] = [
  ['memory', () => memoryAdapter()],
  ['sqlite', () => sqliteAdapter({ file: ':memory:' })],
  ['without transactions', () => withoutTransactions(memoryAdapter())]
]
const vera: Person = { sub: 'vera', name: 'Vera', email: 'vera@example.com', email_verified: true }

/** Every way to sign in: of each account policy, with a new user, a known one, and an account that is linked. */
type Enter = (started: Started, browser: Browser) => Promise<BrowserResponse>

const byPass: Enter = async ({ app }, browser) =>
  browser.submit('/api/auth/callback/pass', { pass: await app.postern.features.gate.createPass('paul') })

const byCode: Enter = async ({ mailbox }, browser) => {
  await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  return browser.submit('/api/auth/callback/email', { code: mailbox.last().code ?? '' })
}

const methods: Readonly<Record<string, { readonly enter: Enter; readonly address: string }>> = {
  oidc: { enter: (started, browser) => signInAtIssuer(started, browser, vera), address: 'vera@example.com' },
  'mailed link': { enter: (started, browser) => signInByMail(started, browser), address: 'ada@example.com' },
  'mailed code': { enter: byCode, address: 'ada@example.com' },
  credentials: { enter: (_started, browser) => signInByForm(browser, 'grace'), address: 'grace@example.com' },
  'method of a feature': { enter: byPass, address: 'paul@example.com' }
}

/** What a sign-in writes for a user, and which events it emits. */
async function getState({ adapter }: Started, address: string, events: readonly string[]) {
  const user = (await adapter?.getUserByEmail?.(address)) ?? null
  const accounts = user ? await adapter?.getAccounts?.(user.id) : []
  const sessions = user ? await adapter?.getSessionRecords?.({ userId: user.id }) : []
  return { user, accounts, sessions, events: [...events] }
}

function listeners(events: string[]) {
  const names = ['signIn', 'createUser', 'updateUser', 'linkAccount', 'reclaimUser'] as const
  return Object.fromEntries(names.map((name) => [name, () => void events.push(name)]))
}

const isInterrupted = ({ location }: BrowserResponse): boolean =>
  location === `${origin}/api/auth/verify?error=VerificationRequired`

const signIns = strategies.flatMap((strategy) =>
  Object.entries(methods).flatMap(([name, method]) =>
    stores.map(([store, open]) => ({ strategy, name, ...method, store, open }))
  )
)

/** In `npm test` each method with each strategy, and each store. */
const someSignIns = some(signIns, ({ strategy, name, store }) => [`${strategy} ${name}`, store], 1)

for (const { strategy, name, enter, address, store, open } of someSignIns) {
  const label = `${strategy}, ${store}, ${name}`

  t.test(`nothing is written before an interruption has passed: ${label}`, async (t) => {
    const gate = createTestGate()
    const events: string[] = []
    const started = await start(t, {
      adapter: open(),
      session: { strategy },
      features: [gate.feature],
      events: listeners(events),
      instances: 1
    })
    for (const isNew of [true, false]) {
      const browser = started.newBrowser()
      events.length = 0
      const before = await getState(started, address, events)
      gate.isDue = true
      t.ok(isInterrupted(await enter(started, browser)), `${isNew ? 'new' : 'known'}: the sign-in is interrupted`)
      t.same(await getSession(browser), {}, 'nobody is signed in')
      t.same(await getState(started, address, events), before, 'nothing is written, and no event emitted')
      const page = await browser.followAll(await browser.open('/api/auth/verify'))
      t.match(page.body, 'One more step')
      t.equal((await browser.submit('/api/auth/verify/ask', { answer: 'no' })).status, 403)
      t.same(await getState(started, address, events), before, 'a wrong answer changes nothing')
      t.equal((await browser.submit('/api/auth/verify/ask', { answer: 'yes' })).location, origin)
      t.match(await getSession(browser), { user: { email: address } }, 'the user is signed in')
      t.equal(events.filter((event) => event === 'signIn').length, 1, 'one event')
      const again = await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
      t.match(again.location, /signin\?error=Callback/, 'the pending sign-in is used up')
      const back = await browser.open('/api/auth/verify/ask')
      t.equal(back.location, origin, 'who goes back to its page is signed in, and goes on')
    }
  })
}

for (const { value: strategy, test } of turns()) {
  test(`an interruption that passes sets cookies: ${strategy}`, async (t) => {
    const trust: Feature = {
      id: 'trust',
      setup: (context) => ({
        interruptions: [
          {
            id: 'trust',
            order: 200,
            isDue: () => true,
            show: () => text('Trust this device?', 200),
            verify: async (_signIn, request) => {
              if (request.body['answer'] !== 'yes') return text('No.', 403)
              return { kind: 'passed', cookies: await context.cookie('device', { maxAge: 60 }).create('1', request) }
            }
          }
        ]
      })
    }
    const { browser } = await start(t, { session: { strategy }, features: [trust], instances: 1 })
    const device = '__Secure-postern.trust.device'
    await signInByForm(browser, 'grace')
    await browser.submit('/api/auth/verify/trust', { answer: 'no' })
    t.notOk(browser.cookies.get(device))
    t.equal((await browser.submit('/api/auth/verify/trust', { answer: 'yes' })).location, origin)
    t.ok(browser.cookies.get(device))
    t.match(await getSession(browser), { user: { email: 'grace@example.com' } })
  })
}

t.test('an interruption that fails, or answers with anything but false, interrupts', async (t) => {
  for (const answer of [undefined, null, 0, '', 'no', {}] as unknown[]) {
    const gate = createTestGate()
    gate.isDue = answer as boolean
    const started = await start(t, { features: [gate.feature], instances: 1 })
    t.ok(isInterrupted(await signInByForm(started.browser)), String(answer))
    t.same(await getSession(started.browser), {})
  }
  const gate = createTestGate()
  Object.defineProperty(gate, 'isDue', {
    get: () => {
      throw new Error('no connection')
    }
  })
  const started = await start(t, { features: [gate.feature], instances: 1 })
  t.match((await signInByForm(started.browser)).location, /error=Callback/)
  t.same(await getSession(started.browser), {})
})

t.test('HEAD completes no sign-in whose interruption is no longer due; GET does', async (t) => {
  for (const strategy of strategies) {
    const gate = createTestGate()
    const { browser } = await start(t, { session: { strategy }, features: [gate.feature], instances: 1 })
    t.ok(isInterrupted(await signInByForm(browser, 'grace')))
    gate.isDue = false
    for (const path of ['/api/auth/verify', '/api/auth/verify/ask']) {
      t.equal((await browser.request('HEAD', path)).status, 200)
      t.same(await getSession(browser), {}, `${strategy}, ${path}`)
    }
    t.equal((await browser.open('/api/auth/verify')).location, origin)
    t.match(await getSession(browser), { user: { email: 'grace@example.com' } }, strategy)
  }
})

t.test('clients that accept only JSON read which interruptions are due', async (t) => {
  const [gate, later] = [createTestGate(), createTestGate()]
  const second: Feature = {
    id: 'later',
    setup: () => ({
      interruptions: [
        { id: 'later', order: 500, isDue: () => later.isDue, show: () => text('Later', 200), verify: () => 'passed' }
      ]
    })
  }
  const started = await start(t, { features: [gate.feature, second], store: 'sqlite', instances: 1 })
  const { browser } = started
  const headers = { accept: 'application/json' }
  const read = async () => (await browser.request('GET', '/api/auth/verify', { headers })).json()
  await signInByForm(browser, 'grace')
  t.same(await read(), { interruptions: ['ask', 'later'], url: `${origin}/api/auth/verify/ask` })
  await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
  t.same(await read(), { interruptions: ['later'], url: `${origin}/api/auth/verify/later` })
  await browser.submit('/api/auth/verify/later', {})
  t.match(await getSession(browser), { user: { name: 'grace' } })
})

t.test('next-auth clients get 401 and an error, and can be sent to the page', async (t) => {
  const gate = createTestGate()
  const { browser } = await start(t, { features: [gate.feature], instances: 1 })
  const answer = await browser.submit('/api/auth/callback/credentials', {
    username: 'grace',
    password: 'lovelace',
    json: 'true'
  })
  t.equal(answer.status, 401)
  t.match(JSON.parse(answer.body), { url: `${origin}/api/auth/verify?error=VerificationRequired` })
})

t.test('the URL of an interrupted sign-in has the code of the interruption that is due', async (t) => {
  const [first, second] = ['first', 'second'].map(
    (id, at): Feature => ({
      id,
      setup: () => ({
        texts: { en: { due: 'One more step.' } },
        errors: [{ code: `${id}-due`, text: 'due', screen: 'signin', status: 401 }],
        interruptions: [
          {
            ...{ id, order: 400 + at, error: `${id}-due` },
            isDue: async () => true,
            show: () => text('one more step', 200),
            verify: () => 'passed'
          }
        ]
      })
    })
  )
  const { browser } = await start(t, { features: [first, second] as never, instances: 1 })
  const form = { username: 'grace', password: 'lovelace' }
  const plain = await browser.submit('/api/auth/callback/credentials', form)
  t.equal(plain.location, `${origin}/api/auth/verify?error=first-due`)
  const next = await browser.submit('/api/auth/verify/first', { json: 'true' })
  t.equal(next.status, 401)
  t.same(next.json(), { url: `${origin}/api/auth/verify?error=second-due` })
  t.equal((await browser.submit('/api/auth/verify/second', {})).location, origin)
})

t.test('features that need what the adapter lacks are refused at registration', async (t) => {
  const gate = createTestGate()
  const { createTicket: _, ...lacking } = memoryAdapter()
  await t.rejects(start(t, { adapter: lacking, features: [gate.feature], providers: [mails(), people] }), {
    name: 'ConfigError',
    problems: [{ option: 'features.gate', code: 'METHODS_MISSING' }]
  })
  await t.rejects(start(t, { store: 'none', features: [gate.feature], providers: [people] }), {
    name: 'ConfigError',
    problems: [{ option: 'features.gate', code: 'ADAPTER_MISSING' }]
  })
  await t.rejects(start(t, { features: [gate.feature, createTestGate().feature] }), {
    name: 'ConfigError',
    problems: [{ code: 'PROVIDER_ID_DUPLICATE' }, { code: 'FEATURE_ID_DUPLICATE' }, { code: 'FEATURE_ID_DUPLICATE' }]
  })
  const interruption = {
    id: 'link',
    order: 400,
    isDue: () => false,
    show: () => text('', 200),
    verify: () => 'passed' as const
  }
  const feature = { id: 'own', setup: () => ({ interruptions: [interruption] }) } as const
  await t.rejects(start(t, { features: [feature] }), {
    name: 'ConfigError',
    problems: [{ code: 'FEATURE_ID_DUPLICATE' }]
  })
})

t.test('an account section needs the text of its title and a GET route', async (t) => {
  const section = { id: 'notes', order: 500, title: 'notes', path: '/notes/mine' }
  const run = () => text('', 200)
  const register = (parts: Partial<FeatureParts>) =>
    start(t, { features: [{ id: 'notes', setup: () => ({ accountSections: [section], ...parts }) }], instances: 1 })
  const texts = { en: { notes: 'Notes' } }
  const page = { method: 'GET', path: '/notes/:id', run } as const
  const pathProblem = {
    option: 'features.notes.accountSections',
    code: 'INVALID_VALUE',
    message: /GET route .* notes, got \/notes\/mine/
  }
  await t.rejects(register({ routes: [page] }), {
    name: 'ConfigError',
    problems: [{ option: 'features.notes.texts.en', code: 'OPTION_MISSING', message: /the account section notes/ }]
  })
  await t.rejects(register({ texts }), { name: 'ConfigError', problems: [pathProblem] })
  await t.rejects(register({ texts, routes: [{ ...page, method: 'POST' }] }), {
    name: 'ConfigError',
    problems: [pathProblem]
  })
  await t.resolves(register({ texts, routes: [page] }))
})

t.test('the options of a feature may have the type of an interface', async (t) => {
  interface NoteOptions {
    readonly maxNotes?: number
  }
  const notes = (options: NoteOptions): Feature => ({
    id: 'notes',
    options,
    schema: { maxNotes: { min: 1, max: 10 } },
    setup: () => ({})
  })
  await t.resolves(start(t, { features: [notes({ maxNotes: 10 })], instances: 1 }))
  await t.rejects(start(t, { features: [notes({ maxNotes: 11 })], instances: 1 }), {
    name: 'ConfigError',
    problems: [{ option: 'features.notes.maxNotes' }]
  })
})

t.test('a feature hears of sessions that end, and of users that are deleted; its data is exported', async (t) => {
  for (const strategy of strategies) {
    const gate = createTestGate(false)
    const started = await start(t, { session: { strategy }, features: [gate.feature], instances: 1 })
    const { app, browser } = started
    await signInByMail(started, browser)
    const ada = await started.adapter?.getUserByEmail?.('ada@example.com')
    const userId = ada?.id ?? ''
    t.match(await app.postern.exportUser(userId), {
      user: { id: userId },
      accounts: [],
      sessions: [{ userId }],
      features: { gate: { for: userId } }
    })
    await browser.submit('/api/auth/signout', {})
    t.match(gate.ended, [{ userId, sessionId: String }], strategy)
    await app.postern.sessions.revokeAll(userId)
    t.same(gate.ended.at(-1), { userId, sessionId: null })
  }
})
