import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import type { Browser, Person } from '@postern/testkit'
import { callNumbers, inTurn, isLong, times } from '@postern/testkit/long'
import root, { type Test } from 'tap'
import { startRedis, withoutProgram } from '../redis-server.ts'
import { servers } from '../servers.ts'
import { getSession, type Started, signInAtIssuer, signInByForm, signInByMail } from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import {
  createPausing,
  type Pausing,
  prepareAtIssuer,
  prepareByMail,
  runInterleaved,
  startInstance,
  takeTo
} from './claim-races-setup.ts'
import {
  addAccount,
  createPause,
  createUser,
  email,
  getAccounts,
  getUser,
  isRefused,
  key,
  mallory,
  pauseIn,
  plantTrojan,
  type Strategy,
  someStores,
  someStrategies,
  stores,
  strategies,
  victim,
  walks
} from './linking-setup.ts'
import type { Replay } from './replay.ts'

/** Two processes of one application on one store; the first one can be interrupted at any call of its adapter. */
interface Pair {
  readonly name: string
  readonly attacked: Started
  readonly claiming: Started
  readonly pausing: Pausing
  readonly claimPausing: Pausing
  readonly passwords: Map<string, string>
}

interface SharedStore {
  readonly name: string
  /** Opens a separate adapter with connections, if the store has any. */
  readonly open: () => Adapter
}

/** Stores that two adapters of this process share. */
function inMemory(): Readonly<Record<'memory' | 'bare', SharedStore>> {
  const [memory, bare] = [memoryAdapter(), withoutTransactions(memoryAdapter())]
  return {
    memory: { name: 'memory', open: () => memory },
    bare: { name: 'memory without transactions', open: () => bare }
  }
}

async function openStores(t: Test): Promise<readonly SharedStore[]> {
  const { memory, bare } = inMemory()
  const file = `${t.testdir({})}/claims.db`
  const pausePoints = await Promise.all(
    servers
      .filter(({ missing }) => !missing)
      .map(async ({ name, createTestDatabase }) => {
        const database = await createTestDatabase(t)
        const first = database.open()
        await first.ready()
        await first.close()
        return [
          { name, open: (): Adapter => database.open() },
          { name: `${name} without transactions`, open: (): Adapter => withoutTransactions(database.open()) }
        ]
      })
  )
  const redis = withoutProgram ? null : (await startRedis(t)).adapter
  return [
    memory,
    bare,
    { name: 'SQLite', open: () => sqliteAdapter({ file }) },
    ...pausePoints.flat(),
    ...(redis ? [{ name: 'Redis', open: () => redis }] : [])
  ]
}

let opened: Promise<readonly SharedStore[]> | null = null

/** Stores of every kind, opened once for all tests of the file: each round has people of its own. */
export function sharedStores(): Promise<readonly SharedStore[]> {
  opened ??= openStores(root)
  return opened
}

/** Stores with each strategy; in `npm test` each store with one of them, both in turn. */
const withStrategies = (all: readonly SharedStore[]) =>
  all
    .flatMap((store, index) => strategies.map((strategy, place) => ({ store, strategy, isTurn: index % 2 === place })))
    .filter(({ isTurn }) => isLong || isTurn)

export async function startPair(t: Test, { name, open }: SharedStore, strategy: Strategy): Promise<Pair> {
  const passwords = new Map<string, string>()
  const form = credentials({
    credentials: { username: { label: 'Name' } },
    authorize: ({ username }) => {
      const id = passwords.get(username)
      return id === undefined ? null : { id, email: `${username}@example.com` }
    }
  })
  const events = {
    claimUser: ({ user }: { user: { id: string } }) => {
      for (const [username, id] of passwords) if (id === user.id) passwords.delete(username)
    }
  }
  const pausing = createPausing(open())
  const options = { session: { strategy }, events, constants: { revocationRefresh: 0 }, form }
  const attacked = await startInstance(t, { ...options, adapter: pausing.adapter })
  const claimPausing = createPausing(open())
  const claiming = await startInstance(t, { ...options, adapter: claimPausing.adapter })
  return { name: `${strategy}, ${name}`, attacked, claiming, pausing, claimPausing, passwords }
}

interface Round {
  readonly pair: Pair
  readonly attacker: Browser
  readonly owner: Browser
  readonly address: string
  readonly sub: string
  readonly userId: string
}

/** Two attacks, the next two at each call; all four in the long run. */
const someAttacks = inTurn([
  ['known', 'form'],
  ['link', 'first']
] as const)

type Prepare = (round: Round) => Promise<() => Promise<unknown>>

export const attacks: Readonly<Record<'known' | 'link' | 'form' | 'first', Prepare>> = {
  known: ({ pair: { attacked }, attacker, sub }) => prepareAtIssuer(attacked, attacker, person(sub)),
  link: async ({ pair: { attacked }, attacker, sub }) => {
    await signInAtIssuer(attacked, attacker, person(sub))
    return prepareAtIssuer(attacked, attacker, person(`${sub}-second`))
  },
  form:
    async ({ attacker, sub }) =>
    () =>
      signInByForm(attacker, sub),
  first: ({ pair: { attacked }, attacker, sub, address }) =>
    prepareAtIssuer(attacked, attacker, { ...person(`${sub}-first`), email: address, email_verified: false })
}

export function person(sub: string): Person {
  return { sub, name: 'M', email: `${sub}@example.com`, email_verified: true }
}

let rounds = 0

export async function prepareRound(pair: Pair, attack: keyof typeof attacks): Promise<Round> {
  rounds += 1
  const [address, sub] = [`victim-${rounds}@example.com`, `mallory-${rounds}`]
  const { attacked, claiming, passwords } = pair
  const base = { pair, attacker: attacked.newBrowser(), owner: claiming.newBrowser(), address, sub }
  if (attack === 'first') return { ...base, userId: '' }
  const { id } = await createUser(attacked, { email: address })
  await addAccount(attacked, id, sub)
  passwords.set(sub, id)
  return { ...base, userId: id }
}

export async function checkRound(t: Test, { pair, attacker, owner, address }: Round, label: string): Promise<void> {
  t.match(await getSession(owner), { user: { email: address } }, `${label}: the owner is signed in`)
  const user = await getUser(pair.claiming, address)
  t.same(await getAccounts(pair.claiming, user?.id ?? ''), [], `${label}: accounts`)
  t.not((await getSession(takeTo(pair.claiming, attacker))).user?.email, address, `${label}: the attacker`)
}

const someOrders = inTurn([true, false])

/** Of the calls at which the second request may be interrupted, one in so many, another one for each call of the first. */
const stride = isLong ? 1 : 12

/** Runs a sign-in up to each of its calls, a separate claim up to each, and then the rest of both. */
async function exploreBoth(t: Test, pair: Pair, attack: keyof typeof attacks, isAttackFirst: boolean): Promise<void> {
  for (const at of callNumbers()) {
    for (let atSecond = at % stride; ; atSecond += stride) {
      const round = await prepareRound(pair, attack)
      const signIn = { pausing: pair.pausing, run: await attacks[attack](round) }
      const claim = {
        pausing: pair.claimPausing,
        run: await prepareByMail(pair.claiming, round.owner, round.address)
      }
      const [first, second] = isAttackFirst ? [signIn, claim] : [claim, signIn]
      const { isDone, isSecondDone, methods } = await runInterleaved({ ...first, at }, { ...second, at: atSecond })
      if (!isDone) return
      await checkRound(t, round, `${pair.name}, ${attack}, before ${at} and ${atSecond}: ${methods}`)
      if (!isSecondDone) break
    }
  }
}

/** Sign-ins and claims that overlap in stores of every kind. */
export const claimRaces: readonly Replay[] = [
  [
    'S51',
    'a user is claimed in another process between two calls of a sign-in, in every store',
    async (t) => {
      const all = await sharedStores()
      const walked = all.some(({ name }) => name === 'PostgreSQL') ? 'PostgreSQL' : 'SQLite'
      for (const store of all) {
        // In memory: Q5. In other stores than these S52 has them overlap, and the long run has them all.
        if (store.name.startsWith('memory') || store.name.endsWith('without transactions')) continue
        if (!isLong && store.name !== walked) continue
        const pairs = new Map<Strategy, Promise<Pair>>()
        for (const attack of ['known', 'link', 'form', 'first'] as const) {
          for (const strategy of someStrategies()) {
            const opening = pairs.get(strategy) ?? startPair(t, store, strategy)
            pairs.set(strategy, opening)
            const pair = await opening
            for (const at of callNumbers(16)) {
              const round = await prepareRound(pair, attack)
              const run = await attacks[attack](round)
              const claim = await prepareByMail(pair.claiming, round.owner, round.address)
              const { isDone, method } = await pair.pausing.runAt(at, run, claim)
              if (!isDone) break
              await checkRound(t, round, `${pair.name}, ${attack}, before ${at} ${method}`)
            }
          }
        }
      }
    }
  ],
  [
    'S52',
    'sign-ins and a claim run at the same moment on real connections',
    async (t) => {
      // Servers without transactions: in the long run.
      const all = (await sharedStores()).filter(
        ({ name }) => isLong || name.startsWith('memory') || !name.endsWith('without transactions')
      )
      for (const { store, strategy } of withStrategies(all)) {
        const pair = await startPair(t, store, strategy)
        for (let count = 0; count < times(1, 4); count += 1) {
          for (const [index, attack] of someAttacks().flat().entries()) {
            const round = await prepareRound(pair, attack)
            const run = await attacks[attack](round)
            const claim = await prepareByMail(pair.claiming, round.owner, round.address)
            await Promise.all((count + index) % 2 === 0 ? [run(), claim()] : [claim(), run()])
            await checkRound(t, round, `${pair.name}, ${attack}`)
          }
        }
      }
    }
  ],
  [
    'S53',
    'many sign-ins of one person at the same moment, the first ones too: none is refused',
    async (t) => {
      // Two first sign-ins at once in a store without transactions: S26.
      const all = (await sharedStores()).filter(({ name }) => !name.endsWith('without transactions'))
      for (const { store, strategy } of withStrategies(all)) {
        const pair = await startPair(t, store, strategy)
        // A known user in every store: in the long run.
        const hasKnown = isLong || ['memory', 'PostgreSQL'].includes(store.name)
        for (const kind of hasKnown ? (['first', 'known'] as const) : (['first'] as const)) {
          rounds += 1
          const sub = `vera-${rounds}`
          const all = [pair.attacked, pair.claiming, pair.attacked, pair.claiming]
          if (kind === 'known') await signInAtIssuer(pair.attacked, pair.attacked.newBrowser(), person(sub))
          const browsers = all.map((started) => [started, started.newBrowser()] as const)
          const runs = await Promise.all(
            browsers.map(([started, browser]) => prepareAtIssuer(started, browser, person(sub)))
          )
          const responses = await Promise.all(runs.map((run) => run()))
          for (const response of responses) t.notMatch(response.location ?? '', /error=/, `${pair.name}, ${kind}`)
          for (const [, browser] of browsers)
            t.match(await getSession(browser), { user: { email: `${sub}@example.com` } }, `${pair.name}, ${kind}`)
        }
      }
    }
  ],
  [
    'S54',
    'a claim fails at any call of the store: at the next try nothing of the attacker is left',
    async (t) => {
      // Memory and SQLite both have transactions.
      const walked = isLong ? stores : stores.filter(([name]) => name !== 'memory')
      for (const {
        strategy,
        store: [name, openStore]
      } of walks(walked)) {
        for (const at of callNumbers(16)) {
          const pausing = createPausing(openStore())
          const started = await startInstance(t, { adapter: pausing.adapter, session: { strategy } })
          const { attacker, userId } = await plantTrojan(started)
          const openLink = await prepareByMail(started, started.browser, email)
          const { isDone, method } = await pausing.runAt(at, openLink, async () => {
            throw new Error('the connection was lost')
          })
          if (!isDone) break
          await signInByMail(started, started.browser, email)
          const label = `${strategy}, ${name}, ${at} ${method}`
          t.match(await getSession(started.browser), { user: { email } }, label)
          t.same(await getAccounts(started, userId), [], label)
          t.same(await getSession(attacker), {}, label)
        }
      }
    }
  ],
  [
    'S55',
    'the tokens of an account cannot be written while it is removed: the sign-in is refused anyway',
    async (t) => {
      for (const strategy of someStrategies()) {
        for (const how of ['claim', 'unlink', 'delete', 'none'] as const) {
          const { pause, options } = pauseIn('remember', strategy)
          const started = await startInstance(t, { ...options, adapter: withoutTransactions(memoryAdapter()) })
          const { attacker, userId } = await plantTrojan(started)
          await addAccount(started, userId, 'other')
          const { postern } = started.app
          pause.during = async () => {
            if (how === 'claim') await signInByMail(started, started.browser, email)
            if (how === 'unlink') await postern.unlink(userId, key('mallory'))
            if (how === 'delete') await postern.deleteUser(userId)
          }
          started.store.breakDown('updateAccount')
          await signInAtIssuer(started, attacker, mallory)
          started.store.restore()
          t.ok(pause.ran)
          t.equal((await getSession(attacker)).user !== undefined, how === 'none', `${strategy}, ${how}`)
        }
      }
    }
  ],
  [
    'S56',
    'with linking.unverified: keep, a form sign-in that overlaps a sign-in by email is not refused',
    async (t) => {
      for (const strategy of someStrategies()) {
        const pause = createPause()
        const form = credentials({
          credentials: { username: { label: 'Name' } },
          authorize: async () => {
            await pause.run()
            return { id, email }
          }
        })
        const linking = { unverified: 'keep' } as const
        const started = await startInstance(t, { session: { strategy }, linking, form })
        const { id } = await createUser(started)
        const other = started.newBrowser()
        pause.during = () => signInByMail(started, other, email)
        await signInByForm(started.browser)
        t.ok(pause.ran)
        t.match(await getSession(started.browser), { user: { email } }, strategy)
        t.match(await getSession(other), { user: { email } }, strategy)
      }
    }
  ],
  [
    'S57',
    'one of two accounts of a provider, of a user without an address, is removed: the other one signs in',
    async (t) => {
      for (const [name, openStore] of someStores()) {
        for (const strategy of someStrategies()) {
          const { pause, options } = pauseIn('signIn', strategy)
          const started = await startInstance(t, { ...options, adapter: openStore() })
          const { id } = await createUser(started, { email: null })
          for (const sub of ['one', 'two']) await addAccount(started, id, sub)
          pause.during = () => started.app.postern.unlink(id, key('one'))
          const response = await signInAtIssuer(started, started.browser, { sub: 'two', name: 'Two' })
          t.ok(pause.ran)
          t.notOk(isRefused(response))
          t.same(await getAccounts(started, id), ['two'], `${strategy}, ${name}`)
          t.match(await getSession(started.browser), { user: {} }, `${strategy}, ${name}`)
        }
      }
    }
  ],
  [
    'S58',
    'a process that looks for revocations at each request (revocationRefresh: 0) links nothing with a revoked token',
    async (t) => {
      const adapter = memoryAdapter()
      const options = { adapter, session: { strategy: 'jwt' }, constants: { revocationRefresh: 0 } } as const
      const [here, there] = [await startInstance(t, options), await startInstance(t, options)]
      const { attacker, userId } = await plantTrojan(here)
      const link = await prepareAtIssuer(here, attacker, { ...mallory, sub: 'second' })
      await signInByMail(there, there.browser, email)
      await link()
      t.same(await getAccounts(here, userId), [])
      t.not((await getSession(attacker)).user?.email, email)
      t.match(await getSession(there.browser), { user: { email } })
    }
  ],
  [
    'S59',
    'a user is claimed by an invitation and by email at the same moment: both are signed in, and the account remains',
    async (t) => {
      for (const [name, openStore] of someStores()) {
        for (const strategy of someStrategies()) {
          const { pause, options } = pauseIn('claimUser', strategy)
          const demo = { verifiesEmail: true }
          const started = await startInstance(t, { ...options, demo, adapter: openStore() })
          const { id } = await createUser(started)
          await started.app.postern.invite(id, { expiresIn: 60 })
          const other = started.newBrowser()
          const invited = await prepareAtIssuer(started, other, victim)
          pause.during = invited
          await signInByMail(started, started.browser, email)
          t.ok(pause.ran)
          t.match(await getSession(other), { user: { email } }, `${strategy}, ${name}: invited`)
          t.match(await getSession(started.browser), { user: { email } }, `${strategy}, ${name}: by email`)
          t.same(await getAccounts(started, id), ['vera'], `${strategy}, ${name}`)
        }
      }
    }
  ],
  [
    'S60',
    'a sign-in and a claim interrupt each other, at any call of the one and any call of the other',
    async (t) => {
      const { memory, bare } = inMemory()
      for (const [store, strategy, attack] of [
        [memory, 'jwt', 'link'],
        [bare, 'database', 'known']
      ] as const) {
        const pair = await startPair(t, store, strategy)
        for (const isAttackFirst of someOrders()) await exploreBoth(t, pair, attack, isAttackFirst)
      }
    }
  ],
  [
    'S61',
    'an account is linked by a session that ends between two calls of the request, in another process',
    async (t) => {
      for (const store of Object.values(inMemory())) {
        for (const strategy of someStrategies()) {
          const pair = await startPair(t, store, strategy)
          const { attacked, claiming, pausing } = pair
          for (const at of callNumbers(16)) {
            const round = await prepareRound(pair, 'link')
            const { userId, sub } = round
            await addAccount(attacked, userId, `${sub}-other`)
            const link = await attacks.link(round)
            let wasLinked = false
            const hasLinked = async () => (await getAccounts(claiming, userId)).includes(`${sub}-second`)
            const { isDone, method } = await pausing.runAt(at, link, async () => {
              await claiming.app.postern.unlink(userId, key(sub))
              wasLinked = await hasLinked()
            })
            if (!isDone) break
            t.notOk(!wasLinked && (await hasLinked()), `${pair.name}, before ${at} ${method}`)
          }
        }
      }
    }
  ]
]
