import { memoryAdapter } from '@postern/adapters/memory'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import type { Started } from '../start.ts'
import {
  alone,
  createFaulty,
  createGate,
  isLinked,
  link,
  type Setting,
  settings,
  settlesLink,
  signsIn,
  toName
} from './link-faults.ts'
import { answer, beginKnown, beginPending, methodNames, startGated } from './pending-setup.ts'
import { choose, createCutter, logout, overlapEverywhere, second, startOverlap } from './session-setup.ts'
import { address, begin, idIn, idOf, signIn, vera, withId } from './setup.ts'

// Links and sign-ins that overlap an end of sessions, or two of them.

const people = credentials({ credentials: { name: {} }, authorize: () => ({ id: 'form-vera', email: address }) })
const byForm = (visitor: Browser) => visitor.submit('/api/auth/callback/credentials', { name: 'x' })

/** Before which of its calls of the store the second end stops. */
const places = isLong ? [1, 2, 3, 4, 5, 6, 7, 8] : [4]

for (const setting of settings)
  for (const isForm of [false, true].slice(0, setting.strategy === 'database' ? 2 : 1))
    t.test(
      `${toName(setting)}: of two ends, the second is slow while a link is confirmed, form ${isForm}`,
      async (t: Test) => {
        for (const place of places) {
          let stops = 0
          const { problems } = await overlapEverywhere(async (stored) => {
            const { adapter, faults } = createFaulty(choose(stored, setting.hasTransactions))
            const options = { session: { strategy: setting.strategy }, people, callbacks: withId } as const
            const started = await startOverlap(t, adapter, options as object)
            const { browser, app, clock } = started
            await signIn(started, browser, vera)
            const id = (await idOf(started, vera.sub)) ?? ''
            clock.advance(100)
            const outer = isForm ? () => byForm(browser) : (await begin(started, browser, second, link)).finish
            const gate = createGate()
            let [isSettled, wasSettled] = [false, false]
            faults.before = async (...call) => {
              if (settlesLink(...call)) isSettled = true
            }
            let slow: Promise<unknown> = Promise.resolve()
            const inner = async (): Promise<void> => {
              // What was settled before is a link of a session that was valid.
              wasSettled = isSettled
              clock.advance(0.01)
              await app.postern.sessions.revokeAll(id)
              clock.advance(3)
              let calls = 0
              faults.before = async () => {
                calls += 1
                if (calls !== place) return
                faults.before = null
                stops += 1
                await gate.stop()
              }
              slow = app.postern.sessions.revokeAll(id)
              await Promise.race([gate.isReached, slow])
              faults.before = null
            }
            const check = async (): Promise<string | null> => {
              gate.open()
              await slow
              clock.advance(3)
              if ((await idIn(browser)) === id) return 'the thief is signed in'
              clock.advance(300)
              const late = started.newBrowser()
              if (isForm) await byForm(late)
              else await signIn(started, late, second, alone)
              return !wasSettled && (await idIn(late)) === id ? 'the account signs in' : null
            }
            return { started, outer, inner, check }
          }, 1)
          t.strictSame(problems, [], `the second end stops before its call ${place}`)
          t.ok(stops > 0, `it stops there, ${stops} times`)
        }
      }
    )

type End = (started: Started, id: string, own: Browser) => Promise<unknown>

/** What ends the sessions of a user. */
const ends = {
  revokeAll: async ({ app }, id) => app.postern.sessions.revokeAll(id),
  logout: async (started) => logout(started, { sub: vera.sub }),
  revokeOthers: async (_started, _id, own) => own.request('GET', '/sign-out-others'),
  'suspend and resume': async ({ app }, id) => {
    await app.postern.users.suspend(id)
    await app.postern.users.resume(id)
  }
} as const satisfies Readonly<Record<string, End>>

const endNames = Object.keys(ends) as readonly (keyof typeof ends)[]

/** The calls that end sessions in the store. */
const enders: ReadonlySet<string> = new Set(['deleteSessions', 'revoke', 'deleteSession'])

/** Where a link waits: before its session is created, or before it reads whether the sessions have ended meanwhile. */
const waits = {
  'before its session is created': (name) => name === 'createSession' || name === 'putSessionRecord',
  'before the last check': (name, key) => name === 'readTicket' && Object(key).kind === 'ended-sessions'
} as const satisfies Readonly<Record<string, (name: string, key: unknown) => boolean>>

const waitNames = Object.keys(waits) as readonly (keyof typeof waits)[]

/** Whether a link makes the call: a transaction creates its session and writes the account at once. */
const hasWait = ({ strategy, hasTransactions }: Setting, where: keyof typeof waits): boolean =>
  where === 'before the last check' || strategy === 'jwt' || !hasTransactions

for (const setting of settings)
  for (const end of endNames)
    for (const where of waitNames.filter((name) => hasWait(setting, name)))
      t.test(`${toName(setting)}: a link begins within ${end}, and waits ${where}`, async (t: Test) => {
        const { adapter, faults } = createFaulty(choose(memoryAdapter(), setting.hasTransactions))
        const started = await startOverlap(t, adapter, { session: { strategy: setting.strategy } })
        const { browser: thief, clock } = started
        await signIn(started, thief, vera)
        const own = started.newBrowser()
        await signIn(started, own, vera)
        const id = (await idOf(started, vera.sub)) ?? ''
        clock.advance(10)
        const { finish } = await begin(started, thief, second, link)
        const [endGate, linkGate] = [createGate(), createGate()]
        const reached = { end: false, link: false }
        faults.before = async (name) => {
          if (reached.end || !enders.has(name)) return
          reached.end = true
          await endGate.stop()
        }
        const ending = ends[end](started, id, own)
        await Promise.race([endGate.isReached, ending])
        t.ok(reached.end, 'it has ended no session')
        clock.advance(0.01)
        faults.before = async (name, [key]) => {
          if (reached.link || !waits[where](name, key)) return
          reached.link = true
          await linkGate.stop()
        }
        const linking = finish()
        await Promise.race([linkGate.isReached, linking])
        // A suspension refuses the link before.
        t.equal(reached.link, end !== 'suspend and resume', 'the link waits')
        endGate.open()
        await ending
        clock.advance(2)
        linkGate.open()
        await linking
        faults.before = null
        clock.advance(5)
        t.not(await idIn(thief), id, 'the browser that links is signed out')
        t.notOk(await isLinked(started, id), 'the account is not linked')
        if (end === 'revokeOthers') t.equal(await idIn(own), id, 'the other browser is not')
        clock.advance(130)
        t.notOk(await signsIn(started, id), 'the account does not sign in later')
      })

for (const setting of settings)
  for (const end of ['revokeAll', 'logout'] as const)
    for (const method of methodNames.slice(0, end === 'logout' ? 1 : 3))
      for (const isEarly of [true, false])
        t.test(
          `${toName(setting)}: a sign-in by ${method} is interrupted within ${end}, and answered ${isEarly ? 'within it' : 'later'}`,
          async (t: Test) => {
            const { adapter, faults } = createFaulty(choose(memoryAdapter(), setting.hasTransactions))
            const started = await startGated(t, { session: { strategy: setting.strategy }, adapter })
            const { clock } = started
            clock.set(new Date())
            const { signedIn, userId } = await beginKnown(t, started, method)
            clock.advance(10)
            const [endGate, deletion] = [createGate(), createGate()]
            let isReached = false
            faults.before = async (name) => {
              if (isReached || !enders.has(name)) return
              isReached = true
              await endGate.stop()
            }
            const run: End = ends[end]
            const ending = run(started, userId, signedIn)
            await Promise.race([endGate.isReached, ending])
            t.ok(isReached, 'it has ended no session')
            clock.advance(0.01)
            const late = await beginPending(t, started, method)
            faults.before = async (name, [, kind]) => {
              if (isEarly && name === 'deleteTickets' && kind === 'pending-sign-in') await deletion.stop()
            }
            endGate.open()
            await Promise.race([deletion.isReached, ending])
            faults.before = null
            clock.advance(0.01)
            await answer(late)
            deletion.open()
            await ending
            clock.advance(5)
            t.equal(await idIn(late), null, 'it is not completed')
          }
        )

// With JWT sessions, the link may have replaced the session just before it was ended.
for (const hasTransactions of [true, false])
  t.test(
    `${toName({ strategy: 'database', hasTransactions })}: the session that links is ended by its id, at any call`,
    async (t: Test) => {
      const problems: string[] = []
      for (let at = 1; at < 60; at++) {
        const cutter = createCutter()
        const options = { session: { strategy: 'database' } } as const
        const started = await startOverlap(t, choose(cutter.adapter, hasTransactions), options)
        const { browser, clock, app } = started
        await signIn(started, browser, vera)
        const id = (await idOf(started, vera.sub)) ?? ''
        const [listed] = await app.postern.sessions.list(id)
        const own = started.newBrowser()
        await signIn(started, own, vera)
        clock.advance(10)
        const { finish } = await begin(started, browser, second, link)
        let hasEnded = false
        const revoke = async (): Promise<void> => {
          hasEnded = await app.postern.sessions.revoke(listed?.id ?? '', id)
        }
        cutter.arm(at, revoke, () => clock.advance(0.002))
        await finish().catch(() => undefined)
        const { before } = await cutter.finish()
        if (before === null) break
        clock.advance(3)
        if (hasEnded && (await idIn(browser)) === id) problems.push(`${at} ${before}: signed in`)
        if (hasEnded && (await isLinked(started, id))) problems.push(`${at} ${before}: linked`)
        if ((await idIn(own)) !== id) problems.push(`${at} ${before}: the other session has ended`)
      }
      t.strictSame(problems, [])
    }
  )
