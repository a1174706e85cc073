import type { Browser, BrowserResponse } from '@postern/testkit'
import { inTurn, isLong } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  enrollInProcess,
  type FactorProcess,
  openAdapter,
  prepareEnrollment,
  readKey,
  readRecoveryCodes,
  sharedStores,
  signInByLink,
  signInWithFactor,
  startFactorProcess
} from './factor-processes.ts'
import { base, getAddress, strategies } from './password-application.ts'
import { answer, createApp, type Enrolled } from './second-factor-application.ts'

t.setTimeout(isLong ? 3_600_000 : 60_000)

interface Stage extends FactorProcess {
  /** The types of the factors of a user. */
  readonly factors: (address: string) => Promise<readonly string[]>
}

const totp = 'factors-totp'
const codes = 'factors-recovery-codes'

async function openStage(t: Test, address: string, options: { kind: string; strategy: string }): Promise<Stage> {
  const process = await startFactorProcess(t, { address, ...options })
  const adapter = await openAdapter(t, address)
  return {
    ...process,
    factors: async (email) => {
      const user = await adapter.getUserByEmail?.(email)
      const found = user ? ((await adapter.listFactors?.(user.id)) ?? []) : []
      return found.map(({ type }) => type).toSorted()
    }
  }
}

/** Sends a request that kills its process at a write. */
type Send = (headers: Readonly<Record<string, string>>) => Promise<BrowserResponse>

const isCut = (work: Promise<BrowserResponse>): Promise<boolean> =>
  work.then(
    () => false,
    () => true
  )

/** A request that is killed, of the user with an address. */
interface Cut {
  readonly address: string
  readonly at: number
  readonly send: Send
}

/** Kills the process during a request, and starts it again. @returns The types of the factors that are left. */
async function cut(t: Test, stage: Stage, { address, at, send }: Cut): Promise<readonly string[]> {
  t.ok(await isCut(send({ 'x-kill-at': `${at}` })), `${at}: killed`)
  await stage.restart()
  stage.clock.advance(31)
  const left = await stage.factors(address)
  t.ok(!left.includes(totp) || left.includes(codes), `${at}: no app without recovery codes`)
  return left
}

/** The CSRF token is read before the request that is killed. */
async function prepare(browser: Browser, path: string, fields: Readonly<Record<string, string>>): Promise<Send> {
  const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
  return (headers) => browser.submit(`${base}${path}`, { ...fields, csrfToken }, { headers })
}

async function signInAgain(stage: Stage, browser: Browser, address: string): Promise<void> {
  if ((await getAddress(browser)) === null) await signInByLink(stage, browser, address)
}

/** A user who has set up an app, in the browser that is signed in. */
async function createOwner(stage: Stage, address: string): Promise<Enrolled & { readonly browser: Browser }> {
  const browser = stage.newBrowser()
  await signInByLink(stage, browser, address)
  return { ...(await enrollInProcess(stage, browser)), browser }
}

/** Completes a required enrollment from its page on. */
async function completeEnrollment(stage: Stage, browser: Browser): Promise<Pick<Enrolled, 'app' | 'recoveryCodes'>> {
  const app = createApp(readKey(await browser.open(`${base}/verify/enroll`)), stage.clock.now)
  const shown = await browser.submit(`${base}/verify/enroll`, { code: app.code() })
  await browser.submit(`${base}/verify/enroll`, { saved: 'yes' })
  stage.clock.advance(31)
  return { app, recoveryCodes: readRecoveryCodes(shown) }
}

/** Checks that the user signs in with the app, and with a recovery code. */
async function requireFactors(
  t: Test,
  stage: Stage,
  { address, at, app, recoveryCodes }: Pick<Enrolled, 'app' | 'recoveryCodes'> & Pick<Cut, 'address' | 'at'>
): Promise<void> {
  t.equal(recoveryCodes.length, 10, `${at}: the recovery codes were shown`)
  t.equal(await signInWithFactor(stage, address, { code: app.code() }), address, `${at}: the app works`)
  const recoveryCode = recoveryCodes[0] ?? ''
  t.equal(await signInWithFactor(stage, address, { recoveryCode }), address, `${at}: a recovery code works`)
}

/** What is killed, with at least as many writes as it makes; the last one kills before the response. */
interface Operation {
  readonly name: string
  readonly writes: number
  /** The write at which `npm test` kills; `null` for the long run only. */
  readonly short: number | null
  run(t: Test, stage: Stage, at: number): Promise<void>
}

const operations: readonly Operation[] = [
  {
    name: 'an enrollment in a session',
    writes: 20,
    short: 13,
    run: async (t, stage, at) => {
      const address = `session-${at}@example.com`
      const [browser, thief] = [stage.newBrowser(), stage.newBrowser()]
      for (const each of [thief, browser]) await signInByLink(stage, each, address)
      const { app, fields } = await prepareEnrollment(stage, browser)
      const send = await prepare(browser, '/factors/totp', fields)
      const left = await cut(t, stage, { address, at, send })
      if (!left.includes(totp)) {
        await signInAgain(stage, browser, address)
        const again = await enrollInProcess(stage, browser)
        return requireFactors(t, stage, { ...again, address, at })
      }
      t.equal(await getAddress(thief), null, `${at}: no session from before the app is left`)
      // The response with the codes was lost: who has the app creates others.
      const next = stage.newBrowser()
      await signInByLink(stage, next, address)
      await answer(next, { code: app.code() })
      stage.clock.advance(31)
      const page = await next.submit(`${base}/factors/recovery-codes`, { code: app.code() })
      stage.clock.advance(31)
      await requireFactors(t, stage, { app, recoveryCodes: readRecoveryCodes(page), address, at })
    }
  },
  {
    name: 'the confirmation of a required enrollment',
    writes: 6,
    short: null,
    run: async (t, stage, at) => {
      const address = `required-confirm-${at}@example.com`
      const browser = stage.newBrowser()
      await signInByLink(stage, browser, address)
      const app = createApp(readKey(await browser.open(`${base}/verify/enroll`)), stage.clock.now)
      const send = await prepare(browser, '/verify/enroll', { code: app.code() })
      t.same(await cut(t, stage, { address, at, send }), [], `${at}: nothing is set up`)
      t.equal(await getAddress(browser), null, `${at}: nobody is signed in`)
      // The codes of a secret that was confirmed were shown in a response that was lost: another sign-in has another secret.
      await signInByLink(stage, browser, address)
      await requireFactors(t, stage, { ...(await completeEnrollment(stage, browser)), address, at })
    }
  },
  {
    name: 'the end of a required enrollment',
    writes: 18,
    short: 5,
    run: async (t, stage, at) => {
      const address = `required-end-${at}@example.com`
      const browser = stage.newBrowser()
      await signInByLink(stage, browser, address)
      const app = createApp(readKey(await browser.open(`${base}/verify/enroll`)), stage.clock.now)
      const recoveryCodes = readRecoveryCodes(await browser.submit(`${base}/verify/enroll`, { code: app.code() }))
      const send = await prepare(browser, '/verify/enroll', { saved: 'yes' })
      const left = await cut(t, stage, { address, at, send })
      t.equal(await getAddress(browser), null, `${at}: nobody is signed in`)
      if (left.includes(totp)) return requireFactors(t, stage, { app, recoveryCodes, address, at })
      await signInByLink(stage, browser, address)
      await requireFactors(t, stage, { ...(await completeEnrollment(stage, browser)), address, at })
    }
  },
  {
    name: 'a removal',
    writes: 18,
    short: null,
    run: async (t, stage, at) => {
      const address = `remove-${at}@example.com`
      const { browser, app } = await createOwner(stage, address)
      const thief = stage.newBrowser()
      await signInByLink(stage, thief, address)
      await answer(thief, { code: app.code() })
      stage.clock.advance(31)
      const send = await prepare(browser, '/factors/totp/remove', { code: app.code() })
      const left = await cut(t, stage, { address, at, send })
      if (left.includes(totp)) {
        if ((await getAddress(browser)) === null) {
          await signInByLink(stage, browser, address)
          await answer(browser, { code: app.code() })
          stage.clock.advance(31)
        }
        await browser.submit(`${base}/factors/totp/remove`, { code: app.code() })
        t.notOk((await stage.factors(address)).includes(totp), `${at}: the next try completes it`)
      }
      t.equal(await getAddress(thief), null, `${at}: the other sessions have ended`)
      const next = stage.newBrowser()
      await signInByLink(stage, next, address)
      t.equal(await getAddress(next), address, `${at}: a removed app is not asked for`)
      await requireFactors(t, stage, { ...(await enrollInProcess(stage, next)), address, at })
    }
  },
  {
    name: 'the use of a recovery code',
    writes: 10,
    short: 3,
    run: async (t, stage, at) => {
      const address = `recovery-${at}@example.com`
      const { app, recoveryCodes } = await createOwner(stage, address)
      const [recoveryCode = '', ...others] = recoveryCodes
      const browser = stage.newBrowser()
      await signInByLink(stage, browser, address)
      await cut(t, stage, { address, at, send: await prepare(browser, '/verify/factor', { recoveryCode }) })
      t.equal(await getAddress(browser), null, `${at}: nobody is signed in`)
      const isLeft = (await signInWithFactor(stage, address, { recoveryCode })) === address
      t.equal(await signInWithFactor(stage, address, { recoveryCode }), null, `${at}: it works once`)
      const owner = stage.newBrowser()
      await signInByLink(stage, owner, address)
      await answer(owner, { code: app.code() })
      const { props } = await owner.json<{ props: { recoveryCodes: number } }>(`${base}/factors`)
      t.equal(props.recoveryCodes, 9, `${at}: the others are left, used ${isLeft ? 'now' : 'before'}`)
      t.equal(
        await signInWithFactor(stage, address, { recoveryCode: others[0] ?? '' }),
        address,
        `${at}: another works`
      )
    }
  }
]

const kinds = ['transactional', 'one by one'] as const
const places = sharedStores.flatMap((store) =>
  strategies.flatMap((strategy) => kinds.map((kind) => ({ store, strategy, kind })))
)
/** Only SQLite is opened without transactions. */
const cases = places.filter(({ store, kind }) => store.name === 'SQLite' || kind === 'transactional')

/** In `npm test`, without transactions: each write may be the last one. */
const short = cases.filter(({ strategy, kind }) => strategy === 'database' && kind === 'one by one')

/** The cases of each operation: all of them in the complete long run, the next one in a shorter one. */
const next = inTurn(cases)
const getCases = new Map(operations.map(({ name }) => [name, isLong ? next() : short]))

for (const tested of cases) {
  const chosen = operations.filter(({ name }) => getCases.get(name)?.includes(tested))
  if (chosen.length === 0) continue
  const { store, strategy, kind } = tested
  t.test(
    `${store.name}, ${strategy}, ${kind}: killed at each write, no factor is half made, and the next try completes it`,
    { skip: store.skip },
    async (t) => {
      const stage = await openStage(t, await store.create(t), { kind, strategy })
      for (const { name, writes, short, run } of chosen) {
        const kills = isLong ? Array.from({ length: writes }, (_, at) => at) : [short ?? []].flat()
        if (kills.length === 0) continue
        await t.test(name, async (t) => {
          for (const at of kills) await run(t, stage, at)
        })
      }
    }
  )
}
