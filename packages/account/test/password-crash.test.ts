import { join } from 'node:path'
import { type Browser, type BrowserResponse, createBrowser } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import {
  base,
  canSignIn,
  change,
  first,
  getAddress,
  origin,
  second,
  signIn,
  signUp,
  strategies
} from './password-application.ts'
import { type ApplicationProcess, type InterruptedRun, interrupt, startProcess } from './password-processes.ts'

interface Stage {
  readonly newBrowser: () => Browser
  readonly nextToken: () => Promise<string>
  readonly hold: ApplicationProcess['hold']
  readonly kill: ApplicationProcess['kill']
  readonly restart: () => Promise<void>
  /** Sets the clock forward. */
  readonly wait: (seconds: number) => void
  readonly rows: (sql: string) => readonly Record<string, unknown>[]
}

async function openStage(t: Test, kind: string, strategy: string): Promise<Stage> {
  const address = join(t.testdir(), 'store.sqlite')
  const start = (): Promise<ApplicationProcess> => startProcess(t, { address, kind, strategy })
  let current = await start()
  let waited = 0
  const send = (request: Parameters<ApplicationProcess['send']>[0]) =>
    current.send({ ...request, headers: { ...request.headers, 'x-now': String(Date.now() + waited * 1000) } })
  return {
    newBrowser: () => createBrowser({ origin, send }),
    nextToken: () => current.nextToken(),
    hold: (send, at) => current.hold(send, at),
    kill: () => current.kill(),
    restart: async () => {
      current = await start()
    },
    wait: (seconds) => {
      waited += seconds
    },
    rows: (sql) => {
      const database = new Database(address)
      try {
        return database.prepare<[], Record<string, unknown>>(sql).all()
      } finally {
        database.close()
      }
    }
  }
}

type Headers = Readonly<Record<string, string>>

/** Signs up, and returns the request that completes it. */
async function prepareSignUp({ nextToken }: Stage, browser: Browser, address: string) {
  const sent = nextToken()
  await signUp(browser, address, first)
  const token = await sent
  const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
  return (headers: Headers): Promise<BrowserResponse> =>
    browser.submit(`${base}/callback/password-sign-up`, { token, csrfToken }, { headers })
}

/** Asks for a new password, and returns the request that sets it. */
async function prepareReset({ newBrowser, nextToken }: Stage, address: string, chosen: string) {
  const browser = newBrowser()
  const sent = nextToken()
  await browser.submit(`${base}/password/forgot`, { email: address })
  const token = await sent
  const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
  return (headers: Headers): Promise<BrowserResponse> =>
    browser.submit(`${base}/password/reset`, { token, csrfToken, password: chosen }, { headers })
}

const kinds = ['transactional', 'one by one'] as const
const all = strategies.flatMap((strategy) => kinds.map((kind) => ({ strategy, kind })))
/** In `npm test` one process is killed. */
const cases = isLong ? all : all.filter(({ strategy, kind }) => strategy === 'database' && kind === 'transactional')

/** At least as many writes as a sign-up makes; the last one stops before the response. */
const writes = Array.from({ length: 12 }, (_, at) => at)

/** Each case interrupts another write in `npm test`, and every write in the long run. */
const getWrites = (index: number): readonly number[] => (isLong ? writes : [4 * index + 1])

/** A change writes more, as it ends the other sessions twice: each case interrupts every second of the later writes, or a late one. */
const writesOfChange = (index: number): readonly number[] =>
  isLong
    ? [...writes, ...Array.from({ length: 10 }, (_, step) => writes.length + 2 * step + (index % 2))]
    : [12 * index + 4]

/** A sign-up is interrupted, and the next try completes it. */
async function* interruptSignUp(t: Test, stage: Stage, kind: string, at: number): InterruptedRun {
  const name = `sign-up-${at}@example.com`
  const browser = stage.newBrowser()
  const complete = await prepareSignUp(stage, browser, name)
  yield complete
  t.equal(await getAddress(browser), null, `${name}: nobody is signed in`)
  const before = stage.rows(`select * from "user" where "email" = '${name}'`).length
  const factors = stage.rows(
    `select * from "postern_factor" where "userId" in (select "id" from "user" where "email" = '${name}')`
  )
  if (kind === 'transactional') t.equal(factors.length, before, `${name}: no user without the password, or all`)
  const strangers = stage.rows(`select * from "postern_factor" where "userId" not in (select "id" from "user")`)
  t.same(strangers, [], `${name}: no password without a user`)
  // The same link works, or the owner signs in, or asks for a new password.
  const again = await complete({})
  if (again.location !== origin && !(await canSignIn(stage.newBrowser(), name, first))) {
    if (before === 0) await (await prepareSignUp(stage, browser, name))({})
    else await (await prepareReset(stage, name, first))({})
  }
  t.ok(await canSignIn(stage.newBrowser(), name, first), `${name}: the next try completes it`)
  t.equal(stage.rows(`select * from "user" where "email" = '${name}'`).length, 1, `${name}: one user`)
}

/** A reset is interrupted, and the next try completes it. */
async function* interruptReset(t: Test, stage: Stage, at: number): InterruptedRun {
  const name = `reset-${at}@example.com`
  const owner = stage.newBrowser()
  await (await prepareSignUp(stage, owner, name))({})
  const reset = await prepareReset(stage, name, second)
  yield reset
  const [old, chosen] = [
    await canSignIn(stage.newBrowser(), name, first),
    await canSignIn(stage.newBrowser(), name, second)
  ]
  t.not(old, chosen, `${name}: one password works`)
  if (chosen) t.equal(await getAddress(owner), null, `${name}: no session of the old password is left`)
  const again = await reset({})
  if (!/changed/.test(again.location ?? '')) await (await prepareReset(stage, name, second))({})
  t.ok(await canSignIn(stage.newBrowser(), name, second), `${name}: the next try completes it`)
  t.notOk(await canSignIn(stage.newBrowser(), name, first), `${name}: the old password is gone`)
  t.equal(await getAddress(owner), null, `${name}: all sessions have ended`)
}

/** A change is interrupted, and the next one completes it. */
async function* interruptChange(t: Test, stage: Stage, at: number): InterruptedRun {
  const name = `change-${at}@example.com`
  await (await prepareSignUp(stage, stage.newBrowser(), name))({})
  const changing = stage.newBrowser()
  await signIn(changing, name, first)
  const page = await changing.open(`${base}/password`)
  const fields = { currentPassword: first, password: second }
  yield (headers) => changing.fill(page, `${base}/password`, fields, { headers })
  if (!(await canSignIn(stage.newBrowser(), name, second))) {
    // For a minute, the session that was interrupted may be the one that ends the others.
    stage.wait(61)
    await signIn(changing, name, first)
    await change(changing, fields)
  }
  t.ok(await canSignIn(stage.newBrowser(), name, second), `${name}: the next change completes it`)
  t.notOk(await canSignIn(stage.newBrowser(), name, first), `${name}: the old password is gone`)
}

for (const [index, { strategy, kind }] of cases.entries()) {
  t.test(`${strategy}, ${kind}: killed at each write, and the next try completes it`, async (t) => {
    const stage = await openStage(t, kind, strategy)
    const [ofSignUp, ofChange] = [getWrites(index), writesOfChange(index)]
    for (let round = 0; round < Math.max(ofSignUp.length, ofChange.length); round++) {
      const [early, late] = [ofSignUp[round], ofChange[round]]
      await interrupt(t, stage, [
        ...(early === undefined ? [] : [{ at: early, run: interruptSignUp(t, stage, kind, early) }]),
        ...(late === undefined
          ? []
          : [
              { at: late, run: interruptReset(t, stage, late) },
              { at: late, run: interruptChange(t, stage, late) }
            ])
      ])
    }
  })
}
