// What features learn of refused sign-ins and requests, and the events that the application lists.
import { memoryAdapter } from '@postern/adapters/memory'
import type { EventListOptions } from '@postern/core'
import { type Feature, type FeatureContext, type FeatureParts, type Refusal, SignInError } from '@postern/core/feature'
import credentials from '@postern/core/providers/credentials'
import t from 'tap'
import { signInByForm, signInByMail, start } from './start.ts'

const base = '/api/auth'

/** A feature that records refusals. */
function createObserver(parts: (context: FeatureContext) => FeatureParts = () => ({})) {
  const seen: Refusal[] = []
  const created: { context: FeatureContext | null } = { context: null }
  const feature: Feature = {
    id: 'observer',
    setup: (context) => {
      created.context = context
      return { onRefusal: (refusal) => void seen.push(refusal), ...parts(context) }
    }
  }
  return { seen, feature, created }
}

const failing: FeatureParts['routes'] = [
  {
    method: 'GET',
    path: '/vault/:id',
    run: () => {
      throw new SignInError('VaultLocked')
    }
  }
]

t.test('features learn of refused sign-ins, verifications and requests', async (t) => {
  const { seen, feature } = createObserver(() => ({ routes: failing }))
  const form = credentials({
    credentials: { username: {} },
    authorize: ({ username }) => {
      if (username === 'typed') throw new Error('there is no grace@example.com')
      return null
    }
  })
  const started = await start(t, {
    adapter: memoryAdapter(),
    features: [feature],
    providers: [form],
    session: { strategy: 'jwt' },
    instances: 1
  })
  const { app, browser } = started
  await browser.submit(`${base}/callback/credentials`, { username: 'ada' })
  t.match(seen.at(-1), {
    ...{ code: 'CredentialsSignin', kind: 'sign-in', route: '/callback/:provider', provider: 'credentials' },
    userId: null,
    request: { id: String, client: String }
  })
  await browser.submit(`${base}/callback/credentials`, { username: 'typed' })
  t.equal(seen.at(-1)?.code, 'Other', 'the message of an error may contain anything')
  await browser.submit(`${base}/signin/credentials`, { csrfToken: 'forged' })
  t.match(seen.at(-1), { code: 'CsrfTokenInvalid', kind: 'sign-in', route: '/signin/:provider' })
  await browser.submit(`${base}/verify/link`, { csrfToken: 'forged' })
  t.match(seen.at(-1), { code: 'CsrfTokenInvalid', kind: 'verification', route: '/verify/:id' })
  t.equal(seen.length, 4)
  for (const path of ['session', 'csrf', 'signin', 'signin?error=AccessDenied', 'unknown', 'callback/unknown'])
    await app.inject({ url: `${base}/${path}` })
  t.equal(seen.length, 4, 'other requests are none')
})

t.test('a refusal names the user whom it concerns, and no value of the path', async (t) => {
  const { seen, feature } = createObserver(() => ({ routes: failing }))
  const started = await start(t, { adapter: memoryAdapter(), features: [feature], instances: 1 })
  const { app, browser, adapter } = started
  await signInByMail(started, browser)
  const { id = '' } = (await adapter?.getUserByEmail?.('ada@example.com')) ?? {}
  await browser.open(`${base}/vault/secret`)
  t.match(seen.at(-1), { code: 'VaultLocked', kind: 'request', route: '/vault/:id', userId: id, provider: null })
  await app.postern.users.suspend(id)
  await signInByMail(started, browser)
  t.match(seen.at(-1), { code: 'UserSuspended', kind: 'sign-in', userId: id, provider: 'email' })
})

t.test('a feature that fails changes no response, and delays no close', async (t) => {
  const calls: string[] = []
  const { feature } = createObserver(() => ({
    onRefusal: () => {
      throw new Error('onRefusal failed')
    },
    start: () => void calls.push('start'),
    close: async () => {
      calls.push('close')
      throw new Error('close failed')
    }
  }))
  const form = credentials({ credentials: { username: {} }, authorize: () => null })
  const logged: unknown[] = []
  const started = await start(t, {
    adapter: memoryAdapter(),
    features: [feature],
    providers: [form],
    session: { strategy: 'jwt' },
    logger: { error: (...line) => void logged.push(line), warn: () => undefined, debug: () => undefined },
    instances: 1
  })
  t.same(calls, ['start'])
  t.match((await signInByForm(started.browser, 'ada')).location, 'error=CredentialsSignin')
  await started.app.close()
  t.same(calls, ['start', 'close'])
  t.match(logged, [
    ['BACKGROUND_TASK_ERROR', { task: 'features.observer: onRefusal' }],
    ['BACKGROUND_TASK_ERROR', { task: 'features.observer: close' }]
  ])
})

t.test('an event contains no forged lines, and its texts are short', async (t) => {
  const { feature, created } = createObserver()
  await start(t, { adapter: memoryAdapter(), features: [feature], instances: 1 })
  const headers = { 'user-agent': `Firefox\r\n{"type":"sign-in"}\u2028\u202e\u0007\ud800${'x'.repeat(100_000)}` }
  const client = { origin: '', headers, cookies: new Map(), client: '1'.repeat(1000), id: `a\nb${'y'.repeat(1000)}` }
  const event = created.context?.createEvent('attack', { userId: null, request: client })
  t.match(event?.userAgent, /^Firefox \{"type":"sign-in"\} x+$/)
  t.ok((event?.userAgent?.length ?? 0) <= 512)
  t.match(event?.requestId, /^a by+$/)
  t.same([event?.requestId?.length, event?.ip?.length], [128, 64])
})

/** What `X-Forwarded-For` contains, and the address that it is (`net.isIP`). */
const forwarded: readonly (readonly [header: string, client: string | null])[] = [
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:4711', '2001:db8::7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  // A zone may be any text (RFC 4007 §11), and means nothing to another machine.
  ['fe80::1%eth0', 'fe80::1'],
  ['fe80::1%click-here.example', 'fe80::1'],
  ['click-here.example/"><script>alert(1)</script>', null],
  ['unknown', null],
  ['_hidden', null],
  ['203.0.113.7 Ada', null],
  ['203.0.113', null],
  ['203.0.113.007', null],
  ['3405803783', null],
  ['[203.0.113.7]:99999999', null],
  ['2001:db8::7::1', null]
]

t.test('the client of a request is an IP address, or none', async (t) => {
  const { seen, feature } = createObserver()
  const { browser } = await start(t, {
    adapter: memoryAdapter(),
    features: [feature],
    server: { trustProxy: true },
    instances: 1
  })
  for (const [header, client] of forwarded) {
    await browser.request('POST', `${base}/verify/link`, { headers: { 'x-forwarded-for': header }, body: '' })
    t.equal(seen.at(-1)?.request.client, client, header)
  }
  t.equal(seen.length, forwarded.length)
})

t.test('the application lists events of a user, page by page', async (t) => {
  const { feature, created } = createObserver()
  const started = await start(t, { adapter: memoryAdapter(), features: [feature], instances: 1 })
  const { events } = started.app.postern
  const { context } = created
  const add = async (userId: string, type: string, count: number): Promise<void> =>
    context?.events.add(Array.from({ length: count }, () => context.createEvent(type, { userId, request: null })))
  await add('ada', 'one', 5)
  await add('bob', 'one', 3)
  await add('ada', 'two', 2)
  const all: string[] = []
  for (let before: string | null = ''; before !== null; ) {
    const page = await events.list({ userId: 'ada', limit: 3, ...(before === '' ? {} : { before }) })
    t.ok(page.events.every(({ userId }) => userId === 'ada'))
    all.push(...page.events.map(({ id }) => id))
    before = page.next
  }
  t.equal(new Set(all).size, 7, 'each once')
  const { next } = await events.list({ userId: 'bob', limit: 1 })
  const mixed = await events.list({ userId: 'ada', before: next ?? '' })
  t.ok(
    mixed.events.every(({ userId }) => userId === 'ada'),
    'the position of another list selects no other user'
  )
  t.equal((await events.list()).events.length, 10)
  t.equal((await events.list({ type: 'two' })).events.length, 2)
  t.equal((await events.list({ type: 'two', limit: 2 })).next, null)
})

t.test('a list about no user is refused, as it would be one about every user', async (t) => {
  const { feature } = createObserver()
  const { app } = await start(t, { adapter: memoryAdapter(), features: [feature], instances: 1 })
  const wrong: readonly unknown[] = [
    ...[{ userId: undefined }, { userId: null }, { userId: '' }, { userId: ['ada'] }, { userID: 'ada' }],
    ...[
      { type: undefined },
      { before: undefined },
      { before: '' },
      { before: 'x' },
      { limit: 0 },
      { limit: 501 },
      'ada'
    ]
  ]
  for (const options of wrong)
    await t.rejects(
      async () => Reflect.apply(app.postern.events.list, null, [options]),
      { name: 'TypeError', message: /^events\.list: / },
      JSON.stringify(options)
    )
})

t.test('without events in the adapter, the list is refused', async (t) => {
  const { addEvents: _, ...adapter } = memoryAdapter()
  const { app } = await start(t, { adapter, instances: 1 })
  const options: EventListOptions = { userId: 'ada' }
  await t.rejects(app.postern.events.list(options), { code: 'ADAPTER_INCOMPLETE' })
})
