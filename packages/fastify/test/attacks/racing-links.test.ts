import { memoryAdapter } from '@postern/adapters/memory'
import { postgresAdapter } from '@postern/adapters/postgres'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import { callNumbers, inTurn, isLong, some, times, turnsOf } from '@postern/testkit/long'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createTestDatabase } from '../databases.ts'
import {
  abandonLink,
  alone,
  createFaulty,
  createGate,
  createListener,
  getFactors,
  isLinked,
  link,
  lost,
  prepare,
  requireLinkable,
  settings,
  settlesLink,
  signsIn,
  someSettings,
  toName
} from './link-faults.ts'
import { choose, getCopy, overlapEverywhere, second, startOverlap, third } from './session-setup.ts'
import { accountsOf, address, begin, idIn, idOf, signIn, vera, withId } from './setup.ts'

// Requests that overlap a link, or the removal of one that was never confirmed.

/** In `npm test` a test has one setting, and the next one another; in the long run each has all. */
const turns = turnsOf(settings, t)
const oneSetting = inTurn(settings)
const plainTurns = turnsOf(
  settings.filter(({ hasTransactions }) => !hasTransactions),
  t
)
const databaseTurns = turnsOf(
  settings.filter(({ strategy }) => strategy === 'database'),
  t
)

const own = { sub: 'vera-loose', name: 'Vera', email: address, email_verified: true }
const people = credentials({ credentials: { name: {} }, authorize: () => ({ id: 'form-vera', email: address }) })
const byForm = (visitor: Browser) => visitor.submit('/api/auth/callback/credentials', { name: 'x' })

/** Whether a call reads the markers of a sign-in. */
const readsMarkers = (name: string, [keys]: readonly unknown[]): boolean =>
  name === 'readTickets' && JSON.stringify(keys).includes('removed-link')

for (const { value: setting, test } of turns()) {
  for (const place of [1, 2])
    test(`${toName(setting)}: of two sign-ins at once after an abandoned link, none gets in, ${place}`, async (t: Test) => {
      const prepared = await prepare(t, setting)
      const { started, faults, id, browser } = prepared
      await abandonLink(prepared, (await begin(started, browser, second, link)).finish)
      t.ok(await isLinked(started, id), 'the account is there')
      const [early, late] = [started.newBrowser(), started.newBrowser()]
      const one = await begin(started, early, second, alone)
      const other = await begin(started, late, second, alone)
      const gate = createGate()
      let reads = 0
      faults.before = async (name, args) => {
        if (!readsMarkers(name, args)) return
        reads += 1
        if (reads === place) await gate.stop()
      }
      const waiting = one.finish()
      await Promise.race([gate.isReached, waiting])
      await other.finish()
      t.notOk(await isLinked(started, id), 'the second one removes the account')
      gate.open()
      await waiting
      t.not(await idIn(early), id, 'the first one does not get in')
      t.not(await idIn(late), id, 'nor the second')
      await requireLinkable(t, started, id)
    })

  for (const how of ['invitation', 'address'] as const)
    test(`${toName(setting)}: a link that failed long ago does not undo a join by ${how}`, async (t: Test) => {
      const loose = { allowDangerousEmailAccountLinking: how === 'address', verifiesEmail: true }
      const { started, faults, id, browser } = await prepare(t, setting, { loose } as object)
      const { finish } = await begin(started, browser, own, link)
      // The store fails after the marker, or after the account, which the application then removes.
      if (setting.hasTransactions)
        faults.after = async (name) => {
          if (name === 'transact') faults.before = async () => lost()
        }
      else
        faults.before = async (name) => {
          if (name === 'linkAccount') lost()
        }
      await finish().catch(() => undefined)
      faults.before = null
      faults.after = null
      if (setting.hasTransactions)
        await started.app.postern.unlink(id, { provider: 'loose', providerAccountId: own.sub })
      t.strictSame(await accountsOf(started, id), ['demo vera'], 'nothing is linked')
      started.clock.advance(86_400 * 30)
      if (how === 'invitation') {
        await started.adapter?.updateUser?.({ id, emailVerified: null })
        await started.app.postern.invite(id, { expiresIn: 3600 })
      }
      for (const seconds of [0, 86_400, 130]) {
        started.clock.advance(seconds)
        const owner = started.newBrowser()
        await signIn(started, owner, own, alone)
        t.equal(await idIn(owner), id, `the owner signs in, after ${seconds} s`)
      }
    })

  test(`${toName(setting)}: an abandoned link does not sign in after years`, async (t: Test) => {
    const prepared = await prepare(t, setting)
    const { started, id, browser } = prepared
    await abandonLink(prepared, (await begin(started, browser, second, link)).finish)
    started.clock.advance(86_400 * 800)
    t.notOk(await signsIn(started, id))
  })
}

for (const setting of oneSetting())
  t.test(`${toName(setting)}: PostgreSQL, 12 sign-ins at once after an abandoned link`, async (t: Test) => {
    const stored = postgresAdapter({ url: (await createTestDatabase(t)).url() })
    t.teardown(() => stored.close?.())
    for (let round = 0; round < times(3, 40); round++) {
      for (const sub of ['demo vera', 'loose two']) {
        const [provider = '', providerAccountId = ''] = sub.split(' ')
        const user = await stored.getUserByAccount?.({ provider, providerAccountId })
        if (user) await stored.deleteUser?.(user.id)
      }
      const prepared = await prepare(t, setting, {}, stored)
      const { started, id, browser } = prepared
      await abandonLink(prepared, (await begin(started, browser, second, link)).finish)
      const browsers = Array.from({ length: 12 }, () => started.newBrowser())
      const begun = await Promise.all(browsers.map((one) => begin(started, one, second, alone)))
      await Promise.all(begun.map(({ finish }) => finish()))
      for (const one of browsers) t.not(await idIn(one), id)
    }
  })

for (const how of ['fails', 'is lost'] as const)
  for (const setting of someSettings())
    t.test(`${toName(setting)}: a call ${how} while an abandoned account is removed`, async (t: Test) => {
      const problems: string[] = []
      for (const index of callNumbers()) {
        const at = index + 1
        if (at >= 60) break
        const prepared = await prepare(t, setting)
        const { started, faults, id, browser } = prepared
        await abandonLink(prepared, (await begin(started, browser, second, link)).finish)
        const early = started.newBrowser()
        const { finish } = await begin(started, early, second, alone)
        let [calls, hit] = [0, '']
        faults[how === 'fails' ? 'before' : 'after'] = async (name) => {
          calls += 1
          if (calls !== at) return
          hit = name
          lost()
        }
        await finish().catch(() => undefined)
        faults.before = null
        faults.after = null
        if (hit === '') break
        if ((await idIn(early)) === id) problems.push(`${at} ${hit}: in`)
        for (const seconds of [0, 130, 130, 86_400]) {
          started.clock.advance(seconds)
          if (await signsIn(started, id)) problems.push(`${at} ${hit}: in after ${seconds} s`)
        }
        await requireLinkable(t, started, id)
      }
      t.strictSame(problems, [])
    })

const two = { provider: 'loose', providerAccountId: 'two' }

for (const { value: setting, test } of turns()) {
  for (const how of ['create', 'link'] as const)
    test(`${toName(setting)}: a link that is taken back leaves the account to another user, ${how}`, async (t: Test) => {
      const { events, listen } = createListener()
      const { started, id, browser } = await prepare(t, setting, { events })
      const { finish } = await begin(started, browser, second, link)
      const other = started.newBrowser()
      let owner: string | null = null
      listen(async () => {
        started.clock.advance(3)
        await started.app.postern.unlink(id, two)
        started.clock.advance(3)
        if (how === 'link') await signIn(started, other, third)
        await signIn(started, other, second, how === 'link' ? link : alone)
        owner = await idOf(started, 'two', 'loose')
        t.equal(await idIn(other), owner, 'another user has the account')
        t.not(owner, id)
        started.clock.advance(3)
      })
      await finish()
      started.clock.advance(130)
      const late = started.newBrowser()
      await signIn(started, late, second, alone)
      t.ok(owner)
      t.equal(await idIn(late), owner, 'the other user signs in')
    })

  test(`${toName(setting)}: a slow sign-in with an abandoned link leaves the account to another user`, async (t: Test) => {
    const gate = createGate()
    let isSlow = false
    const pause = async (): Promise<boolean> => {
      if (isSlow) {
        isSlow = false
        await gate.stop()
      }
      return true
    }
    const prepared = await prepare(t, setting, { callbacks: { ...withId, signIn: pause } })
    const { started, id, browser } = prepared
    await abandonLink(prepared, (await begin(started, browser, second, link)).finish)
    const slow = started.newBrowser()
    const { finish } = await begin(started, slow, second, alone)
    isSlow = true
    const waiting = finish()
    await gate.isReached
    t.notOk(await signsIn(started, id), 'another sign-in removes the account')
    t.notOk(await signsIn(started, id), 'and the next creates a user')
    const owner = await idOf(started, 'two', 'loose')
    gate.open()
    await waiting
    t.not(await idIn(slow), id)
    const late = started.newBrowser()
    await signIn(started, late, second, alone)
    t.ok(owner)
    t.equal(await idIn(late), owner, 'the other user signs in')
  })
}

const forms = settings.flatMap((setting) =>
  [false, true].slice(0, setting.strategy === 'database' ? 2 : 1).map((isForm) => ({ setting, isForm }))
)

const someForms = some(forms, ({ setting, isForm }) => [...getFactors(setting), isForm], 1)

for (const { setting, isForm } of someForms)
  t.test(
    `${toName(setting)}: a sign-in while an account is connected again does not remove it, form ${isForm}`,
    async (t: Test) => {
      const { events, listen } = createListener()
      const prepared = await prepare(t, setting, { events, ...(isForm ? { people } : {}) } as object)
      const { started, id, browser } = prepared
      const sign = async (visitor: Browser, isLink: boolean) =>
        isForm ? byForm(visitor) : signIn(started, visitor, second, isLink ? link : alone)
      await abandonLink(prepared, isForm ? () => byForm(browser) : (await begin(started, browser, second, link)).finish)
      await sign(started.newBrowser(), false)
      t.strictSame(await accountsOf(started, id), ['demo vera'], 'the account is removed')
      const owner = started.newBrowser()
      await signIn(started, owner, vera)
      listen(async () => {
        started.clock.advance(1)
        await sign(started.newBrowser(), false)
        started.clock.advance(1)
      })
      const { location } = await sign(owner, true)
      t.notMatch(location, 'error=')
      t.equal((await accountsOf(started, id)).length, 2, 'the account is linked')
      t.equal(await idIn(owner), id)
    }
  )

// Without transactions, a process that ends between its marker and its first read leaves the marker.
const failedReads = settings.flatMap((setting) =>
  (['is lost', 'fails for ever'] as const).slice(0, setting.hasTransactions ? 2 : 1).map((how) => ({ setting, how }))
)

for (const { setting, how } of some(failedReads, ({ setting, how }) => [...getFactors(setting), how], 1))
  t.test(`${toName(setting)}: a confirmed link stays although a read of another tab ${how}`, async (t: Test) => {
    const { started, faults, id, browser } = await prepare(t, setting)
    const tab = getCopy(started, browser)
    const one = await begin(started, browser, second, link)
    const other = await begin(started, tab, second, link)
    faults.before = async (name, [keys]) => {
      if (name !== 'readTickets' || !JSON.stringify(keys).includes('unsettled-link')) return
      faults.before = null
      await one.finish()
      t.ok(await signsIn(started, id), 'the link is confirmed')
      faults.after = async (after) => {
        if (after !== 'createTicket' && after !== 'transact') return
        faults.after = null
        faults.before = async () => {
          if (how === 'is lost') faults.before = null
          lost()
        }
      }
    }
    await other.finish().catch(() => undefined)
    faults.before = null
    faults.after = null
    started.clock.advance(86_400)
    t.ok(await signsIn(started, id), 'the owner signs in')
    t.ok(await isLinked(started, id), 'the link stays')
  })

for (const { value: setting, test } of databaseTurns())
  for (const place of ['readTickets', 'createSession'])
    test(`${toName(setting)}: an account of a form is disconnected while it signs in, at ${place}`, async (t: Test) => {
      const { started, faults, id, browser } = await prepare(t, setting, { people } as object)
      await byForm(browser)
      t.ok((await accountsOf(started, id)).includes('credentials form-vera'))
      started.clock.advance(200)
      const late = started.newBrowser()
      await late.open('/api/auth/signin')
      faults.before = async (name) => {
        if (name !== place) return
        faults.before = null
        started.clock.advance(0.01)
        await started.app.postern.unlink(id, { provider: 'credentials', providerAccountId: 'form-vera' })
        started.clock.advance(0.01)
      }
      await byForm(late)
      t.equal(faults.before, null, 'the account is disconnected')
      started.clock.advance(3)
      t.strictSame(await accountsOf(started, id), ['demo vera'])
      t.not(await idIn(late), id, 'not in')
    })

// An adapter without readTickets reads one marker after another.
for (const { value: setting, test } of plainTurns())
  test(`${toName(setting)}: without readTickets, a link is taken back while its markers are read`, async (t: Test) => {
    const { readTickets: _, ...stored } = memoryAdapter()
    const { events, listen } = createListener()
    const { started, faults, id, endAll, browser } = await prepare(t, setting, { events }, stored)
    const linking = await begin(started, browser, second, link)
    const thief = started.newBrowser()
    const late = await begin(started, thief, second, alone)
    const written = createGate()
    listen(written.stop)
    let linked: Promise<unknown> = Promise.resolve()
    const waited = new Set<string>()
    let hasEnded = false
    faults.before = async (name, [key]) => {
      const { kind = '' } = Object(key)
      if (name.startsWith('createUser') && !waited.has(name)) {
        waited.add(name)
        linked = linking.finish()
        await Promise.race([written.isReached, linked])
        await endAll()
        hasEnded = true
      } else if (hasEnded && name === 'readTicket' && kind.startsWith('unsettled-link') && !waited.has(kind)) {
        waited.add(kind)
        for (let turns = 0; turns < 30; turns++) await new Promise((resolve) => setImmediate(resolve))
        written.open()
        await linked
      }
    }
    await late.finish()
    faults.before = null
    started.clock.advance(3)
    t.not(await idIn(browser), id)
    t.not(await idIn(thief), id, 'the thief does not get in')
  })

// Clocks of two processes, and reads that fail.
for (const { setting, isForm } of someForms)
  t.test(
    `${toName(setting)}: a process whose clock is slow ends the sessions during a link, form ${isForm}`,
    async (t: Test) => {
      const { problems } = await overlapEverywhere(async (stored) => {
        const options = { session: { strategy: setting.strategy }, people, callbacks: withId } as const
        const { adapter, faults } = createFaulty(choose(stored, setting.hasTransactions))
        const started = await startOverlap(t, adapter, options as object)
        const { browser, app } = started
        await signIn(started, browser, vera)
        const id = (await idOf(started, vera.sub)) ?? ''
        started.clock.advance(100)
        const run = isForm ? () => byForm(browser) : (await begin(started, browser, second, link)).finish
        let [isSettled, wasSettled] = [false, false]
        faults.before = async (...call) => {
          if (settlesLink(...call)) isSettled = true
        }
        const inner = async (): Promise<void> => {
          // What was settled before is a link of a session that was valid.
          wasSettled = isSettled
          started.clock.advance(-5)
          await app.postern.sessions.revokeAll(id)
          started.clock.advance(5.002)
        }
        const check = async () => {
          if ((await idIn(browser)) === id) return 'the thief is signed in'
          started.clock.advance(300)
          const late = started.newBrowser()
          if (isForm) await byForm(late)
          else await signIn(started, late, second, alone)
          return !wasSettled && (await idIn(late)) === id ? 'the account signs in' : null
        }
        return { started, outer: run, inner, check }
      })
      t.strictSame(problems, [])
    }
  )

for (const { value: setting, test } of turns()) {
  test(`${toName(setting)}: a failed read does not remove the account of another user`, async (t: Test) => {
    const { events, listen } = createListener()
    const { started, faults, id, browser } = await prepare(t, setting, { events })
    const { finish } = await begin(started, browser, second, link)
    let owner: string | null = null
    listen(async () => {
      started.clock.advance(3)
      await started.app.postern.unlink(id, two)
      started.clock.advance(3)
      await signIn(started, started.newBrowser(), second, alone)
      owner = await idOf(started, 'two', 'loose')
      started.clock.advance(3)
      faults.before = async (name) => {
        if (name !== 'getUserByAccount') return
        faults.before = null
        lost()
      }
    })
    await finish().catch(() => undefined)
    faults.before = null
    t.ok(owner)
    t.not(owner, id)
    t.equal(await idOf(started, 'two', 'loose'), owner)
  })

  test(`${toName(setting)}: a sign-in that waits before it removes an account leaves one that was connected again`, async (t: Test) => {
    const prepared = await prepare(t, setting)
    const { started, faults, id, browser } = prepared
    await abandonLink(prepared, (await begin(started, browser, second, link)).finish)
    const { finish } = await begin(started, started.newBrowser(), second, alone)
    const gate = createGate()
    let hasRead = false
    faults.before = async (name, args) => {
      if (readsMarkers(name, args)) hasRead = true
      else if (hasRead && name === 'getUserByAccount') {
        faults.before = null
        await gate.stop()
      }
    }
    const waiting = finish()
    await Promise.race([gate.isReached, waiting])
    t.notOk(await signsIn(started, id), 'another sign-in removes it')
    const own = started.newBrowser()
    await signIn(started, own, vera)
    await signIn(started, own, second, link)
    t.ok(await signsIn(started, id), 'the owner connects it')
    gate.open()
    await waiting
    t.ok(await isLinked(started, id), 'it stays')
  })

  test(`${toName(setting)}: a link of a clock that was a day ahead does not keep the owner out`, async (t: Test) => {
    const prepared = await prepare(t, setting)
    const { started, faults, id } = prepared
    started.clock.advance(86_400)
    const browser = started.newBrowser()
    await signIn(started, browser, vera)
    const { finish } = await begin(started, browser, second, link)
    faults.after = async (name) => {
      if (name !== 'transact' && name !== 'linkAccount') return
      faults.after = null
      faults.before = async () => lost()
    }
    await finish().catch(() => undefined)
    faults.before = null
    started.clock.advance(300 - 86_400)
    await signIn(started, started.newBrowser(), second, alone)
    t.notOk(await isLinked(started, id), 'the first sign-in removes the account')
    await requireLinkable(t, started, id)
  })
}

for (const { value: setting, test } of databaseTurns())
  for (const [skew, sessions] of [
    [-29, 'end'],
    [0, 'keep']
  ] as const)
    test(`${toName(setting)}: a form signs in while its account is disconnected, clock ${skew} s, sessions ${sessions}`, async (t: Test) => {
      const { problems } = await overlapEverywhere(async (adapter) => {
        const options = { session: { strategy: 'database' }, people, callbacks: withId } as const
        const started = await startOverlap(t, choose(adapter, setting.hasTransactions), options as object)
        await signIn(started, started.browser, vera)
        const id = (await idOf(started, vera.sub)) ?? ''
        started.clock.advance(1)
        await byForm(started.browser)
        started.clock.advance(200)
        const late = started.newBrowser()
        await late.open('/api/auth/signin')
        let hadSession = false
        const inner = async (): Promise<void> => {
          const listed = await started.app.postern.sessions.list(id)
          hadSession = listed.length > 1
          started.clock.advance(skew)
          const key = { provider: 'credentials', providerAccountId: 'form-vera' }
          await started.app.postern.unlink(id, key, { sessions })
          started.clock.advance(-skew)
        }
        const isKept = (): boolean => sessions === 'keep' && hadSession
        const check = async () => ((await idIn(late)) === id && !isKept() ? 'signed in' : null)
        return { started, outer: () => byForm(late), inner, check }
      })
      t.strictSame(problems, [])
    })

t.test('an interrupted first sign-in by a form continues beside a link that was never confirmed', async (t: Test) => {
  const { createUserWithAccount: _, ...stored } = memoryAdapter()
  const options = {
    people,
    callbacks: withId,
    before: (app: FastifyInstance) =>
      app.after(() =>
        app.get<{ Params: { id: string } }>('/in/:id', async (request, reply) => {
          await app.postern.signIn(request, reply, request.params.id, {})
          return {}
        })
      )
  }
  const setting = { strategy: 'database', hasTransactions: false } as const
  const { started, faults, id } = await prepare(t, setting, options as object, stored)
  await started.adapter?.deleteUser?.(id)
  faults.before = async (name) => {
    if (name === 'linkAccount' || name === 'deleteUser') lost()
  }
  await byForm(started.newBrowser())
  faults.before = null
  const user = (await started.adapter?.getUserByEmail?.(address))?.id ?? ''
  t.strictSame(await accountsOf(started, user), [], 'the user has no account')
  started.clock.advance(130)
  const own = started.newBrowser()
  await own.open(`/in/${user}`)
  t.equal(await idIn(own), user)
  faults.before = async (name) => {
    if (name === 'linkAccount') lost()
  }
  await byForm(own)
  faults.before = null
  started.clock.advance(300)
  for (const seconds of [0, 130, 130]) {
    started.clock.advance(seconds)
    const late = started.newBrowser()
    await byForm(late)
    t.equal(await idIn(late), user, `the form signs in after ${seconds} s`)
  }
})

for (const { value: setting, test } of plainTurns())
  for (const isLost of [true, false])
    test(`${toName(setting)}: a slow link beside another one is written after the sessions ended, lost ${isLost}`, async (t: Test) => {
      const { started, faults, id, endAll, browser } = await prepare(t, setting)
      const slow = await begin(started, getCopy(started, browser), second, link)
      const other = await begin(started, browser, second, link)
      const gate = createGate()
      faults.before = async (name) => {
        if (name !== 'linkAccount') return
        faults.before = null
        await gate.stop()
      }
      const waiting = slow.finish()
      await gate.isReached
      await other.finish()
      started.clock.advance(3)
      const unlink = started.app.postern.unlink(id, { provider: 'loose', providerAccountId: 'two' })
      await unlink.catch(() => undefined)
      await endAll()
      if (isLost)
        faults.after = async (name) => {
          if (name !== 'linkAccount') return
          faults.before = async () => lost()
          lost()
        }
      gate.open()
      await waiting.catch(() => undefined)
      faults.before = null
      faults.after = null
      for (const seconds of [0, 130, 130]) {
        started.clock.advance(seconds)
        t.notOk(await signsIn(started, id), `not after ${seconds} s`)
      }
      t.notOk(await isLinked(started, id), 'the account is removed')
    })

t.test('a slow link of a form beside another one is written after the sessions ended', async (t: Test) => {
  const setting = { strategy: 'database', hasTransactions: false } as const
  const { started, faults, id, endAll, browser } = await prepare(t, setting, { people, callbacks: withId } as object)
  const tab = getCopy(started, browser)
  const gate = createGate()
  faults.before = async (name) => {
    if (name !== 'linkAccount') return
    faults.before = null
    await gate.stop()
  }
  const waiting = byForm(tab)
  await gate.isReached
  await byForm(browser)
  started.clock.advance(3)
  await started.app.postern
    .unlink(id, { provider: 'credentials', providerAccountId: 'form-vera' })
    .catch(() => undefined)
  await endAll()
  gate.open()
  await waiting
  for (const seconds of [0, 130, 130]) {
    started.clock.advance(seconds)
    const late = started.newBrowser()
    await byForm(late)
    t.not(await idIn(late), id, `not after ${seconds} s`)
  }
  t.strictSame(await accountsOf(started, id), ['demo vera'])
})

for (const { strategy, hasTransactions } of someSettings())
  for (const isKnown of isLong ? [true, false] : [strategy === 'jwt'])
    t.test(
      `${toName({ strategy, hasTransactions })}: an owner links one account in two tabs, duplicates are known ${isKnown}`,
      async (t: Test) => {
        const { problems } = await overlapEverywhere(async (adapter) => {
          const inner = choose(adapter, hasTransactions)
          const linkAccount: typeof inner.linkAccount = async (account) => {
            try {
              return (await inner.linkAccount?.(account)) as never
            } catch (error) {
              throw isKnown ? error : new Error('the row exists')
            }
          }
          const started = await startOverlap(t, { ...inner, linkAccount }, { session: { strategy } })
          const owner = started.browser
          await signIn(started, owner, vera)
          const id = (await idOf(started, vera.sub)) ?? ''
          const tab = getCopy(started, owner)
          const one = await begin(started, owner, second, link)
          const other = await begin(started, tab, second, link)
          const locations: (string | null | undefined)[] = []
          const finish = async (finishing: typeof one.finish): Promise<void> => {
            locations.push((await finishing()).location)
          }
          const check = async () => {
            const wasLinked = locations.some((location) => !/error=/.test(location ?? ''))
            const isIn = (await idIn(owner)) === id || (await idIn(tab)) === id
            started.clock.advance(130)
            if (!wasLinked) return `both are refused, signed in ${isIn}`
            return (await signsIn(started, id)) ? null : `said to be linked, but does not sign in: ${locations}`
          }
          return { started, outer: () => finish(one.finish), inner: () => finish(other.finish), check }
        })
        t.strictSame(problems, [])
      }
    )
