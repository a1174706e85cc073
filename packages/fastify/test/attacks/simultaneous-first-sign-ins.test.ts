import { memoryAdapter } from '@postern/adapters/memory'
import { times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { signInByMail } from '../start.ts'
import { settings, toName } from './link-faults.ts'
import { createNumbers, createSchedule } from './schedule.ts'
import { choose, startOverlap } from './session-setup.ts'
import { accountsOf, begin, idIn } from './setup.ts'

// First sign-ins of one person in several tabs, and of two persons with one address, with their calls of the store in random orders.

const rounds = times(4, 1000)

const stores = settings.flatMap((setting) =>
  setting.hasTransactions ? [{ ...setting, isPlain: false }] : [false, true].map((isPlain) => ({ ...setting, isPlain }))
)

async function startRandom(t: Test, { strategy, hasTransactions, isPlain }: (typeof stores)[number], seed: number) {
  const random = createNumbers(seed)
  const { adapter, runAll } = createSchedule(memoryAdapter(), random)
  const chosen = choose(adapter, hasTransactions)
  const { createUserWithAccount: _, ...plain } = chosen
  return { random, runAll, started: await startOverlap(t, isPlain ? plain : chosen, { session: { strategy } }) }
}

for (const [seed, setting] of stores.entries())
  t.test(
    `${toName(setting)}, one row at a time ${setting.isPlain}: first sign-ins at once create one user`,
    async (t: Test) => {
      const { random, runAll, started } = await startRandom(t, setting, seed)
      const problems: string[] = []
      for (let round = 0; round < rounds; round++) {
        const email = `new-${round}@example.com`
        const person = { sub: `new-${round}`, name: 'New', email, email_verified: round % 2 === 0 }
        const browsers = Array.from({ length: 2 + Math.floor(random() * 3) }, () => started.newBrowser())
        const work = await Promise.all(browsers.map(async (browser) => (await begin(started, browser, person)).finish))
        await runAll(work)
        const id = (await started.adapter?.getUserByEmail?.(email))?.id ?? ''
        // Between the writes of a user and of the account, the address belongs to a user without it.
        const isRefusal = (found: string | null): boolean => setting.isPlain && found === null
        const found = await Promise.all(browsers.map(idIn))
        const others = found.filter((one) => one !== id && !isRefusal(one))
        if (id === '' || !found.includes(id) || others.length > 0)
          problems.push(
            `round ${round}: ${others.length} of ${browsers.length} refused, ${started.log
              .filter((line) => !line.includes('"level":30'))
              .slice(-2)
              .join('')}`
          )
      }
      t.strictSame(problems, [])
    }
  )

for (const [seed, setting] of stores.entries())
  t.test(
    `${toName(setting)}, one row at a time ${setting.isPlain}: first sign-ins of a stranger while the owner signs in`,
    async (t: Test) => {
      const { random, runAll, started } = await startRandom(t, setting, 100 + seed)
      const problems: string[] = []
      for (let round = 0; round < rounds; round++) {
        const email = `new-${round}@example.com`
        const person = { sub: `stranger-${round}`, name: 'M', email, email_verified: false }
        const real = { sub: `new-${round}`, name: 'New', email, email_verified: true }
        const strangers = Array.from({ length: 2 + Math.floor(random() * 2) }, () => started.newBrowser())
        const [own, other] = [started.newBrowser(), started.newBrowser()]
        const work = await Promise.all(strangers.map(async (browser) => (await begin(started, browser, person)).finish))
        const { finish } = await begin(started, other, real, { provider: 'loose' })
        await runAll([...work, () => signInByMail(started, own, email), ...(random() < 0.5 ? [finish] : [])])
        const id = (await started.adapter?.getUserByEmail?.(email))?.id ?? ''
        if ((await idIn(own)) === null) await signInByMail(started, own, email)
        const owned = await idIn(own)
        started.clock.advance(200)
        const late = started.newBrowser()
        await (await begin(started, late, person)).finish()
        const found = await Promise.all([...strangers, late].map(idIn))
        const accounts = await accountsOf(started, id)
        const isTaken = found.includes(id) || accounts.includes(`demo ${person.sub}`)
        if (id === '' || owned !== id || isTaken) problems.push(`round ${round}: ${id} ${owned} ${found} ${accounts}`)
      }
      t.strictSame(problems, [])
    }
  )
