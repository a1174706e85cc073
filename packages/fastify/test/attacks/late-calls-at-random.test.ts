import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { signInByMail } from '../start.ts'
import { email, stranger } from './first-sign-ins.ts'
import { lost } from './link-faults.ts'
import { createNumbers, createSchedule, type Random } from './schedule.ts'
import { choose, startOverlap } from './session-setup.ts'
import { begin, idIn, type Strategy, signIn, strategies } from './setup.ts'

// A stranger signs in, connects and disconnects accounts in random orders, while calls of the store time out and take effect later.
// Then the owner of the address claims the user, and the rest of the calls take effect: the stranger is out.

const other = { ...stranger, sub: 'other' }
const loose = { provider: 'loose' } as const

const pick = <T>(random: Random, first: T, ...others: readonly T[]): T =>
  others[Math.floor(random() * (others.length + 1)) - 1] ?? first

const isRead = (name: string): boolean => /^(get|read|list)/.test(name)

/** The calls that may be late: those that connect accounts, and those of markers. */
const mayBeLate = (name: string, [first]: readonly unknown[]): boolean =>
  name === 'linkAccount' ||
  (['createTicket', 'consumeTicket'].includes(name) &&
    /^(unsettled|removed|claim|pending-claim|first|approved)/.test(String(Object(first).kind)))

/** How many calls of a round are late. */
const maxLate = 3

/** An adapter of which some calls time out, and take effect later or not at all. */
function createLate(inner: Adapter, random: Random) {
  const late: (() => Promise<unknown>)[] = []
  const state = { isFaulty: false }
  let count = 0
  /** Late calls take effect: some of them meanwhile, all of them at the end. */
  const takeEffect = async (chance: number): Promise<void> => {
    for (const call of late.splice(0)) {
      if (random() < chance) await call().catch(() => undefined)
      else late.push(call)
    }
  }
  const wrap = (name: string, method: unknown) => {
    if (typeof method !== 'function' || name === 'close') return method
    return async (...args: readonly unknown[]): Promise<unknown> => {
      const call = (given: readonly unknown[]): Promise<unknown> => Reflect.apply(method, inner, given)
      if (!state.isFaulty || isRead(name)) return call(args)
      await takeEffect(0.01)
      if (!mayBeLate(name, args)) return call(args)
      if (count < maxLate && random() < (name === 'linkAccount' ? 0.3 : 0.05)) {
        count += 1
        const copy = structuredClone(args)
        late.push(() => call(copy))
        lost()
      }
      const result = await call(args)
      if (random() < 0.02) lost()
      return result
    }
  }
  const adapter: Adapter = Object.fromEntries(Object.entries(inner).map(([name, method]) => [name, wrap(name, method)]))
  return { adapter, state, takeEffect: () => takeEffect(1) }
}

/** @returns What the stranger can do afterwards, although the owner has claimed the user. */
async function runRound(t: Test, seed: number, strategy: Strategy): Promise<readonly string[]> {
  const random = createNumbers(seed)
  const memory = memoryAdapter()
  const { adapter: late, state, takeEffect } = createLate(memory, random)
  const { adapter, runAll } = createSchedule(late, random)
  const chosen = choose(adapter, false)
  const { createUserWithAccount: _, ...plain } = chosen
  const started = await startOverlap(t, random() < 0.3 ? chosen : plain, { session: { strategy } })
  const getId = async (): Promise<string> => (await memory.getUserByEmail(email))?.id ?? ''
  const [first, second, third, own] = [1, 2, 3, 4].map(() => started.newBrowser())
  if (!first || !second || !third || !own) throw new Error('expected four browsers')
  const strangers = [first, second, third] as const
  const advance = () => started.clock.advance(pick(random, 1, 5, 40, 125, 125, 200))

  const start = await begin(started, first, stranger)
  const works: (() => Promise<unknown>)[] = []
  if (random() < 0.7) await start.finish()
  else works.push(start.finish)
  const prepare = async (): Promise<() => Promise<unknown>> => {
    const browser = pick(random, ...strangers)
    const kind = pick(random, 'in', 'in', 'connect', 'connect other', 'connect other', 'disconnect', 'end', 'mail')
    const id = await getId()
    if (kind === 'in') return (await begin(started, browser, stranger)).finish
    if (kind === 'end') return () => started.app.postern.sessions.revokeAll(id)
    if (kind === 'mail') return () => signInByMail(started, own, email)
    if (kind === 'disconnect') {
      const key = pick(random, ['demo', 'stranger'] as const, ['loose', 'other'] as const)
      return () => started.app.postern.unlink(id, { provider: key[0], providerAccountId: key[1] })
    }
    if (random() < 0.8) await signIn(started, browser, stranger)
    const isOther = kind === 'connect other'
    const how = { link: 'true', ...(isOther ? loose : {}) }
    return (await begin(started, browser, isOther ? other : stranger, how)).finish
  }
  for (let phase = 0; phase < 5; phase++) {
    for (let count = 0; count < 2; count++) works.push(await prepare())
    state.isFaulty = true
    await runAll(works.splice(0))
    state.isFaulty = false
    advance()
  }

  for (let attempt = 0; attempt < 3 && (await idIn(own)) === null; attempt++) await signInByMail(started, own, email)
  const id = await idIn(own)
  const problems = id === null ? ['the owner cannot sign in'] : []
  const check = async (when: string): Promise<void> => {
    for (const browser of strangers) if ((await idIn(browser)) === id) problems.push(`${when}: a session`)
    for (const [person, how] of [
      [stranger, {}],
      [other, loose]
    ] as const) {
      const browser = started.newBrowser()
      await signIn(started, browser, person, how)
      if ((await idIn(browser)) === id) problems.push(`${when}: ${person.sub}`)
    }
  }
  await check('after the claim')
  advance()
  await takeEffect()
  await check('after the late calls')
  started.clock.advance(130)
  await check('minutes later')
  if ((await idIn(own)) !== id) await signInByMail(started, own, email)
  if ((await idIn(own)) !== id) problems.push('the owner is out')
  return problems.map((problem) => `seed ${seed}: ${problem}`)
}

for (const strategy of strategies)
  t.test(`${strategy}: calls of a stranger take effect late, in random orders`, async (t) => {
    t.setTimeout(0)
    for (let seed = 1; seed <= times(4, 600); seed++) t.strictSame(await runRound(t, seed, strategy), [])
  })
