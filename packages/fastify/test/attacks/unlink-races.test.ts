import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { withOwnKeys } from '@postern/testkit'
import { times } from '@postern/testkit/long'
import t from 'tap'
import { withoutTransactions } from '../store-probe.ts'
import { databaseStores, localStores, type TestStore } from '../stores.ts'
import { accountsOf, begin, idIn, mallory, signIn, startAccounts, vera } from './setup.ts'

/** An adapter with neither leases nor transactions, and with keys of its own, as those of other libraries. */
function withoutLeases(): Adapter {
  const { withLease: _, transact: __, ...others } = memoryAdapter()
  return withOwnKeys(others)
}

const stores: readonly TestStore[] = [
  ...localStores,
  { name: 'an adapter without leases', skip: false, open: async () => withoutLeases() },
  ...databaseStores
]

const count = times(6, 50)

/** Creates a user whose only ways in are accounts of one provider. @returns The user's id. */
async function createUser(adapter: Adapter, accounts: number): Promise<string> {
  const user = await adapter.createUser?.({ name: null, email: null, emailVerified: null })
  const userId = user?.id ?? ''
  for (let sub = 0; sub < accounts; sub++)
    await adapter.linkAccount?.({ userId, provider: 'demo', type: 'oidc', providerAccountId: String(sub) })
  return userId
}

for (const { name, skip, open } of stores) {
  t.test(`${count} accounts are unlinked in parallel through two instances: ${name}`, { skip }, async (t) => {
    const adapter = await open(t)
    const [one, other] = [await startAccounts(t, { adapter }), await startAccounts(t, { adapter })]
    const userId = await createUser(adapter, count)
    const unlink = async (sub: number): Promise<void> => {
      const { postern } = (sub % 2 ? one : other).app
      for (;;) {
        const account = { provider: 'demo', providerAccountId: String(sub) }
        const error: unknown = await postern.unlink(userId, account).catch((thrown: unknown) => thrown)
        if (error === undefined) return
        // Of so many changes at once, some find the user changed each time.
        if (!(error instanceof Error && 'retryAfter' in error && error.retryAfter !== null)) throw error
      }
    }
    const results = await Promise.allSettled(Array.from({ length: count }, (_, sub) => unlink(sub)))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    t.ok(refused.length >= 1 && refused.every((code) => code === 'LAST_WAY_IN'), refused.join())
    t.equal((await accountsOf(one, userId)).length, refused.length, 'every account that was refused is there')
    if (adapter.withLease) t.equal(refused.length, 1, 'one is left')
  })
}

t.test('two accounts are unlinked in parallel in one process, without leases: one is left', async (t) => {
  const adapter = withoutLeases()
  const started = await startAccounts(t, { adapter })
  for (let round = 0; round < times(4, 20); round++) {
    const userId = await createUser(adapter, 2)
    const results = await Promise.allSettled(
      ['0', '1'].map((sub) => started.app.postern.unlink(userId, { provider: 'demo', providerAccountId: `${sub}` }))
    )
    t.same(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    t.equal((await accountsOf(started, userId)).length, 1)
    for (const sub of ['0', '1']) await adapter.unlinkAccount?.({ provider: 'demo', providerAccountId: sub })
  }
})

/** Stops one call of an adapter, by its name. */
function stopCall(adapter: Adapter) {
  let hook: ((name: string) => Promise<unknown> | undefined) | null = null
  const stopped = new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string' || name === 'close' || name === 'ready')
        return method
      const call = async (...args: readonly unknown[]): Promise<unknown> => {
        await hook?.(name)
        return Reflect.apply(method, target, args)
      }
      return Object.assign(call, { ...method })
    }
  })
  return {
    adapter: stopped,
    before: (method: string, work: () => Promise<unknown>) => {
      hook = (name) => {
        if (name !== method) return undefined
        hook = null
        return work()
      }
    }
  }
}

for (const [strategy, method, label, open] of [
  ['jwt', 'transact', 'memory', memoryAdapter],
  ['jwt', 'transact', 'SQLite', () => sqliteAdapter({ file: ':memory:' })],
  // Without transactions, one change of a user waits for the other from here on.
  ['jwt', 'withLease', 'no transactions', () => withoutTransactions(memoryAdapter())],
  ['database', 'withLease', 'no transactions', () => withoutTransactions(memoryAdapter())]
] as const)
  t.test(
    `overlap-1: unlink overlaps a link from a session of the account: ${strategy}, ${label}, ${method}`,
    async (t) => {
      const stop = stopCall(open())
      const started = await startAccounts(t, { adapter: stop.adapter, session: { strategy } })
      const { browser, newBrowser, app } = started
      await signIn(started, browser, vera)
      const id = (await idIn(browser)) ?? ''
      // An attacker has got an account into the user, and is signed in through it.
      await signIn(started, browser, mallory, { provider: 'loose', link: 'true' })
      const thief = newBrowser()
      await signIn(started, thief, mallory, { provider: 'loose' })
      t.equal(await idIn(thief), id)
      const another = { ...mallory, sub: 'mallory-2', email: 'm2@evil.test' }
      const { finish } = await begin(started, thief, another, { link: 'true' })
      let isOver = false
      stop.before(method, async () => {
        if (isOver) return
        isOver = true
        started.clock.advance(0.2)
        await app.postern.unlink(id, { provider: 'loose', providerAccountId: 'mallory' })
      })
      await finish()
      t.ok(isOver, 'the owner unlinked the account meanwhile')
      t.not(await idIn(thief), id, 'the session of the thief ended')
      t.same(await accountsOf(started, id), ['demo vera'], 'the second account of the thief is not linked')
    }
  )

for (const [strategy, method] of [
  ['jwt', 'putSessionRecord'],
  ['database', 'createSession']
] as const)
  t.test(`overlap-1: revokeAll overlaps a link from a stolen session: ${strategy}`, async (t) => {
    const stop = stopCall(withoutTransactions(memoryAdapter()))
    const started = await startAccounts(t, { adapter: stop.adapter, session: { strategy } })
    const { browser: thief, app, clock } = started
    await signIn(started, thief, vera)
    const id = (await idIn(thief)) ?? ''
    const { finish } = await begin(started, thief, mallory, { link: 'true' })
    stop.before(method, async () => {
      clock.advance(0.2)
      await app.postern.sessions.revokeAll(id)
    })
    await finish()
    t.not(await idIn(thief), id, 'the session of the thief ended')
  })
