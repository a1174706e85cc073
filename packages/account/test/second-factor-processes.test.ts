import type { Browser, BrowserResponse } from '@postern/testkit'
import { isLong, some, times } from '@postern/testkit/long'
import t from 'tap'
import {
  enrollInProcess,
  type FactorProcess,
  sharedStores,
  signInByLink,
  startFactorProcess
} from './factor-processes.ts'
import { ada, base, getAddress, origin, strategies } from './password-application.ts'
import { type App, answer } from './second-factor-application.ts'

/** Two processes with one store, and a user with an app. */
interface Stage {
  readonly processes: readonly [FactorProcess, FactorProcess]
  readonly app: App
}

/** A pending sign-in, in a browser of each process with the same cookies. */
async function wait({ processes: [one, two] }: Stage): Promise<readonly [Browser, Browser]> {
  const browser = one.newBrowser()
  await signInByLink(one, browser, ada)
  return [browser, two.newBrowser(browser.cookies)]
}

/** Sends codes at once, to the processes in turn. */
const race = (browsers: readonly Browser[], codes: readonly string[]): Promise<readonly BrowserResponse[]> =>
  Promise.all(codes.map((code, at) => answer(browsers[at % browsers.length] as Browser, { code, json: 'true' })))

/** Sends wrong codes until as many were compared, with as many sign-ins as that takes. */
async function guess(stage: Stage, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 4) {
    const browsers = await wait(stage)
    for (let index = 0; index < Math.min(4, left); index++) {
      const response = await answer(browsers[index % 2 === 0 ? 0 : 1], { code: stage.app.wrongCode() })
      if (response.status !== 400) throw new Error(`expected a wrong code, got ${response.status}`)
      stage.processes[0].clock.advance(31)
    }
  }
}

const all = sharedStores.flatMap((store) => strategies.map((strategy) => ({ store, strategy })))
const cases = isLong ? all : some(all, ({ strategy }) => [strategy], 1).slice(0, 1)

for (const { store, strategy } of cases)
  t.test(
    `${store.name}, ${strategy}: two processes share the limits of codes, and use each code once`,
    {
      skip: store.skip
    },
    async (t) => {
      const address = await store.create(t)
      const one = await startFactorProcess(t, { address, strategy })
      const two = await startFactorProcess(t, { address, strategy, clock: one.clock })
      const owner = one.newBrowser()
      await signInByLink(one, owner, ada)
      const { app } = await enrollInProcess(one, owner)
      const stage: Stage = { processes: [one, two], app }

      // A third round would be so late that a sign-in meets the cleanup of the record of ended sessions, which refuses it.
      for (let round = 0; round < Math.min(2, times(1, 50)); round++) {
        const waiting: Browser[] = []
        for (let count = 0; count < 3; count++) waiting.push(...(await wait(stage)))
        const code = app.code()
        const used = await race(
          waiting,
          waiting.map(() => code)
        )
        t.equal(used.filter(({ status }) => status === 200).length, 1, `${round}: a code signs in once`)
        const addresses = await Promise.all(waiting.map(getAddress))
        t.equal(addresses.filter((found) => found === ada).length, 1, `${round}: one browser is signed in`)
        // The failures of a round delay no other one.
        one.clock.advance(366 * 86_400)
      }

      const pending = await wait(stage)
      const wrong = await race(pending, Array.from({ length: 10 }, app.wrongCode))
      t.ok(wrong.filter(({ status }) => status === 400).length <= 5, 'at most five are compared')
      for (const browser of pending)
        t.match((await answer(browser, { code: app.code() })).location, /error=Callback/, 'the sign-in has ended')
      one.clock.advance(366 * 86_400)

      await guess(stage, 20)
      const delayed = await wait(stage)
      t.equal((await answer(delayed[0], { code: app.wrongCode() })).status, 400)
      for (const browser of [delayed[1], delayed[0]]) {
        const refused = await answer(browser, { code: app.code(), json: 'true' })
        t.equal(refused.status, 429, 'a failure in one process delays the other')
        t.ok(Number(refused.headers['retry-after']) <= 30)
      }
      one.clock.advance(31)
      t.equal((await answer(delayed[1], { code: app.wrongCode() })).status, 400)

      // With the two above, 22 failures are stored.
      one.clock.advance(3700)
      await guess(stage, 7)
      const last = await wait(stage)
      t.match(await last[1].json<object>(`${base}/verify/factor`), { props: { methods: ['totp', 'recovery-code'] } })
      t.equal((await answer(last[1], { code: app.wrongCode() })).status, 400, 'the 30th failure of the year')
      one.clock.advance(31)
      for (const browser of last) {
        const page = await browser.json<object>(`${base}/verify/factor`)
        t.match(page, { props: { methods: ['recovery-code'], problem: 'exhausted' } })
        t.not((await answer(browser, { code: app.code() })).location, origin, 'no process compares another code')
      }
      t.same(await Promise.all(last.map(getAddress)), [null, null])
    }
  )
