import type { Adapter } from '@postern/core'
import { createClock } from '@postern/testkit'
import { settledOrBlocked } from '@postern/testkit/statement-gate'
import type { PairedDatabase } from './access-pair-databases.ts'
import type { Answer, Operation } from './access-pair-operations.ts'
import { copyJars, type Kept, nameOfPassword, openScene, type Scene, type Start, toName } from './access-pair-scene.ts'
import { grace } from './email-application.ts'
import { ada, base } from './password-application.ts'

type Store = Required<Adapter>

/** Two operations, and the session by which each of them is done. */
export interface Pair {
  readonly first: Operation
  readonly second: Operation
  /** Whether two operations by a session have the same one. */
  readonly isSameSession: boolean
  readonly start: Start
}

/** What the operations say; `null` for one that was not done. */
type Answers = readonly [Answer | null, Answer | null]

/** What is left of two operations. */
interface Outcome {
  readonly answers: Answers
  /** Who is in with each browser. */
  readonly isIn: Readonly<Record<string, string | null>>
  readonly users: unknown
}

interface Prepared {
  readonly kept: Kept
  readonly acts: readonly [Act, Act]
}

type Act = (scene: Scene) => Promise<Answer>

/** The browser of an operation. Of two with one session, the second one has a copy of its cookie. */
const browserOf = ({ by }: Operation, place: number, isSameSession: boolean): string => {
  if (by === 'nobody') return `visitor ${place + 1}`
  if (by === 'admin') return place === 0 ? 'admin' : 'copy of admin'
  if (place === 0) return 'own'
  return isSameSession ? 'copy of own' : 'other'
}

/** Whether a response is that of a request that did what it should. */
function isDone({ status, location, setCookies }: Answer, { reissues }: Operation): boolean {
  const isIssued = setCookies.some(({ name, value }) => name.includes('session-token') && value !== '')
  return status < 400 && !/error|\/signin|\/verify/.test(location ?? '') && (isIssued || !reissues)
}

/** Does both up to the requests that count, and keeps the rows. */
async function prepare(database: PairedDatabase, { first, second, isSameSession, start }: Pair, base: Kept) {
  await database.restore(toName(start))
  const jars = copyJars(base)
  for (const name of ['own', 'other', 'admin']) jars.set(`copy of ${name}`, jars.get(name)!.clone())
  const clock = createClock(new Date(base.time))
  const scene = await openScene(database.other, start, { jars, clock, ids: base.ids })
  // A suspension ends what the other operation needs.
  const both = [first, second].map((operation, place) => ({ operation, place }))
  const acts: Act[] = []
  for (const { operation, place } of both.toSorted((one) => (one.operation.name === 'resuming' ? 1 : -1))) {
    const name = browserOf(operation, place, isSameSession)
    const act = await operation.prepare(scene, scene.browser(name))
    acts[place] = (scene) => act(scene, scene.browser(name))
  }
  await scene.app.auth.close()
  if (!start.hasRow) await database.read('delete from postern_user where version = 0')
  await database.keep('pair')
  return { kept: { jars, time: clock.now(), ids: base.ids }, acts: [acts[0]!, acts[1]!] } satisfies Prepared
}

async function readUsers(store: Store, ids: Scene['ids']): Promise<unknown> {
  const created = await store.getUserByEmail('new@example.com')
  const read = async (id: string) => {
    const [user, accounts, factors, row] = await Promise.all([
      store.getUser(id),
      store.getAccounts(id),
      store.listFactors(id),
      store.getUserVersion(id)
    ])
    return {
      user: user && { email: user.email, isProven: user.emailVerified !== null },
      accounts: accounts.map(({ provider, providerAccountId }) => `${provider} ${providerAccountId}`).toSorted(),
      factors: (
        await Promise.all(
          factors.map(async ({ type, data }) => (type === 'password' ? `password ${await nameOfPassword(data)}` : type))
        )
      ).toSorted(),
      isSuspended: Boolean(row?.suspendedAt)
    }
  }
  return { ada: await read(ids.ada), new: created && (await read(created.id)) }
}

const browsers = ['own', 'other', 'copy of own', 'copy of other', 'admin', 'copy of admin', 'visitor 1', 'visitor 2']

/** What somebody sees who comes later. */
async function observe(database: PairedDatabase, start: Start, { jars, time, ids }: Kept, answers: Answers) {
  const scene = await openScene(database.other, start, { jars, clock: createClock(new Date(time)), ids })
  const look = async (name: string): Promise<readonly [string, string | null]> => {
    const session = await scene.browser(name).json<{ user?: { email?: string } } | null>(`${base}/session`)
    const email = session?.user?.email ?? null
    return [name, email === grace ? ada : email]
  }
  const all = browsers.filter((name) => jars.has(name))
  const [users, ...seen] = await Promise.all([readUsers(database.other as Store, ids), ...all.map(look)])
  const isIn = Object.fromEntries(seen)
  await scene.app.auth.close()
  return { answers, isIn, users } satisfies Outcome
}

interface Met extends Outcome {
  /** Whether the first operation was stopped. */
  readonly isStopped: boolean
  /** Whether it had read something about Ada then. */
  readonly hasBegun: boolean
  /** Whether the sessions of Ada had ended then. */
  readonly hasEnded: boolean
}

type Order = 'first' | 'second' | 'first, second' | 'second, first' | 'none'

/** Does the operations in an order, or the second one before a statement of the first. */
async function run(database: PairedDatabase, { start }: Pair, { kept, acts }: Prepared, order: Order | number) {
  await database.restore('pair')
  const clock = createClock(new Date(kept.time))
  const about = { jars: copyJars(kept), clock, ids: kept.ids }
  const scenes = [await openScene(database.gated, start, about), await openScene(database.other, start, about)] as const
  const perform = (place: 0 | 1): Promise<Answer> => acts[place](scenes[place])
  const met =
    typeof order === 'number'
      ? await meet(database, kept, order, perform)
      : { ...(await inOrder(order, perform)), isStopped: false, hasBegun: true, hasEnded: false }
  for (const { app } of scenes) await app.auth.close()
  const after = { ...kept, jars: about.jars, time: clock.now() + 2000 }
  return { ...(await observe(database, start, after, met.answers)), ...met } satisfies Met
}

async function inOrder(order: Order, perform: (place: 0 | 1) => Promise<Answer>) {
  const answers: [Answer | null, Answer | null] = [null, null]
  for (const name of order.split(', ')) {
    const place = name === 'first' ? 0 : 1
    if (name !== 'none') answers[place] = await perform(place)
  }
  return { answers }
}

/** Whether a statement reads Ada, or her account. The transaction requires a mailed link by itself. */
const isAbout = (statement: string, id: string): boolean =>
  !/verificationToken/i.test(statement) && (statement.includes(id) || /\bada@|\bacme,ada\b/.test(statement))

async function meet(
  { gate, other, isBlocked }: PairedDatabase,
  { ids }: Kept,
  number: number,
  perform: (place: 0 | 1) => Promise<Answer>
) {
  const before = await other.getUserVersion?.(ids.ada)
  let second: Promise<Answer> | null = null
  let [hasBegun, hasEnded] = [false, false]
  gate.reset(number, async () => {
    const texts = gate.statements().slice(0, -1)
    hasBegun = texts.some((text) => isAbout(text, ids.ada))
    // At once: a statement of work in the background may stop after the response.
    second = (async () => {
      hasEnded = (await other.getUserVersion?.(ids.ada))?.sessionsFrom !== before?.sessionsFrom
      return perform(1)
    })()
    await settledOrBlocked(second, isBlocked)
  })
  const one = await gate.only(() => perform(0))
  gate.reset()
  const isStopped = second !== null
  const two = await (second ?? perform(1))
  return { answers: [one, two] as const, isStopped, hasBegun: hasBegun || !isStopped, hasEnded }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const stateOf = ({ isIn, users }: Outcome) => ({ isIn, users })

/** Whether a state is that of another outcome, where what is forced may have ended more. */
function isLike(met: Outcome, known: Outcome, { first, second }: Pair): boolean {
  const isForced = first.isForced || second.isForced
  const isExpected = ([name, address]: [string, string | null]): boolean =>
    known.isIn[name] === address || (isForced && address === null)
  return isSame(met.users, known.users) && Object.entries(met.isIn).every(isExpected)
}

const doneOf = ({ answers: [one, other] }: Outcome, { first, second }: Pair) =>
  [one !== null && isDone(one, first), other !== null && isDone(other, second)] as const

/** What is wrong with sessions that somebody has. */
function findSessions(pair: Pair, met: Met): readonly string[] {
  const { first, second, isSameSession } = pair
  const [isFirstDone, isSecondDone] = doneOf(met, pair)
  const isInAs = (operation: Operation, place: number) => met.isIn[browserOf(operation, place, isSameSession)] === ada
  const isLinked = JSON.stringify(met.users).includes('"acme ada"')
  const hasEnded = ({ endsAll, isOfAccount }: Operation): boolean => endsAll && (isLinked || !isOfAccount)
  const outlives = (operation: Operation, place: number) =>
    operation.isSignIn && isInAs(operation, place) ? [`${operation.name} has outlived an end`] : []
  return [
    ...(isSecondDone && hasEnded(second) && met.hasBegun ? outlives(first, 0) : []),
    ...(met.isStopped && isFirstDone && hasEnded(first) && !met.hasEnded ? outlives(second, 1) : [])
  ]
}

/** What has become of a pair. */
export interface Report {
  readonly runs: number
  readonly violations: readonly string[]
  /** Which operations have been done. */
  readonly done: readonly string[]
}

/** Does the second operation before each statement of the first. What is left has to be what an order of the two leaves. */
export async function testPair(
  database: PairedDatabase,
  pair: Pair,
  base: Kept,
  numbers: Iterable<number>
): Promise<Report> {
  const prepared = await prepare(database, pair, base)
  const known = new Map<Order, Met>()
  const alone = async (order: Order): Promise<Met> => {
    const met = known.get(order) ?? (await run(database, pair, prepared, order))
    known.set(order, met)
    return met
  }
  const isExplained = async (met: Met): Promise<boolean> => {
    const [isFirst, isSecond] = doneOf(met, pair)
    for (const order of ['first, second', 'second, first'] as const) {
      const found = await alone(order)
      if (isSame(doneOf(found, pair), doneOf(met, pair)) && isLike(met, found, pair)) return true
    }
    const fewer: readonly Order[] = [
      ...(isFirst ? [] : (['second'] as const)),
      ...(isSecond ? [] : (['first'] as const)),
      ...(isFirst || isSecond ? [] : (['none'] as const))
    ]
    for (const order of fewer) if (isSame(stateOf(await alone(order)), stateOf(met))) return true
    return false
  }
  const violations: string[] = []
  const done = new Set<string>()
  let runs = 0
  for (const number of numbers) {
    const met = await run(database, pair, prepared, number + 1)
    runs += 1
    for (const [place, { name }] of [pair.first, pair.second].entries()) if (doneOf(met, pair)[place]) done.add(name)
    const statuses = met.answers.map((answer) => answer?.status ?? 0)
    const problems = [
      ...findSessions(pair, met),
      ...((await isExplained(met))
        ? []
        : [`${JSON.stringify([doneOf(met, pair), stateOf(met)])} is what no order leaves`]),
      // Another operation makes nothing begin again more than once.
      ...(statuses.some((status) => status >= 500) ? [`the store failed: ${statuses}`] : [])
    ]
    const title = `${pair.first.name}, stopped before statement ${number + 1}, ${pair.second.name}${pair.isSameSession ? ', same session' : ''}`
    violations.push(...problems.map((problem) => `${title}: ${problem}`))
    if (!met.isStopped) break
  }
  return { runs, violations, done: [...done] }
}
