import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import { callNumbers, isLong, some } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import type { Started } from '../start.ts'
import {
  alone,
  createFaulty,
  createGate,
  getFactors,
  isLinked,
  link,
  lost,
  type Setting,
  settings,
  settlesLink,
  signsIn,
  someSettings,
  toName
} from './link-faults.ts'
import { answer, beginKnown, beginPending, methodNames, startGated } from './pending-setup.ts'
import {
  addRoutes,
  choose,
  createCutter,
  getCopy,
  logout,
  overlapEverywhere,
  second,
  startOverlap
} from './session-setup.ts'
import { address, begin, idIn, idOf, type Strategy, signIn, vera, withId } from './setup.ts'

// Links and sign-ins that overlap an end of sessions, or two of them.

const people = credentials({ credentials: { name: {} }, authorize: () => ({ id: 'form-vera', email: address }) })
const byForm = (visitor: Browser) => visitor.submit('/api/auth/callback/credentials', { name: 'x' })

/** The calls with which a session ends the others, by strategy: a session that continues afterwards must still be allowed to. */
const endsOthers = ['revoke', 'deleteSessions']

const signOutOthers = async (browser: Browser): Promise<number> =>
  (await browser.request('GET', '/sign-out-others')).status

/** An application, and a user who has signed in with two browsers 10 s ago. */
async function startWithTwo(t: Test, adapter: Adapter, strategy: Strategy) {
  const started = await startOverlap(t, adapter, { session: { strategy } })
  const thief = started.browser
  const own = started.newBrowser()
  await signIn(started, thief, vera)
  const id = (await idOf(started, vera.sub)) ?? ''
  const [listed] = await started.app.postern.sessions.list(id)
  await signIn(started, own, vera)
  started.clock.advance(10)
  return { started, thief, thiefSession: listed?.id ?? '', own, id }
}

/** Before which of its calls of the store the second end stops. */
const places = isLong ? [1, 2, 3, 4, 5, 6, 7, 8] : [4]

const forms = settings.flatMap((setting) =>
  [false, true].slice(0, setting.strategy === 'database' ? 2 : 1).map((isForm) => ({ setting, isForm }))
)

for (const { setting, isForm } of some(forms, ({ setting, isForm }) => [...getFactors(setting), isForm], 1))
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
        })
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

const waitingLinks = settings.flatMap((setting) =>
  endNames.flatMap((end) =>
    waitNames.filter((name) => hasWait(setting, name)).map((where) => ({ setting, end, where }))
  )
)

for (const { setting, end, where } of some(waitingLinks, ({ setting, end, where }) => [
  ...getFactors(setting),
  end,
  where
]))
  t.test(`${toName(setting)}: a link begins within ${end}, and waits ${where}`, async (t: Test) => {
    const { adapter, faults } = createFaulty(choose(memoryAdapter(), setting.hasTransactions))
    const { started, thief, own, id } = await startWithTwo(t, adapter, setting.strategy)
    const { clock } = started
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

const interrupted = settings.flatMap((setting) =>
  (['revokeAll', 'logout'] as const).flatMap((end) =>
    methodNames
      .slice(0, end === 'logout' ? 1 : 3)
      .flatMap((method) => [true, false].map((isEarly) => ({ setting, end, method, isEarly })))
  )
)

for (const { setting, end, method, isEarly } of some(interrupted, ({ setting, end, method, isEarly }) => [
  ...getFactors(setting),
  end,
  method,
  isEarly
]))
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

/** Without transactions, a session that is ended at this call, after the last check, goes on. */
const replaces = { jwt: 'revoke', database: 'deleteSession' } as const

for (const setting of someSettings())
  t.test(`${toName(setting)}: the session that links is ended by its id, at any call`, async (t: Test) => {
    const problems: string[] = []
    for (const index of callNumbers()) {
      const at = index + 1
      if (at >= 60) break
      const cutter = createCutter()
      const options = { session: { strategy: setting.strategy } }
      const started = await startOverlap(t, choose(cutter.adapter, setting.hasTransactions), options)
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
      if ((await idIn(own)) !== id) problems.push(`${at} ${before}: the other session has ended`)
      if (!hasEnded || before === replaces[setting.strategy]) continue
      if ((await idIn(browser)) === id) problems.push(`${at} ${before}: signed in`)
      if (await isLinked(started, id)) problems.push(`${at} ${before}: linked`)
      const left = await app.postern.sessions.list(id)
      if (left.length > 1) problems.push(`${at} ${before}: a session without a browser`)
    }
    t.strictSame(problems, [])
  })

const pendingEnds = settings.flatMap((setting) =>
  (['revokeAll', 'logout', 'revokeOthers'] as const).map((end) => ({ setting, end }))
)

for (const { setting, end } of some(pendingEnds, ({ setting, end }) => [...getFactors(setting), end], 1))
  t.test(`${toName(setting)}: a sign-in that waited before is answered at any call of ${end}`, async (t: Test) => {
    const { calls, problems } = await overlapEverywhere(async (stored) => {
      const started = await startGated(t, {
        session: { strategy: setting.strategy },
        adapter: choose(stored, setting.hasTransactions),
        before: addRoutes
      })
      started.clock.set(new Date())
      const { signedIn, userId, pending } = await beginKnown(t, started, 'provider')
      started.clock.advance(1)
      const run: End = ends[end]
      const check = async (): Promise<string | null> => {
        started.clock.advance(3)
        return (await idIn(pending)) === userId ? 'the sign-in is completed' : null
      }
      return { started, outer: () => run(started, userId, signedIn), inner: () => answer(pending), check }
    })
    t.ok(calls > 3, `${calls} calls`)
    t.strictSame(problems, [])
  })

const failures = settings.flatMap((setting) => (['link', 'sign-in'] as const).map((what) => ({ setting, what })))

for (const { setting, what } of some(failures, ({ setting, what }) => [...getFactors(setting), what]))
  t.test(`${toName(setting)}: revokeAll fails at any call, and a ${what} that waited goes on`, async (t: Test) => {
    const problems: string[] = []
    let isComplete = false
    for (const index of callNumbers()) {
      const at = index + 1
      if (at >= 40 || isComplete) break
      const { adapter, faults } = createFaulty(choose(memoryAdapter(), setting.hasTransactions))
      const started = await startGated(t, { session: { strategy: setting.strategy }, adapter })
      const { clock, app, gate } = started
      clock.set(new Date())
      const { signedIn: thief, userId: id, pending } = await beginKnown(t, started, 'provider')
      gate.isDue = false
      const own = started.newBrowser()
      await signIn(started, own, vera)
      clock.advance(10)
      const waiting = createGate()
      let linking: Promise<unknown> = Promise.resolve()
      if (what === 'link') {
        const { finish } = await begin(started, thief, second, link)
        faults.before = async (name, [key]) => {
          if (waits['before the last check'](name, key)) await waiting.stop()
        }
        linking = finish()
        await waiting.isReached
      }
      clock.advance(1)
      let [calls, last] = [0, '']
      faults.before = async (name) => {
        calls += 1
        last = name
        if (calls >= at) lost()
      }
      await app.postern.sessions.revokeAll(id).then(
        () => {
          isComplete = true
        },
        () => undefined
      )
      faults.before = null
      clock.advance(3)
      const hasEnded = (await idIn(own)) !== id
      waiting.open()
      await linking
      gate.isDue = what === 'sign-in'
      if (gate.isDue) await answer(pending)
      if (hasEnded && (await idIn(pending)) === id) problems.push(`${at} ${last}: the sign-in is completed`)
      gate.isDue = false
      clock.advance(130)
      if (hasEnded && what === 'link' && (await signsIn(started, id)))
        problems.push(`${at} ${last}: the account signs in`)
    }
    t.ok(isComplete, 'it is complete in the end')
    t.strictSame(problems, [])
  })

for (const isWithin of [true, false])
  for (const setting of someSettings())
    t.test(
      `${toName(setting)}: a logout token names a session that links an account, ${isWithin ? 'which is linked within it' : 'at any call'}`,
      async (t: Test) => {
        const { problems } = await overlapEverywhere(async (stored) => {
          const options = { session: { strategy: setting.strategy } }
          const started = await startOverlap(t, choose(stored, setting.hasTransactions), options)
          const { browser, issuer, clock } = started
          issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid: `sid-${claims['sub']}` })
          await signIn(started, browser, vera)
          const id = (await idOf(started, vera.sub)) ?? ''
          clock.advance(1)
          const { finish } = await begin(started, browser, second, link)
          const end = () => logout(started, { sid: `sid-${vera.sub}` })
          const check = async (): Promise<string | null> => {
            clock.advance(3)
            return (await idIn(browser)) === id ? 'the session goes on' : null
          }
          const [outer, inner] = isWithin ? [end, finish] : [finish, end]
          return { started, outer, inner, check }
        })
        t.strictSame(problems, [])
      }
    )

t.test('an adapter that does not say what it deleted: a link creates its session between two ends', async (t: Test) => {
  const chosen = choose(memoryAdapter(), false)
  const deleteSession = async (token: string): Promise<void> => {
    await chosen.deleteSession?.(token)
  }
  const { adapter, faults } = createFaulty({ ...chosen, deleteSession })
  const { started, thief, own, id } = await startWithTwo(t, adapter, 'database')
  const { clock } = started
  const { finish } = await begin(started, thief, second, link)
  const [first, linkGate, endGate] = [createGate(), createGate(), createGate()]
  let [deletions, counts, sessions] = [0, 0, 0]
  faults.before = async (name) => {
    if (name === 'deleteSessions' && ++deletions === 1) await first.stop()
    // The first one gives the session that ends the others a new token.
    if (name === 'createSession' && ++sessions === 2) await linkGate.stop()
    if (name === 'countTry' && ++counts === 2) await endGate.stop()
  }
  const ending = own.request('GET', '/sign-out-others')
  await first.isReached
  const linking = finish()
  await linkGate.isReached
  first.open()
  await endGate.isReached
  linkGate.open()
  await linking
  endGate.open()
  await ending
  clock.advance(3)
  t.not(await idIn(thief), id, 'the thief is signed out')
  t.equal(await idIn(own), id, 'the owner is not')
})

for (const returned of [null, undefined, { count: 0 }])
  t.test(`an adapter whose deleteSession returns ${JSON.stringify(returned)} links accounts`, async (t: Test) => {
    const chosen = choose(memoryAdapter(), false)
    const deleteSession = async (token: string): Promise<unknown> => {
      await chosen.deleteSession?.(token)
      return returned
    }
    const started = await startOverlap(t, { ...chosen, deleteSession }, { session: { strategy: 'database' } })
    const { browser } = started
    await signIn(started, browser, vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    await signIn(started, browser, second, link)
    t.equal(await idIn(browser), id)
    t.ok(await isLinked(started, id))
  })

for (const setting of someSettings())
  t.test(
    `${toName(setting)}: two browsers sign out others at once: the one whose request succeeds is alone`,
    async (t: Test) => {
      const { problems } = await overlapEverywhere(async (stored) => {
        const adapter = choose(stored, setting.hasTransactions)
        const { started, thief, own, id } = await startWithTwo(t, adapter, setting.strategy)
        const { clock } = started
        const succeeded = new Set<Browser>()
        const run = async (browser: Browser): Promise<void> => {
          if ((await signOutOthers(browser)) === 200) succeeded.add(browser)
        }
        const check = async (): Promise<string | null> => {
          clock.advance(3)
          const stays = { thief: (await idIn(thief)) === id, own: (await idIn(own)) === id }
          if (succeeded.size > 1) return 'both succeeded'
          if (stays.thief && stays.own) return 'both are signed in'
          if (succeeded.has(own) && stays.thief) return 'the owner succeeded, and the thief is signed in'
          if (succeeded.has(thief) && stays.own) return 'the thief succeeded, and the owner is signed in'
          return null
        }
        return { started, outer: () => run(thief), inner: () => run(own), check }
      }, endsOthers)
      t.strictSame(problems, [])
    }
  )

for (const setting of someSettings())
  t.test(`${toName(setting)}: a session that signs out others is ended by its id, at any call`, async (t: Test) => {
    const { problems } = await overlapEverywhere(async (stored) => {
      const adapter = choose(stored, setting.hasTransactions)
      const { started, thief, thiefSession, own, id } = await startWithTwo(t, adapter, setting.strategy)
      const { clock, app } = started
      let hasEnded = false
      const inner = async (): Promise<void> => {
        hasEnded = await app.postern.sessions.revoke(thiefSession, id)
      }
      const check = async (): Promise<string | null> => {
        clock.advance(3)
        if (hasEnded && (await idIn(thief)) === id) return 'the session goes on'
        // The owner does not pay for what it has left behind.
        if ((await idIn(own)) !== id) return null
        const status = await signOutOthers(own)
        return status === 200 && (await idIn(own)) === id ? null : `the owner signs out others: ${status}`
      }
      return { started, outer: () => signOutOthers(thief), inner, check }
    }, endsOthers)
    t.strictSame(problems, [])
  })

for (const isLinkFirst of [true, false])
  for (const setting of someSettings())
    t.test(
      `${toName(setting)}: one tab links an account, another signs out others, ${isLinkFirst ? 'within the link' : 'and the link within it'}; then again`,
      async (t: Test) => {
        const { problems } = await overlapEverywhere(async (stored) => {
          const adapter = choose(stored, setting.hasTransactions)
          const { started, thief: phone, own, id } = await startWithTwo(t, adapter, setting.strategy)
          const tab = getCopy(started, own)
          const { finish } = await begin(started, own, second, link)
          const check = async (): Promise<string | null> => {
            started.clock.advance(30)
            const alive = [own, tab, phone]
            for (const browser of alive) {
              if ((await idIn(browser)) !== id) continue
              const status = await signOutOthers(browser)
              return status === 200 ? null : `the next one gets ${status}`
            }
            return null
          }
          const [outer, inner] = isLinkFirst ? [finish, () => signOutOthers(tab)] : [() => signOutOthers(tab), finish]
          return { started, outer, inner, check }
        })
        t.strictSame(problems, [])
      }
    )

/** A session that an issuer knows by `sid-vera`, 10 s old. */
async function startWithSid(t: Test, stored: Adapter, { strategy, hasTransactions }: Setting) {
  const started = await startOverlap(t, choose(stored, hasTransactions), { session: { strategy } })
  started.issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid: `sid-${claims['sub']}` })
  const { browser, clock } = started
  await signIn(started, browser, vera)
  const id = (await idOf(started, vera.sub)) ?? ''
  clock.advance(10)
  return { started, browser, copy: getCopy(started, browser), id }
}

/** Whether a browser or its copy is signed in. */
async function isOneIn(browsers: readonly Browser[], id: string): Promise<boolean> {
  return (await Promise.all(browsers.map(idIn))).includes(id)
}

for (const about of [{ sid: 'sid-vera' }, { sub: vera.sub }, { sub: vera.sub, sid: 'sid-vera' }]) {
  const token = Object.keys(about).join(' and ')
  for (const setting of token === 'sid' ? settings : someSettings())
    t.test(
      `${toName(setting)}: a session signs out others while a logout token names it by ${token}`,
      async (t: Test) => {
        const { problems } = await overlapEverywhere(async (stored) => {
          const { started, browser, id } = await startWithSid(t, stored, setting)
          const check = async (): Promise<string | null> => {
            started.clock.advance(3)
            return (await idIn(browser)) === id ? 'the session goes on' : null
          }
          return { started, outer: () => signOutOthers(browser), inner: () => logout(started, about), check }
        }, endsOthers)
        t.strictSame(problems, [])
      }
    )

  for (const setting of someSettings())
    t.test(
      `${toName(setting)}: a double click on signing out others, and later a logout token with ${token}`,
      async (t: Test) => {
        const { problems } = await overlapEverywhere(async (stored) => {
          const { started, browser, copy, id } = await startWithSid(t, stored, setting)
          const check = async (): Promise<string | null> => {
            started.clock.advance(3)
            if (!(await isOneIn([browser, copy], id))) return 'the session has ended itself'
            await logout(started, about)
            started.clock.advance(3)
            return (await isOneIn([browser, copy], id)) ? 'the session goes on' : null
          }
          return { started, outer: () => signOutOthers(browser), inner: () => signOutOthers(copy), check }
        }, endsOthers)
        t.strictSame(problems, [])
      }
    )
}

for (const end of ['signs out', 'is ended by its id'] as const)
  for (const setting of someSettings())
    t.test(
      `${toName(setting)}: of a double click on signing out others, one is slow, and the session ${end}`,
      async (t: Test) => {
        const { problems } = await overlapEverywhere(async (stored) => {
          const { started, browser, copy, id } = await startWithSid(t, stored, setting)
          let hasEnded = false
          const inner = async (): Promise<void> => {
            hasEnded = (await signOutOthers(browser)) === 200
            const [current] = await started.app.postern.sessions.list(id)
            if (end === 'signs out') await browser.submit('/api/auth/signout', {})
            else await started.app.postern.sessions.revoke(current?.id ?? '', id)
          }
          const check = async (): Promise<string | null> => {
            started.clock.advance(3)
            return hasEnded && (await isOneIn([browser, copy], id)) ? 'it goes on' : null
          }
          return { started, outer: () => signOutOthers(copy), inner, check }
        }, endsOthers)
        t.strictSame(problems, [])
      }
    )

// As PostgreSQL does: a statement that waits for a row does not see the rows of a transaction that is committed meanwhile.
for (const setting of settings.filter(({ strategy }) => strategy === 'database'))
  for (const end of ['revokeAll', 'logout', 'revokeOthers'] as const)
    t.test(
      `${toName(setting)}: ${end} deletes the sessions that it saw before a link was complete`,
      async (t: Test) => {
        const stored = memoryAdapter()
        const gate = createGate()
        let isFirst = true
        const deleteSessions = async (userId: string, except?: string): Promise<void> => {
          const seen = (await stored.listSessions?.(userId)) ?? []
          if (isFirst) {
            isFirst = false
            await gate.stop()
          }
          for (const { sessionToken } of seen) if (sessionToken !== except) await stored.deleteSession?.(sessionToken)
        }
        const adapter = choose({ ...stored, deleteSessions }, setting.hasTransactions)
        const { started, thief, own, id } = await startWithTwo(t, adapter, 'database')
        const { clock } = started
        const { finish } = await begin(started, thief, second, link)
        const run: End = ends[end]
        const ending = run(started, id, own)
        await gate.isReached
        clock.advance(0.01)
        await finish()
        t.equal(await idIn(thief), id, 'the link is complete')
        gate.open()
        await ending
        clock.advance(3)
        t.not(await idIn(thief), id, 'the browser that has linked is signed out')
        if (end === 'revokeOthers') t.equal(await idIn(own), id, 'the other browser is not')
      }
    )
