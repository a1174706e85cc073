import type { Adapter } from '@postern/core'
import { type Browser, type BrowserResponse, type Clock, createBrowser, createClock } from '@postern/testkit'
import { isLong, some } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { base, findUser, origin, strategies } from './account-application.ts'
import { isSignedIn } from './email-application.ts'
import { openAdapter, sharedStores } from './factor-processes.ts'
import { countEvents, day, deleteDue, deletePath, openWithGrace } from './grace-period-application.ts'
import { type ApplicationProcess, type InterruptedRun, interrupt, startProcess } from './password-processes.ts'

/** Interrupts a request before its write of this number, or before the response if it makes fewer. */
const writes = isLong ? Array.from({ length: 16 }, (_, number) => number) : [3, 8, 15]

/** A request that schedules a deletion makes fewer. */
const maxScheduleWrites = 10
const kinds = ['transactional', 'sequential']

interface Stage {
  readonly adapter: Adapter
  readonly clock: Clock
  readonly isTransactional: boolean
  readonly newBrowser: () => Browser
  readonly nextSignInLink: () => Promise<string>
  readonly hold: ApplicationProcess['hold']
  readonly kill: ApplicationProcess['kill']
  readonly restart: () => Promise<void>
  /** Runs the deletions that are due in another process. */
  readonly deleteDue: () => Promise<number>
}

async function openStage(t: Test, address: string, kind: string, strategy: 'jwt' | 'database'): Promise<Stage> {
  const start = (): Promise<ApplicationProcess> =>
    startProcess(t, { address, kind, strategy, module: 'deletion-process.js' })
  let current = await start()
  const clock = createClock()
  const adapter = await openAdapter(t, address)
  const accountPages = { deletionGracePeriod: 7 }
  const app = await openWithGrace(t, strategy, { adapter, runtime: { now: clock.now }, accountPages })
  const newBrowser = (): Browser =>
    createBrowser({
      ...{ origin, clock },
      send: (request) => current.send({ ...request, headers: { ...request.headers, 'x-now': String(clock.now()) } })
    })
  return {
    ...{ adapter, clock, newBrowser, isTransactional: kind === 'transactional' },
    nextSignInLink: () => current.nextSignInLink(),
    hold: (send, at) => current.hold(send, at),
    kill: () => current.kill(),
    restart: async () => {
      current = await start()
      // The locks of the killed process expire.
      clock.advance(61)
    },
    deleteDue: () => deleteDue(app)
  }
}

type Headers = Readonly<Record<string, string>>

async function signInByLink(
  { nextSignInLink }: Stage,
  browser: Browser,
  email: string,
  headers: Headers = {}
): Promise<BrowserResponse> {
  const sent = nextSignInLink()
  await browser.submit(`${base}/signin/email`, { email })
  return browser.fill(await browser.open(await sent), 'form', {}, { headers })
}

const schedule = (browser: Browser, headers: Headers = {}): Promise<BrowserResponse> =>
  browser.submit(deletePath, { confirmation: 'DELETE' }, { headers })

/** The user is deleted after the grace period, also if a process is killed while it schedules the deletion. */
async function* interruptSchedule(t: Test, stage: Stage, number: number): InterruptedRun {
  const email = `schedule${number}@example.com`
  const browser = stage.newBrowser()
  await signInByLink(stage, browser, email)
  const id = (await findUser(stage, email))?.id ?? ''
  yield (headers) => schedule(browser, headers)
  if (stage.isTransactional) {
    const isScheduled = (await countEvents(stage, id, 'deletion-scheduled')) > 0
    t.equal(await isSignedIn(browser), !isScheduled, `the sessions end with it, killed at ${number}`)
  }
  const other = stage.newBrowser()
  await signInByLink(stage, other, email)
  t.equal((await schedule(other)).status, 200)
  const events = await countEvents(stage, id, 'deletion-scheduled')
  // Without transactions, the event may be lost.
  t.ok(events <= 1, `at most one event, killed at ${number}`)
  stage.clock.advance(7 * day)
  t.equal(await stage.deleteDue(), 1, `deleted, killed at ${number}`)
  t.equal(await findUser(stage, email), null)
}

/**
 * The next run completes a deletion whose process was killed. Without transactions, the sign-in may already have created a new user with
 * the address.
 */
async function* interruptDeletion(t: Test, stage: Stage, number: number): InterruptedRun {
  const email = `delete${number}@example.com`
  const browser = stage.newBrowser()
  await signInByLink(stage, browser, email)
  const id = (await findUser(stage, email))?.id
  t.ok(id)
  await schedule(browser)
  stage.clock.advance(8 * day)
  yield (headers) => signInByLink(stage, stage.newBrowser(), email, headers)
  const isThere = async (): Promise<boolean> => (await findUser(stage, email))?.id === id
  const isDue = await isThere()
  t.equal(await stage.deleteDue(), isDue ? 1 : 0, `the deletion is completed, killed at ${number}`)
  t.equal(await isThere(), false)
  t.equal(await stage.deleteDue(), 0)
}

/** In `npm test`, SQLite: what a transaction of a server leaves is tested in @postern/adapters. */
const killed = isLong ? sharedStores : sharedStores.slice(0, 1)

const cases = killed.flatMap(({ name }) =>
  kinds
    .filter((kind) => kind === 'transactional' || name === 'SQLite')
    .flatMap((kind) => strategies.flatMap((strategy) => writes.map((number) => ({ name, kind, strategy, number }))))
)
const chosen = some(cases, ({ name, kind, strategy, number }) => [`${name} ${kind}`, strategy, number], 1)

/** In `npm test` one of both requests is killed on a store with transactions, the other one on the next. */
const isBoth = (kind: string): boolean => isLong || kind === 'sequential'

for (const { name, skip, create } of killed)
  for (const kind of kinds)
    for (const strategy of strategies) {
      const numbers = chosen
        .filter((one) => one.name === name && one.kind === kind && one.strategy === strategy)
        .map(({ number }) => number)
      if (numbers.length === 0) continue
      t.test(`${name}, ${kind}, ${strategy}: a killed process leaves nothing half done`, { skip }, async (t) => {
        const stage = await openStage(t, await create(t), kind, strategy)
        for (const number of numbers) {
          // A deletion that is due is completed before another one is scheduled again.
          const runs = [
            ...(isBoth(kind) || number % 2 === 1 ? [interruptDeletion(t, stage, number)] : []),
            ...(number < maxScheduleWrites && (isBoth(kind) || number % 2 === 0)
              ? [interruptSchedule(t, stage, number)]
              : [])
          ]
          await interrupt(
            t,
            stage,
            runs.map((run) => ({ run, at: number }))
          )
        }
      })
    }
