import { randomUUID } from 'node:crypto'
import type { Adapter, AdapterCall, UserAdvance, UserVersion } from '@postern/core'
import { isLong } from '@postern/testkit/long'
import { type StatementGate, settledOrBlocked } from '@postern/testkit/statement-gate'
import type { Test } from 'tap'
import { newSession, newUser } from '../../src/contract/data.ts'

type Store = Required<Adapter>

/** Two instances on one database, of which the first stops before each of its statements. */
export interface Pair {
  readonly gate: StatementGate
  readonly gated: Store
  readonly other: Store
  /** What the other instance passes, so that its statements are known. */
  readonly otherGate: StatementGate
  /** Whether the other instance waits for a lock. */
  readonly isBlocked: () => Promise<boolean>
}

interface Subject {
  readonly id: string
  readonly email: string | null
  readonly version: number
}

const until = new Date('2031-02-03T04:05:06.789Z')

const advance = ({ id, version }: Subject, fields: Partial<UserAdvance>): AdapterCall => ({
  method: 'advanceUser',
  args: [
    { userId: id, expected: version, version: version + 1000, changeId: randomUUID(), raises: true, until, ...fields }
  ]
})
const demand = ({ id, version }: Subject): AdapterCall => ({ method: 'requireUserVersion', args: [id, version] })
const address = ({ id, email }: Subject): AdapterCall => ({ method: 'requireAddress', args: [id, email] })
const endSessions = ({ id }: Subject): AdapterCall => ({ method: 'deleteSessions', args: [id] })

/** Creates a session that carries a version in its token. */
const session = ({ id }: Subject, version: number): AdapterCall => ({
  method: 'createSession',
  args: [newSession(id, { sessionToken: `${version}.${randomUUID()}` })]
})

/** What is done with a user, with the version that was read. */
const operations: Readonly<Record<string, (subject: Subject) => readonly AdapterCall[]>> = {
  'a sign-in': (user) => [demand(user), session(user, user.version)],
  'a sign-in by a mailed link': (user) => [demand(user), address(user), session(user, user.version)],
  'linking an account': (user) => [
    advance(user, { raises: false }),
    {
      method: 'linkAccount',
      args: [{ type: 'oauth', provider: 'github', providerAccountId: user.id, userId: user.id }]
    },
    session(user, user.version + 1000)
  ],
  'ending the other sessions': (user) => [
    advance(user, { version: user.version + 2000 }),
    endSessions(user),
    session(user, user.version + 2000)
  ],
  'changing the address': (user) => [
    advance(user, { version: user.version + 3000 }),
    address(user),
    { method: 'updateUser', args: [{ id: user.id, email: `${randomUUID()}@example.com` }] },
    endSessions(user)
  ],
  'ending all sessions': (user) => [advance(user, { expected: null }), endSessions(user)],
  suspending: (user) => [advance(user, { expected: null, suspendedAt: until }), endSessions(user)]
}

const endingAll = 'ending all sessions'

const names = Object.keys(operations)

const changeIdIn = (calls: readonly AdapterCall[]): string | null => {
  const change = calls.find(({ method }) => method === 'advanceUser')
  return change?.method === 'advanceUser' ? change.args[0].changeId : null
}

/**
 * Each two operations on one user, the second of which runs before each statement of the first: none fails, which a deadlock
 * would be, and no session is left that carries a version below the one that sessions count from.
 */
export async function testPairs(t: Test, pair: Pair, isolation: string): Promise<void> {
  if (isLong) t.setTimeout(0)
  const all = ['no row', 'a row'].flatMap((state) =>
    names.flatMap((first) => names.map((second) => ({ state, first, second })))
  )
  let [runs, violations] = [0, 0]
  // What a sign-in meets is what most of the rules are about. Two that require no version only wait for each other.
  const cases = isLong
    ? all
    : all.filter(
        ({ first, second }) => [first, second].includes('a sign-in') || first + second === endingAll + endingAll
      )
  for (const { state, first, second } of cases) {
    for (let number = 1; ; number += 1) {
      const found = await runPair(pair, { state, first, second, number })
      runs += 1
      violations += found.problems.length
      const title = `${first} stopped before statement ${number}, ${second}, ${state}, ${isolation}`
      if (found.problems.length > 0) t.strictSame(found.problems, [], title)
      if (!found.isStopped) break
    }
  }
  console.log(`pairs by statement, ${isolation}: ${runs} runs, ${violations} violations`)
  t.ok(runs > names.length, 'each operation was stopped')
}

interface Run {
  readonly state: string
  readonly first: string
  readonly second: string
  readonly number: number
}

/** Runs the second operation before a statement of the first, as far as its locks allow. */
async function runPair({ gate, gated, other, otherGate, isBlocked }: Pair, run: Run) {
  const { id, email } = await other.createUser(newUser())
  const version = run.state === 'a row' ? 1000 : 0
  const subject = { id, email, version }
  if (version > 0) await other.transact([advance({ ...subject, version: 0 }, { raises: false })])
  const [calls, otherCalls] = [operations[run.first]?.(subject) ?? [], operations[run.second]?.(subject) ?? []]
  let second: Promise<boolean> | null = null
  const begin = async (): Promise<boolean> => other.transact(otherCalls)
  gate.reset(run.number, async () => {
    second = begin()
    await settledOrBlocked(second, isBlocked)
  })
  otherGate.reset()
  const [one] = await Promise.allSettled([gated.transact(calls)])
  const isFirstRepeated = hasBegunAgain(gate)
  gate.reset()
  const isStopped = second !== null
  const [two] = await Promise.allSettled([second ?? begin()])
  const isRepeated = isFirstRepeated || hasBegunAgain(otherGate)
  const row = await other.getUserVersion(id)
  const sessions = await other.listSessions(id)
  const made = [
    ...(one.status === 'fulfilled' && one.value ? [calls] : []),
    ...(two.status === 'fulfilled' && two.value ? [otherCalls] : [])
  ]
  const failures = [one, two].flatMap((outcome) => (outcome.status === 'rejected' ? [`${outcome.reason}`] : []))
  return {
    isStopped,
    problems: [
      ...failures,
      ...(isRepeated ? ['a transaction was repeated, as after a deadlock'] : []),
      ...findProblems({ row, version, made, sessions })
    ]
  }
}

/** The adapter repeats what a deadlock has aborted. */
const hasBegunAgain = (gate: StatementGate): boolean =>
  gate.statements().filter((text) => /^(?:begin|start transaction)/i.test(text)).length > 1

function findProblems(found: {
  readonly row: UserVersion | null | undefined
  readonly version: number
  readonly made: readonly (readonly AdapterCall[])[]
  readonly sessions: readonly { readonly sessionToken: string }[]
}): readonly string[] {
  const { row, version, made, sessions } = found
  const changes = made.map(changeIdIn).filter((changeId) => changeId !== null)
  const late = sessions.filter(({ sessionToken }) => Number.parseInt(sessionToken, 10) < (row?.sessionsFrom ?? 0))
  const isNamed = changes.length === 0 || changes.some((changeId) => changeId === row?.changeId)
  const expecting = made.filter((calls) =>
    calls.some((call) => call.method === 'advanceUser' && call.args[0].expected === version)
  )
  return [
    ...(late.length > 0 ? [`${late.length} sessions of versions before ${row?.sessionsFrom}`] : []),
    ...(isNamed ? [] : ['the row does not name the last change']),
    ...(expecting.length > 1 ? ['two changes of one version'] : []),
    ...((row?.version ?? 0) >= version + changes.length ? [] : ['the version did not rise with each change']),
    ...(made.length > 0 ? [] : ['nothing was done'])
  ]
}
