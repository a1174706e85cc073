import { memoryAdapter } from '@postern/adapters/memory'
import { times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { signInByMail } from '../start.ts'
import { createFaulty, createGate, lost, settings, toName } from './link-faults.ts'
import { createNumbers, createSchedule } from './schedule.ts'
import { choose, startOverlap } from './session-setup.ts'
import { accountsOf, begin, idIn, strategies } from './setup.ts'

// First sign-ins of one person in several tabs, with their calls of the store in random orders.

const rounds = times(8, 1000)

for (const [seed, setting] of settings.entries())
  t.test(`${toName(setting)}: first sign-ins at once create one user, and none is refused`, async (t: Test) => {
    const random = createNumbers(seed)
    const { adapter, runAll } = createSchedule(memoryAdapter(), random)
    const options = { session: { strategy: setting.strategy } }
    const started = await startOverlap(t, choose(adapter, setting.hasTransactions), options)
    const problems: string[] = []
    for (let round = 0; round < rounds; round++) {
      const email = `new-${round}@example.com`
      const person = { sub: `new-${round}`, name: 'New', email, email_verified: true }
      const browsers = Array.from({ length: 2 + Math.floor(random() * 2) }, () => started.newBrowser())
      const work = await Promise.all(browsers.map(async (browser) => (await begin(started, browser, person)).finish))
      await runAll(work)
      const id = (await started.adapter?.getUserByEmail?.(email))?.id ?? ''
      const others = (await Promise.all(browsers.map(idIn))).filter((found) => found !== id)
      if (id === '' || others.length > 0)
        problems.push(`round ${round}: ${others.length} of ${browsers.length} refused, ${started.log.at(-1)}`)
    }
    t.strictSame(problems, [])
  })

for (const strategy of strategies)
  t.test(`${strategy}, without transactions: one is completed while another reads its markers`, async (t: Test) => {
    const { createUserWithAccount: _, ...plain } = choose(memoryAdapter(), false)
    const { adapter, faults } = createFaulty(plain)
    const started = await startOverlap(t, adapter, { session: { strategy } })
    const person = { sub: 'new', name: 'New', email: 'new@example.com', email_verified: true }
    const [first, second] = [started.newBrowser(), started.newBrowser()]
    const [{ finish: finishFirst }, { finish: finishSecond }] = [
      await begin(started, first, person),
      await begin(started, second, person)
    ]
    const gate = createGate()
    faults.after = async (name) => {
      if (name === 'createUser') await gate.stop()
    }
    const completed = finishFirst()
    await gate.isReached
    let isCompleted = false
    faults.before = async (name, [key]) => {
      if (isCompleted || name !== 'readTicket' || !String(Object(key).kind).startsWith('first-sign-in')) return
      isCompleted = true
      gate.open()
      await completed
    }
    await finishSecond()
    t.ok(isCompleted)
    const id = (await started.adapter?.getUserByEmail?.(person.email))?.id
    t.equal(await idIn(first), id)
    t.equal(await idIn(second), id, 'the other one is not refused')
  })

for (const [strategy, failsCheck] of strategies.flatMap((each) => [false, true].map((fails) => [each, fails] as const)))
  t.test(
    `${strategy}, without transactions: the owner claims the user of an interrupted one that is continued${failsCheck ? ', and the check fails' : ''}`,
    async (t) => {
      const { createUserWithAccount: _, ...plain } = choose(memoryAdapter(), false)
      const { adapter, faults } = createFaulty(plain)
      const started = await startOverlap(t, adapter, { session: { strategy } })
      const email = 'new@example.com'
      const stranger = { sub: 'stranger', name: 'M', email, email_verified: false }
      const interrupted = await begin(started, started.newBrowser(), stranger)
      let isDown = false
      faults.before = async (name) => {
        isDown ||= name === 'linkAccount'
        if (isDown) lost()
      }
      await interrupted.finish()
      t.ok(isDown)
      faults.before = null
      started.clock.advance(20)
      const [attacker, owner] = [started.newBrowser(), started.newBrowser()]
      const { finish } = await begin(started, attacker, stranger)
      let [isClaimed, isLinked] = [false, false]
      faults.before = async (name) => {
        if (isLinked && failsCheck && name === 'readTickets') {
          isLinked = false
          lost()
        }
        if (name !== 'linkAccount' || isClaimed) return
        isClaimed = true
        await signInByMail(started, owner, email)
        isLinked = true
      }
      await finish()
      t.ok(isClaimed, 'it is continued')
      t.equal(isLinked, !failsCheck)
      faults.before = null
      const id = (await started.adapter?.getUserByEmail?.(email))?.id ?? ''
      t.equal(await idIn(owner), id)
      t.equal(await idIn(attacker), null)
      t.same(await accountsOf(started, id), [])
      started.clock.advance(200)
      const late = started.newBrowser()
      await (await begin(started, late, stranger)).finish()
      t.equal(await idIn(late), null, 'nor later')
    }
  )
