import { createRandom } from '@postern/testkit'
import {
  allRules,
  createWorld,
  type Exploration,
  explore,
  operations,
  perform,
  type Rule,
  rules,
  type Setting,
  type Start,
  type Strategy,
  starts,
  walk
} from '@postern/testkit/access-model'
import { inTurn, times } from '@postern/testkit/long'
import t from 'tap'

const strategies: readonly Strategy[] = ['jwt', 'database', 'redis']

/** In `npm test` a pair begins with the row of a user, the next pair without one. */
const withRow = inTurn([true, false])

interface Case {
  readonly names: readonly string[]
  readonly start: Start
  readonly strategy: Strategy
  readonly isInstant: boolean
}

const begin = ({ start, strategy, names }: Case) => createWorld(start, strategy, names)

/** What failed, as somebody would tell it. */
function describe({ names, start, strategy }: Case, { violation }: Exploration): string {
  const lines = [`${names.join(', ')}: ${start.name}, ${strategy} sessions`, ...(violation?.trace ?? [])]
  return `${lines.join('\n  ')}\n  => ${violation?.reason}`
}

/** Each pair of operations, an operation with itself included. */
const pairs = operations.flatMap(({ name }, index) => operations.slice(index).map((other) => [name, other.name]))

/** Some of the cases of a pair, for each pair others. */
function choose(names: readonly string[], number: number, hasRow: boolean): readonly Case[] {
  const isTimed = names.includes('sign in by authorize')
  const all = starts
    .filter(({ row }) => (row !== null) === hasRow)
    .flatMap((start) => strategies.map((strategy) => ({ names, start, strategy })))
    .flatMap((each) => (isTimed ? [false, true] : [false]).map((isInstant) => ({ ...each, isInstant })))
  const count = Math.min(all.length, times(1, all.length))
  // 7 and every number of cases have no common divisor, so that no case comes twice.
  return Array.from({ length: count }, (_, turn) => all[(number + turn * 7) % all.length]!)
}

t.test('every operation can be done', async (t) => {
  for (const { name } of operations)
    for (const strategy of strategies) {
      const ended = starts.map((start) => perform(createWorld(start, strategy, [name])))
      const isDone = ended.some(({ processes }) => processes.every(({ outcome }) => outcome === 'done'))
      t.ok(isDone, `${name}, ${strategy} sessions`)
      t.strictSame(ended.map(({ violation }) => violation).filter(Boolean), [])
    }
})

t.test('no order of the steps of two operations violates the contract, with kills and lost replies', async (t) => {
  let states = 0
  for (const [number, names] of pairs.entries())
    for (const each of withRow().flatMap((hasRow) => choose(names, number, hasRow))) {
      const found = explore(begin(each), { ...allRules, isInstant: each.isInstant })
      states += found.states
      if (found.violation) t.fail(describe(each, found))
    }
  t.comment(`${pairs.length} pairs, ${states} states`)
  t.ok(states > pairs.length * 50, 'the operations meet')
})

t.test('no random order of three operations violates the contract', async (t) => {
  const random = createRandom(49)
  const choose = (count: number): number => random(4).reduce((sum, byte) => sum * 256 + byte, 0) % count
  const one = <T>(values: readonly T[]): T => values[choose(values.length)]!
  for (let turn = 0; turn < times(200, 100_000); turn++) {
    const names = [one(operations).name, one(operations).name, one(operations).name]
    const each: Case = { names, start: one(starts), strategy: one(strategies), isInstant: choose(2) === 0 }
    const found = walk(begin(each), { ...allRules, isInstant: each.isInstant }, choose)
    if (found.violation) t.fail(describe(each, found))
  }
})

/** Where each rule is missed: a strategy, and two operations of a user with or without a row. */
const missed: Readonly<Record<Rule, readonly [Strategy, 'with' | 'without', string, string]>> = {
  'a sign-in demands the version': ['database', 'with', 'sign in by account', 'end all sessions'],
  'an end raises sessionsFrom': ['jwt', 'with', 'renew a session', 'end the other sessions'],
  'the acting session gets a new token': ['jwt', 'with', 'link an account', 'invite'],
  'a missing row is locked': ['database', 'without', 'sign in by account', 'end all sessions'],
  'a change locks exclusively from the start': ['jwt', 'with', 'link an account', 'change the password'],
  'a restart keeps the first version': ['jwt', 'with', 'sign in by account', 'end all sessions'],
  'the row is read before the decision': ['jwt', 'with', 'sign in by account', 'end all sessions'],
  'the session is allowed at this version': ['database', 'with', 'link an account', 'sign out'],
  'a form has arrived after the last end': ['jwt', 'with', 'sign in by authorize', 'end all sessions'],
  'a form of the millisecond of an end came before it': ['jwt', 'with', 'sign in by authorize', 'end all sessions'],
  'sessions are found in a statement after the lock': ['database', 'with', 'sign in by account', 'end all sessions'],
  'an end demands nothing': ['jwt', 'with', 'link an account', 'end all sessions'],
  'ending one session advances': ['database', 'with', 'link an account', 'sign out'],
  'a restart does not consume its token again': ['redis', 'with', 'sign in by mailed link', 'link an account'],
  'a sign-in leaves a record': ['jwt', 'with', 'sign in by mailed link', 'sign in by mailed link'],
  'the change id says whose commit it was': ['jwt', 'with', 'link an account', 'sign out'],
  'the ways in are counted': ['jwt', 'with', 'unlink an account', 'remove the password'],
  'the change requires the address': [
    'jwt',
    'with',
    'change the address when due',
    'write an address and call users.changed'
  ],
  'waiting things are dropped': ['jwt', 'with', 'accept an invitation', 'reset the password'],
  'a renewal keeps its version': ['jwt', 'with', 'renew a session', 'end all sessions'],
  'impersonation demands both rows': ['database', 'with', 'impersonate', 'end all sessions of the administrator'],
  'Redis has a session before its transaction': ['redis', 'with', 'link an account', 'sign out'],
  'Redis forgets ended sessions while the row is locked': ['redis', 'with', 'link an account', 'sign out']
}

/** What has to be assumed for that, so that two operations suffice. */
const assumed: Partial<Record<Rule, Partial<Setting>>> = {
  'an end demands nothing': { maxRestarts: 0 },
  'a form of the millisecond of an end came before it': { isInstant: true }
}

for (const leftOut of rules)
  t.test(`the contract needs: ${leftOut}`, async (t) => {
    const [strategy, row, ...names] = missed[leftOut]
    const start = starts.find(({ name }) => name === (row === 'with' ? 'a user with a row' : 'a user without a row'))!
    const each: Case = { names, start, strategy, isInstant: false }
    const setting = { ...allRules, ...assumed[leftOut] }
    t.equal(explore(begin(each), setting).violation, null, 'nothing is violated with the rule')
    const found = explore(begin(each), { ...setting, leftOut })
    t.ok(found.violation, 'without the rule something is')
    t.comment(`without "${leftOut}": ${describe(each, found)}`)
  })
