import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import { callNumbers, turnsOf } from '@postern/testkit/long'
import t, { type Test, test } from 'tap'
import { createMysqlDatabase, createTestDatabase } from '../databases.ts'
import { startRedis } from '../redis-server.ts'
import { choose, createCutter, getCopy, overlapEverywhere, second, startOverlap, third } from './session-setup.ts'
import {
  accountsOf,
  address,
  begin,
  idIn,
  idOf,
  type Strategy,
  signIn,
  startAccounts,
  strategies,
  vera
} from './setup.ts'

/** In `npm test` a test has one strategy, and the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)
const link = { provider: 'loose', link: 'true' } as const

for (const hasTransactions of [true, false])
  for (const { value: strategy, test } of turns()) {
    const what = `with${hasTransactions ? '' : 'out'} transactions`
    test(`${strategy}: an account links another one while its own link is taken back, ${what}`, async (t) => {
      const { problems } = await overlapEverywhere(async (adapter) => {
        const started = await startOverlap(t, choose(adapter, hasTransactions), { session: { strategy } })
        const { app, browser } = started
        await signIn(started, browser, vera)
        const id = await idOf(started, vera.sub)
        const { finish } = await begin(started, browser, second, link)
        const thief = started.newBrowser()
        const late = started.newBrowser()
        const inner = async () => {
          await app.postern.sessions.revokeAll(id ?? '')
          await signIn(started, thief, second, { provider: 'loose' })
          if ((await idIn(thief)) !== id) return
          await signIn(started, thief, third, { provider: 'loose', link: 'true' })
        }
        const check = async () => {
          const accounts = (await accountsOf(started, id ?? '')).filter((one) => !one.startsWith('demo'))
          // The link was complete before the sessions ended.
          if (accounts.includes('loose two')) return null
          await signIn(started, late, third, { provider: 'loose' })
          if ((await idIn(thief)) === id) return `signed in, ${accounts}`
          if ((await idIn(late)) === id) return `signs in with ${accounts}`
          return accounts.length === 0 ? null : `linked ${accounts}`
        }
        return { started, outer: finish, inner, check }
      })
      t.strictSame(problems, [])
    })

    for (const provider of ['demo', 'loose'])
      test(`${strategy}: the owner who ends the others stays signed in while a thief links an account of ${provider}, ${what}`, async (t) => {
        const { problems } = await overlapEverywhere(async (adapter) => {
          const started = await startOverlap(t, choose(adapter, hasTransactions), { session: { strategy } })
          const owner = started.browser
          const thief = started.newBrowser()
          await signIn(started, owner, vera, { provider: 'loose' })
          await signIn(started, thief, vera, { provider: 'loose' })
          const id = await idIn(owner)
          started.clock.advance(0.05)
          const { finish } = await begin(started, thief, second, { provider, link: 'true' })
          const check = async () => {
            const [isOwner, isThief] = [(await idIn(owner)) === id, (await idIn(thief)) === id]
            return isOwner && !isThief ? null : `owner ${isOwner}, thief ${isThief}`
          }
          return { started, outer: finish, inner: () => owner.open('/sign-out-others'), check }
        })
        t.strictSame(problems, [])
      })
  }

const stores: Readonly<Record<string, (t: Test) => Promise<Adapter>>> = {
  SQLite: async () => sqliteAdapter({ file: ':memory:' }),
  PostgreSQL: async (t) => {
    const adapter = postgresAdapter({ url: (await createTestDatabase(t)).url() })
    t.teardown(() => adapter.close?.())
    return adapter
  },
  Redis: async (t) => (await startRedis(t)).adapter,
  MariaDB: async (t) => {
    const adapter = mysqlAdapter({ url: await createMysqlDatabase(t) })
    t.teardown(() => adapter.close?.())
    return adapter
  }
}

const noTick = (): void => undefined

async function walk(t: Test, strategy: Strategy, store: string, isChain: boolean): Promise<readonly string[]> {
  const problems: string[] = []
  const { adapter, arm, finish: finishCut } = createCutter(await stores[store]?.(t), null)
  const started = await startAccounts(t, { adapter, session: { strategy } })
  started.clock.set(new Date())
  const { app } = started
  for (const index of callNumbers()) {
    const at = index + 1
    const about = (sub: string) => ({
      sub: `${sub}-${at}`,
      name: sub,
      email: `${sub}-${at}@example.com`,
      email_verified: true
    })
    const [browser, thief] = [started.newBrowser(), started.newBrowser()]
    await signIn(started, browser, about('vera'))
    const id = (await idOf(started, `vera-${at}`)) ?? ''
    const { finish } = await begin(started, browser, about('two'), link)
    arm(
      at,
      async () => {
        started.clock.set(new Date())
        await app.postern.sessions.revokeAll(id)
        await signIn(started, thief, about('two'), { provider: 'loose' })
        if (isChain && (await idIn(thief)) === id) await signIn(started, thief, about('three'), link)
      },
      noTick
    )
    await finish()
    const { before } = await finishCut()
    if (before === null) return problems
    started.clock.set(new Date(Date.now() + 3000))
    const accounts = (await accountsOf(started, id)).filter((one) => !one.startsWith('demo'))
    const isIn = (await idIn(thief)) === id
    if (!accounts.includes(`loose two-${at}`) && (isIn || accounts.length > 0))
      problems.push(`${at} ${before}: ${isIn ? 'signed in' : ''} ${accounts}`)
  }
  return problems
}

for (const store of Object.keys(stores))
  for (const isChain of [false, true])
    for (const { value: strategy, test } of turns())
      test(`${store}, ${strategy}: an account ${isChain ? 'links another one' : 'signs in'} while its link is taken back`, async (t) => {
        t.strictSame(await walk(t, strategy, store, isChain), [])
      })

test('an account of a form signs in while its link is taken back', async (t) => {
  const people = credentials({ credentials: { name: {} }, authorize: () => ({ id: 'form-vera', email: address }) })
  for (const hasTransactions of [true, false]) {
    const { problems } = await overlapEverywhere(async (adapter) => {
      const options = { session: { strategy: 'database' }, people } as const
      const started = await startOverlap(t, choose(adapter, hasTransactions), options)
      const { app, browser } = started
      await signIn(started, browser, vera)
      const id = (await idOf(started, vera.sub)) ?? ''
      const thief = started.newBrowser()
      const signInByForm = (visitor: Browser) => visitor.submit('/api/auth/callback/credentials', { name: 'x' })
      const inner = async () => {
        await app.postern.sessions.revokeAll(id)
        await signInByForm(thief)
      }
      const check = async () => {
        const accounts = (await accountsOf(started, id)).filter((one) => !one.startsWith('demo'))
        return accounts.length === 0 && (await idIn(thief)) === id ? 'signed in by an account that is not linked' : null
      }
      return { started, outer: () => signInByForm(browser), inner, check }
    })
    t.strictSame(problems, [])
  }
})

for (const { freshWithin, age } of [
  { freshWithin: false, age: 86_400 },
  { freshWithin: 600, age: 300 }
] as const)
  for (const { value: strategy, test } of turns())
    test(`${strategy}: the thief of a session does not sign the owner out by a link that is taken back, with freshWithin ${freshWithin}`, async (t) => {
      const { problems } = await overlapEverywhere(async (adapter) => {
        const started = await startOverlap(t, adapter, { session: { strategy }, linking: { freshWithin } })
        const owner = started.browser
        const stolen = started.newBrowser()
        await signIn(started, stolen, vera, { provider: 'loose' })
        started.clock.advance(age)
        await signIn(started, owner, vera, { provider: 'loose' })
        const id = await idIn(owner)
        const { finish } = await begin(started, stolen, third, link)
        const tab = getCopy(started, stolen)
        const check = async () => ((await idIn(owner)) === id ? null : 'the owner is signed out')
        return { started, outer: finish, inner: () => tab.submit('/api/auth/signout', {}), check }
      })
      t.strictSame(problems, [])
    })

for (const hasTransactions of [true, false])
  for (const { value: strategy, test } of turns())
    test(`${strategy}: an owner who links two accounts in two tabs stays signed in on the phone, with${hasTransactions ? '' : 'out'} transactions`, async (t) => {
      const { problems } = await overlapEverywhere(async (adapter) => {
        const started = await startOverlap(t, choose(adapter, hasTransactions), { session: { strategy } })
        const phone = started.newBrowser()
        await signIn(started, phone, vera, { provider: 'loose' })
        const owner = started.browser
        await signIn(started, owner, vera, { provider: 'loose' })
        const id = await idIn(owner)
        const one = await begin(started, owner, second, link)
        const other = await begin(started, owner, third, { provider: 'demo', link: 'true' })
        const check = async () => ((await idIn(phone)) === id ? null : 'the phone is signed out')
        return { started, outer: one.finish, inner: other.finish, check }
      })
      t.strictSame(problems, [])
    })
