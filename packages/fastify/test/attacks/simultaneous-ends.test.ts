import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { type Feature, json } from '@postern/core/feature'
import { type Browser, createBrowser } from '@postern/testkit'
import { times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { origin, type Started, type StartOptions, secret } from '../start.ts'
import { createFaulty, lost } from './link-faults.ts'
import { createNumbers, createSchedule } from './schedule.ts'
import { choose, isAlive, logout, startOverlap } from './session-setup.ts'
import { idOf, signIn, strategies, vera } from './setup.ts'

// Sessions of one user that end each other at the same moment, with their calls of the store in random orders. The session
// whose request succeeds is the only one that stays.

const rounds = times(20, 2000)

/** Ends the other sessions twice in one request, as a change of what users sign in with does. */
const feature: Feature = {
  id: 'twice',
  setup: () => ({
    routes: [
      {
        method: 'GET',
        path: '/twice',
        run: async (request) => {
          await request.endOtherSessions()
          return json({}, await request.endOtherSessions())
        }
      }
    ]
  })
}
const paths = ['/sign-out-others', '/sign-out-others', '/api/auth/twice']

interface Group {
  /** Registrations with one store; sessions begin at any of them. */
  readonly registrations: readonly StartOptions[]
  /** Whether each process reads the sessions of the others. */
  readonly isOne?: boolean
}

const both: readonly StartOptions[] = strategies.map((strategy) => ({ session: { strategy } }))
const rotation: readonly StartOptions[] = [secret, [`next ${secret}`, secret]].map((each) => ({
  session: { strategy: 'jwt' },
  secret: each
}))

const groups: Readonly<Record<string, Group>> = {
  jwt: { registrations: both.slice(0, 1) },
  database: { registrations: both.slice(1) },
  'jwt and database': { registrations: both },
  'jwt, while a secret is replaced': { registrations: rotation, isOne: true }
}

/** A store for a clock that jumps: the time of its own would hide from one process what another has recorded. */
function createStore(): Adapter {
  const adapter = memoryAdapter()
  return { ...adapter, listRevocations: (_since, limit) => adapter.listRevocations(new Date(0), limit) }
}

/** A session, and each browser that has a copy of its cookie. */
interface Lineage {
  readonly name: string
  readonly start: Started
  readonly copies: Browser[]
  hasSucceeded: boolean
}

/** A browser with a copy of the cookies of a session, at a process. */
function copyAt({ send, clock }: Started, { copies: [first] }: Lineage): Browser {
  if (!first) throw new Error('expected a browser')
  return createBrowser({ origin, send, clock, cookies: first.cookies.clone() })
}

for (const [seed, [name, { registrations, isOne = false }]] of Object.entries(groups).entries())
  for (const hasTransactions of [true, false])
    t.test(
      `${name}, with${hasTransactions ? '' : 'out'} transactions: whose request succeeds is alone`,
      async (t: Test) => {
        const random = createNumbers(seed * 2 + Number(hasTransactions))
        const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
        const { adapter: faulty, faults } = createFaulty(createStore())
        const { adapter, runAll } = createSchedule(faulty, random)
        const all: Started[] = []
        for (const options of registrations) {
          const now = all[0]?.clock.now
          const own = { ...options, features: [feature], ...(now ? { runtime: { now } } : {}) }
          all.push(await startOverlap(t, choose(adapter, hasTransactions), own))
        }
        const [first] = all as [Started]
        const { clock } = first
        const problems: string[] = []
        const seen = { stays: 0, nobody: 0, refused: 0 }
        for (let round = 0; round < rounds; round++) {
          for (const each of all) each.clock.set(new Date(clock.now()))
          const lineages: Lineage[] = []
          for (let index = Math.floor(random() * 3); index >= 0; index--) {
            const start = isOne ? first : pick(all)
            const browser = start.newBrowser()
            await signIn(start, browser, vera)
            lineages.push({ name: `session ${index}`, start, copies: [browser], hasSucceeded: false })
          }
          const toProcess = ({ start }: Lineage): Started => (isOne ? pick(all) : start)
          const id = (await idOf(first, vera.sub)) ?? ''
          clock.advance(3)
          if (random() < 0.3) {
            // A request of any session has failed some time ago, before it took effect.
            const failed = pick(lineages)
            faults.before = async (method) => (method === 'revoke' || method === 'deleteSessions' ? lost() : undefined)
            const copy = copyAt(toProcess(failed), failed)
            await copy.request('GET', '/sign-out-others')
            // The session may have got a new token first.
            failed.copies.unshift(copy)
            faults.before = null
            clock.advance(pick([1, 45, 65]))
          }
          const work: (() => Promise<unknown>)[] = lineages.flatMap((lineage) =>
            Array.from({ length: 1 + Math.floor(random() * 2) }, () => {
              const copy = copyAt(toProcess(lineage), lineage)
              lineage.copies.push(copy)
              const path = pick(paths)
              return async () => {
                const { status } = await copy.request('GET', path)
                if (status === 200) lineage.hasSucceeded = true
                else seen.refused += 1
              }
            })
          )
          const endsAll = random() < 0.2
          const at = pick(all)
          const ends = [() => at.app.postern.sessions.revokeAll(id), () => logout(at, { sub: vera.sub })]
          if (endsAll) work.push(pick(ends))
          await runAll(work)
          clock.advance(3)
          const alive = new Set<Lineage>()
          // Of the two processes, the one with the new secret reads all sessions.
          for (const lineage of lineages)
            for (const copy of lineage.copies)
              if (await isAlive(copyAt(isOne ? (all[1] ?? first) : lineage.start, { ...lineage, copies: [copy] })))
                alive.add(lineage)
          seen[alive.size > 0 ? 'stays' : 'nobody'] += 1
          const toNames = (some: Iterable<Lineage>): string => Array.from(some, (lineage) => lineage.name).join()
          const succeeded = lineages.filter(({ hasSucceeded }) => hasSucceeded)
          const about = `round ${round}, ${lineages.length} sessions, ${work.length} requests`
          if (succeeded.some((one) => [...alive].some((other) => other !== one)))
            problems.push(`${about}: ${toNames(succeeded)} succeeded, and ${toNames(alive)} stays`)
          if (succeeded.length > 1) problems.push(`${about}: ${toNames(succeeded)} succeeded`)
          if (endsAll && alive.size > 0) problems.push(`${about}: ${toNames(alive)} outlives the end of all`)
          const isAlone = !endsAll && lineages.length === 1
          if (isAlone && alive.size === 0) problems.push(`${about}: it has ended itself`)
        }
        t.strictSame(problems, [])
        t.ok(Math.min(...Object.values(seen)) > 0, `each happens: ${JSON.stringify(seen)}`)
      }
    )
