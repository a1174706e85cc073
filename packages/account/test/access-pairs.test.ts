import { callNumbers, isLong, times } from '@postern/testkit/long'
import t from 'tap'
import { isolations, servers } from './access-pair-databases.ts'
import { type Operation, operations } from './access-pair-operations.ts'
import { type Kept, prepareUsers, toName } from './access-pair-scene.ts'
import { type Pair, testPair } from './access-pairs.ts'
import { strategies } from './password-application.ts'

if (isLong) t.setTimeout(0)

/** Where a pair runs: each place has both strategies. */
const places = servers.flatMap(([server]) =>
  isolations.flatMap((isolation) => [false, true].map((hasRow) => ({ server, isolation, hasRow })))
)

const pairs = operations.flatMap((first) =>
  operations.flatMap((second) => {
    // An address is proven, or it is not.
    if (new Set([first.address, second.address, 'any']).size > 2) return []
    const sessions = first.by === 'ada' && second.by === 'ada' ? [false, true] : [false]
    return sessions.map((isSameSession) => ({ first, second, isSameSession }))
  })
)

interface Case {
  readonly server: string
  readonly isolation: string
  readonly pair: Pair
}

/** How many places a pair has: one on each server in the complete long run, and all of them with `POSTERN_LONG=4`. */
const placesOfPair = Math.min(times(1, 2), places.length)

/** The next pair begins with the next place. */
const cases = pairs.flatMap((pair, number) =>
  Array.from({ length: placesOfPair }, (_, turn): readonly Case[] => {
    const index = (number + (turn >> 1) + (turn % 2) * (places.length / 2)) % places.length
    const place = places[index]
    if (!place) return []
    const { server, isolation, hasRow } = place
    const strategy = strategies[(number + index + (index >> 1)) % strategies.length] ?? 'database'
    const isProven = pair.first.address !== 'claimed' && pair.second.address !== 'claimed'
    return [{ server, isolation, pair: { ...pair, start: { strategy, hasRow, isProven } } }]
  }).flat()
)

/** In `npm test` each operation is in one pair: those that sign in meet those that end sessions. */
function chooseCases(): readonly Case[] {
  const met = new Set<Operation>()
  return operations.flatMap((first) => {
    const isNew = ({ pair }: Case): boolean => pair.first === first && pair.second !== first && !met.has(pair.second)
    const found = met.has(first) ? undefined : cases.findLast(isNew)
    for (const operation of found ? [first, found.pair.second] : []) met.add(operation)
    return found ?? []
  })
}

const chosen = isLong ? cases : chooseCases()

/** What locks have to prevent: in `npm test` this is stopped on each server, on PostgreSQL before each statement. */
const [signIn, end] = ['signing in by an account', 'ending all sessions'].map((name) =>
  operations.find((operation) => operation.name === name)
)
const start = { strategy: 'database', hasRow: true, isProven: true } as const
const locking: Pair = { first: signIn!, second: end!, isSameSession: false, start }

const done = new Set<string>()

function* everyNumber(): Generator<number, never> {
  for (let number = 0; ; number += 1) yield number
}

for (const [server, skip, open] of servers)
  for (const isolation of isolations)
    t.test(`overlap-1: pairs of operations by statement: ${server}, ${isolation} by default`, { skip }, async (t) => {
      const database = await open(t, isolation)
      const bases = new Map<string, Kept>()
      let [runs, violations] = [0, 0]
      const check = async (pair: Pair, numbers: Iterable<number>): Promise<void> => {
        const name = toName(pair.start)
        const base = bases.get(name) ?? (await prepareUsers(database, pair.start))
        bases.set(name, base)
        const report = await testPair(database, pair, base, numbers)
        runs += report.runs
        violations += report.violations.length
        t.strictSame(report.violations, [], `${pair.first.name} and ${pair.second.name}, ${name}`)
        for (const name of report.done) done.add(name)
      }
      if (!isLong && (server === 'PostgreSQL') === (isolation === 'read committed'))
        await check(locking, server === 'PostgreSQL' ? everyNumber() : callNumbers(4))
      for (const { pair } of chosen.filter((each) => each.server === server && each.isolation === isolation))
        await check(pair, callNumbers(isLong ? 24 : 16))
      t.equal(await database.isBlocked(), false, 'nothing waits after the last pair')
      console.log(`pairs by statement, ${server}, ${isolation}: ${runs} runs, ${violations} violations`)
    })

if (servers.every(([, skip]) => skip === false))
  t.test('every operation has been done', async (t) => {
    t.strictSame(
      operations.map(({ name }) => name).filter((name) => !done.has(name)),
      []
    )
  })
