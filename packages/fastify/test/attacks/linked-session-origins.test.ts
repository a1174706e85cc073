import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import type { Browser, Person } from '@postern/testkit'
import { some, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { logout } from '../logout-token.ts'
import { type Started, type StartOptions, signInByMail } from '../start.ts'
import { accountsOf, address, idIn, mallory, signIn, startAccounts, strategies, vera } from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

interface Linked {
  readonly started: Started
  readonly browser: Browser
  readonly userId: string
}

/** A session that began at `demo` by default, and links an account of `loose`. */
async function startLinked(
  t: Test,
  options: StartOptions,
  { first = vera, linked = mallory }: { readonly first?: Person | null; readonly linked?: Person } = {}
): Promise<Linked> {
  const started = await startAccounts(t, { linking: { freshWithin: false }, ...options })
  const { browser } = started
  if (first) await signIn(started, browser, first)
  else await signInByMail(started, browser, address)
  const userId = (await idIn(browser)) ?? ''
  await signIn(started, browser, linked, { provider: 'loose', link: 'true' })
  t.equal(await idIn(browser), userId)
  t.ok((await accountsOf(started, userId)).includes(`loose ${linked.sub}`))
  return { started, browser, userId }
}

const stores: Readonly<Record<string, () => Adapter>> = {
  memory: () => memoryAdapter(),
  SQLite: () => sqliteAdapter({ file: ':memory:' })
}

const begun: Person = { ...vera, sid: 'begun' } as Person
const added: Person = { ...mallory, sid: 'added' } as Person

/** What ends a session that began at `demo` as `begun`, and linked `added` of `loose`. */
const ends: Readonly<Record<string, (linked: Linked) => Promise<unknown>>> = {
  'unlink of the account that began it': ({ started: { app }, userId }) =>
    app.postern.unlink(userId, { provider: 'demo', providerAccountId: 'vera' }),
  'unlink of the linked account': ({ started: { app }, userId }) =>
    app.postern.unlink(userId, { provider: 'loose', providerAccountId: 'mallory' }),
  'logout of the user where it began': ({ started }) => logout(started, { sub: 'vera' }),
  'logout of the session where it began': ({ started }) => logout(started, { sid: 'begun' }),
  'logout of user and session where it began': ({ started }) => logout(started, { sub: 'vera', sid: 'begun' }),
  'logout of the user at the linked provider': ({ started }) => logout(started, { sub: 'mallory' }, 'loose'),
  'logout of user and session at the linked provider': ({ started }) =>
    logout(started, { sub: 'mallory', sid: 'added' }, 'loose')
}

const cases = strategies.flatMap((strategy) =>
  Object.keys(stores).flatMap((store) => Object.keys(ends).map((end) => ({ strategy, store, end })))
)

for (const { strategy, store, end } of some(cases, ({ strategy, store, end }) => [`${strategy}, ${store}`, end], 1))
  t.test(
    `logout-1: ${strategy}, ${store}: a session that linked an account ends with each of its accounts: ${end}`,
    async (t) => {
      const linked = await startLinked(
        t,
        { session: { strategy }, adapter: stores[store]?.() },
        { first: begun, linked: added }
      )
      // Links after the first one keep what the session depends on.
      const { started, browser } = linked
      await signIn(started, browser, { ...mallory, sub: 'third' }, { provider: 'demo', link: 'true' })
      t.equal(await idIn(browser), linked.userId)
      await ends[end]?.(linked)
      t.equal(await idIn(browser), null)
    }
  )

for (const { value: strategy, test } of turns()) {
  const session = { strategy }

  test(`${strategy}: another session of the provider does not end a session that linked an account`, async (t) => {
    const { started, browser, userId } = await startLinked(t, { session }, { first: begun, linked: added })
    for (const provider of ['demo', 'loose']) {
      await logout(started, { sid: 'other' }, provider)
      const sub = provider === 'demo' ? 'vera' : 'mallory'
      await logout(started, { sub, sid: 'other' }, provider)
      t.equal(await idIn(browser), userId, provider)
    }
  })

  test(`${strategy}: a session that began with a mail ends with the session of the account it linked`, async (t) => {
    const { started, browser } = await startLinked(t, { session }, { first: null, linked: added })
    await logout(started, { sid: 'added' }, 'loose')
    t.equal(await idIn(browser), null)
  })

  test(`${strategy}: the list of sessions shows how a session that linked an account began`, async (t) => {
    const { started, userId } = await startLinked(t, { session }, { first: begun })
    const [info, ...others] = await started.app.postern.sessions.list(userId)
    t.equal(info?.provider, 'demo')
    t.same(others, [])
  })

  test(`${strategy}: links do not extend the longest time of a session`, async (t) => {
    const limits = { maxAge: 3600, updateAge: 60, absoluteMaxAge: 5000 }
    const { started, browser, userId } = await startLinked(t, { session: { strategy, ...limits } })
    const { clock } = started
    for (const sub of ['one', 'two']) {
      clock.advance(2000)
      await signIn(started, browser, { ...mallory, sub }, { link: 'true' })
      t.equal(await idIn(browser), userId, sub)
    }
    clock.advance(999)
    t.equal(await idIn(browser), userId)
    clock.advance(2)
    t.equal(await idIn(browser), null)
  })

  test(`${strategy}: the time in which accounts can be linked is not extended by a link`, async (t) => {
    for (const person of [vera, { ...vera, auth_time: 1 }]) {
      const started = await startAccounts(t, { session, linking: { freshWithin: 600 } })
      const { browser, clock } = started
      const time = 'auth_time' in person ? { auth_time: Math.floor(clock.now() / 1000) } : {}
      await signIn(started, browser, { ...vera, ...time })
      const userId = (await idIn(browser)) ?? ''
      clock.advance(500)
      await signIn(started, browser, mallory, { link: 'true' })
      clock.advance(99)
      await signIn(started, browser, { ...mallory, sub: 'in time' }, { link: 'true' })
      t.same(await accountsOf(started, userId), ['demo in time', 'demo mallory', 'demo vera'])
      clock.advance(2)
      const { location } = await signIn(started, browser, { ...mallory, sub: 'late' }, { link: 'true' })
      t.match(location, /error=OAuthAccountNotLinked/)
    }
  })
}
