import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, OAuthConfig, PosternOptions } from '@postern/core'
import { type Browser, type BrowserResponse, createIssuer, type Person } from '@postern/testkit'
import { isLong, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { signIn, strategies } from './attacks/setup.ts'
import { createTestGate, type TestGate } from './interruption-feature.ts'
import { fewInTurn } from './selections.ts'
import {
  cookieNames,
  demoIssuer,
  fromAfar,
  getSession,
  mails,
  origin,
  people,
  type Started,
  signInByForm,
  start
} from './start.ts'
import { withoutTransactions } from './store-probe.ts'

const turns = turnsOf(strategies, t)

/** A user of every method: the same address, so that known users and claims are met, too. */
const email = 'vera@example.com'
const vera: Person = { sub: 'vera', name: 'Vera', email, email_verified: true }

type SignIn = (started: Started, browser: Browser, id: string) => Promise<BrowserResponse>

/** How a test signs in with a provider of each kind. A kind that is not listed makes the test fail. */
const drivers: Readonly<Record<string, SignIn>> = {
  oauth: (started, browser, id) => signIn(started, browser, vera, { provider: id, link: 'true' }),
  email: async ({ mailbox }, browser, id) => {
    await browser.submit(`/api/auth/signin/${id}`, { email })
    const mail = mailbox.last()
    return mail.links.length > 0
      ? browser.open(mail.url, { headers: fromAfar })
      : browser.submit(`/api/auth/callback/${id}`, { code: mail.code })
  },
  credentials: (_started, browser, id) =>
    browser.submit(`/api/auth/callback/${id}`, { username: 'vera', password: 'lovelace' }),
  feature: async ({ app }, browser, id) =>
    browser.submit(`/api/auth/callback/${id}`, { pass: await app.postern.features.gate.createPass('vera') })
}

/** Providers of every kind: each way to get the tokens and the profile, and each kind of mail. */
function createProviders(): PosternOptions['providers'] {
  const entry = demoIssuer(createIssuer())
  const kinds: readonly Partial<OAuthConfig>[] = [
    { id: 'demo' },
    { id: 'plain', type: 'oauth', idToken: false, checks: ['pkce', 'state'] },
    {
      id: 'custom',
      token: {
        request: async ({ client, params, checks }) => ({ tokens: await client.callback(undefined, params, checks) })
      }
    },
    { id: 'userinfo', userinfo: { request: ({ client, tokens }) => client.userinfo(tokens) } }
  ]
  return [...kinds.map((kind) => ({ ...entry, ...kind })), mails(), mails({ id: 'code', code: 'only' }), people]
}

const stores: Readonly<Record<string, () => Adapter>> = {
  memory: () => memoryAdapter(),
  sqlite: () => sqliteAdapter({ file: ':memory:' }),
  'without transactions': () => withoutTransactions(memoryAdapter())
}

const events = ['signIn', 'createUser', 'updateUser', 'linkAccount', 'reclaimUser', 'session', 'signOut'] as const

/** What may be written before the gate has opened: the pending sign-in, what can be used once, and the cleanup of expired rows. */
const allowed =
  /^(find|get|is|list|read|require)|^(createTicket|consumeTicket|countTry|createVerificationToken|useVerificationToken|deleteEvents|transact)$/

interface Watched extends Started {
  readonly gate: TestGate
  readonly emitted: string[]
  readonly recorded: string[]
  /** The kinds by the id of the provider, as registered. */
  readonly kinds: ReadonlyMap<string, string>
}

async function startWatched(t: Test, strategy: 'jwt' | 'database', adapter: Adapter): Promise<Watched> {
  const gate = createTestGate(false)
  const [emitted, recorded]: [string[], string[]] = [[], []]
  const observer = {
    id: 'observer',
    setup: () => ({
      onEvent: ({ type }: { readonly type: string }) => {
        recorded.push(type)
        return []
      }
    })
  }
  const started = await start(t, {
    adapter,
    session: { strategy },
    features: [gate.feature, observer],
    providers: createProviders(),
    linking: { signedIn: 'link', freshWithin: false },
    rateLimit: false,
    instances: 1,
    issuerOptions: {
      plainOAuth: true,
      redirectUris: ['demo', 'plain', 'custom', 'userinfo'].map((id) => `${origin}/api/auth/callback/${id}`)
    },
    events: Object.fromEntries(events.map((name) => [name, () => void emitted.push(name)]))
  })
  const listed = await started.newBrowser().json<Record<string, { readonly type: string }>>('/api/auth/providers')
  const getKind = (type: string): string =>
    type === 'oidc' ? 'oauth' : Object.hasOwn(drivers, type) ? type : 'feature'
  const kinds = new Map(Object.entries(listed).map(([id, { type }]) => [id, getKind(type)]))
  return { ...started, gate, emitted, recorded, kinds }
}

/** What a sign-in did although an interruption was due. */
async function findLeaks(started: Watched, browser: Browser, id: string): Promise<readonly string[]> {
  const { gate, store, emitted, recorded, kinds } = started
  const before = { session: await getSession(browser), cookie: browser.cookies.get(cookieNames.sessionToken) }
  gate.isDue = true
  store.forget()
  emitted.length = 0
  recorded.length = 0
  const drive = drivers[kinds.get(id) ?? '']
  if (!drive) return [`no driver for ${id}`]
  const response = await drive(started, browser, id)
  const written = store.calls.map(({ method }) => method).filter((method) => !allowed.test(method))
  const [heard, noted] = [[...emitted], [...recorded]]
  const after = { session: await getSession(browser), cookie: browser.cookies.get(cookieNames.sessionToken) }
  return [
    ...(response.location === `${origin}/api/auth/verify?error=VerificationRequired`
      ? []
      : [`went to ${response.location}`]),
    ...(JSON.stringify(after) === JSON.stringify(before) ? [] : ['a session']),
    ...written,
    ...heard.map((name) => `event ${name}`),
    ...noted.map((type) => `record ${type}`)
  ]
}

/** The users of a sign-in: a new one, a known one with an unverified address and old tokens, and one who is signed in. */
const situations: Readonly<Record<string, (started: Watched, id: string) => Promise<Browser | null>>> = {
  'a new user': async ({ newBrowser }) => newBrowser(),
  'a known user': async (started, id) => {
    const { newBrowser, gate, kinds, adapter } = started
    gate.isDue = false
    await drivers[kinds.get(id) ?? '']?.(started, newBrowser(), id)
    const user = await adapter?.getUserByEmail?.(email)
    if (user) await adapter?.updateUser?.({ id: user.id, emailVerified: null })
    return newBrowser()
  },
  'a signed-in user who links an account': async ({ newBrowser, gate, kinds }, id) => {
    if (kinds.get(id) === 'email' || kinds.get(id) === 'credentials') return null
    gate.isDue = false
    const browser = newBrowser()
    await signInByForm(browser, 'grace')
    return browser
  }
}

/** A third of the sign-ins for each store, in `npm test`. */
const fewSignIns = fewInTurn(8)

for (const { value: strategy, test } of turns())
  for (const [store, open] of Object.entries(stores))
    test(`no registered method passes a gate that is closed: ${strategy}, ${store}`, async (t) => {
      const { kinds } = await startWatched(t, strategy, open())
      t.same([...new Set(kinds.values())].toSorted(), Object.keys(drivers).toSorted(), 'every kind is registered')
      const signIns = [...kinds.keys()].flatMap((id) =>
        Object.entries(situations).map(([situation, prepare]) => ({ id, situation, prepare }))
      )
      for (const { id, situation, prepare } of fewSignIns(signIns)) {
        const started = await startWatched(t, strategy, open())
        const browser = await prepare(started, id)
        if (!browser) continue
        t.same(await findLeaks(started, browser, id), [], `${id}: ${situation}`)
        const done = await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
        t.equal(done.location, origin, `${id}: ${situation}: the gate opens`)
        t.ok(started.emitted.includes('signIn'), `${id}: ${situation}: the sign-in is complete`)
      }
    })

t.test('a method that passes the gate is found', async (t) => {
  const { kinds } = await startWatched(t, 'database', memoryAdapter())
  const ids = [...kinds.keys()]
  for (const hole of ['demo', 'plain', 'custom', 'userinfo', 'email', 'code', 'credentials', 'pass']) {
    const next = ids[(ids.indexOf(hole) + 1) % ids.length] ?? ''
    for (const id of isLong ? ids : [hole, next]) {
      const started = await startWatched(t, 'database', memoryAdapter())
      started.gate.hole = hole
      const leaks = await findLeaks(started, started.newBrowser(), id)
      t.equal(leaks.length > 0, id === hole, `${hole} has a hole: ${id}`)
    }
  }
})
