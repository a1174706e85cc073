import type { Browser } from '@postern/testkit'
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
import { type InterruptedRun, type InterruptedSend, interrupt } from './password-processes.ts'
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

/** The types of the factors that an interrupted request has left to the user with an address. */
async function getLeft(t: Test, stage: Stage, address: string): Promise<readonly string[]> {
  stage.clock.advance(31)
  const left = await stage.factors(address)
  t.ok(!left.includes(totp) || left.includes(codes), `${address}: no app without recovery codes`)
  return left
}

/** The CSRF token is read before the request that is interrupted. */
async function prepare(
  browser: Browser,
  path: string,
  fields: Readonly<Record<string, string>>
): Promise<InterruptedSend> {
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
  { address, app, recoveryCodes }: Pick<Enrolled, 'app' | 'recoveryCodes'> & { readonly address: string }
): Promise<void> {
  t.equal(recoveryCodes.length, 10, `${address}: the recovery codes were shown`)
  t.equal(await signInWithFactor(stage, address, { code: app.code() }), address, `${address}: the app works`)
  const recoveryCode = recoveryCodes[0] ?? ''
  t.equal(await signInWithFactor(stage, address, { recoveryCode }), address, `${address}: a recovery code works`)
}

/** What is interrupted, with at least as many writes as it makes; the last one stops before the response. */
interface Operation {
  readonly name: string
  readonly writes: number
  /** The write at which `npm test` interrupts; `null` for the long run only. */
  readonly short: number | null
  run(t: Test, stage: Stage, at: number): InterruptedRun
}

const operations: readonly Operation[] = [
  {
    name: 'an enrollment in a session',
    writes: 22,
    short: 13,
    run: async function* (t, stage, at) {
      const address = `session-${at}@example.com`
      const [browser, thief] = [stage.newBrowser(), stage.newBrowser()]
      for (const each of [thief, browser]) await signInByLink(stage, each, address)
      const { app, fields } = await prepareEnrollment(stage, browser)
      const send = await prepare(browser, '/factors/totp', fields)
      yield send
      const left = await getLeft(t, stage, address)
      if (!left.includes(totp)) {
        await signInAgain(stage, browser, address)
        const again = await enrollInProcess(stage, browser)
        return requireFactors(t, stage, { ...again, address })
      }
      t.equal(await getAddress(thief), null, `${address}: no session from before the app is left`)
      // The response with the codes was lost: who has the app creates others.
      const next = stage.newBrowser()
      await signInByLink(stage, next, address)
      await answer(next, { code: app.code() })
      stage.clock.advance(31)
      const page = await next.submit(`${base}/factors/recovery-codes`, { code: app.code() })
      stage.clock.advance(31)
      await requireFactors(t, stage, { app, recoveryCodes: readRecoveryCodes(page), address })
    }
  },
  {
    name: 'the confirmation of a required enrollment',
    writes: 6,
    short: null,
    run: async function* (t, stage, at) {
      const address = `required-confirm-${at}@example.com`
      const browser = stage.newBrowser()
      await signInByLink(stage, browser, address)
      const app = createApp(readKey(await browser.open(`${base}/verify/enroll`)), stage.clock.now)
      const send = await prepare(browser, '/verify/enroll', { code: app.code() })
      yield send
      t.same(await getLeft(t, stage, address), [], `${address}: nothing is set up`)
      t.equal(await getAddress(browser), null, `${address}: nobody is signed in`)
      // The codes of a secret that was confirmed were shown in a response that was lost: another sign-in has another secret.
      await signInByLink(stage, browser, address)
      await requireFactors(t, stage, { ...(await completeEnrollment(stage, browser)), address })
    }
  },
  {
    name: 'the end of a required enrollment',
    writes: 18,
    short: 5,
    run: async function* (t, stage, at) {
      const address = `required-end-${at}@example.com`
      const browser = stage.newBrowser()
      await signInByLink(stage, browser, address)
      const app = createApp(readKey(await browser.open(`${base}/verify/enroll`)), stage.clock.now)
      const recoveryCodes = readRecoveryCodes(await browser.submit(`${base}/verify/enroll`, { code: app.code() }))
      const send = await prepare(browser, '/verify/enroll', { saved: 'yes' })
      yield send
      const left = await getLeft(t, stage, address)
      t.equal(await getAddress(browser), null, `${address}: nobody is signed in`)
      if (left.includes(totp)) return requireFactors(t, stage, { app, recoveryCodes, address })
      await signInByLink(stage, browser, address)
      await requireFactors(t, stage, { ...(await completeEnrollment(stage, browser)), address })
    }
  },
  {
    name: 'a removal',
    writes: 18,
    short: null,
    run: async function* (t, stage, at) {
      const address = `remove-${at}@example.com`
      const { browser, app } = await createOwner(stage, address)
      const thief = stage.newBrowser()
      await signInByLink(stage, thief, address)
      await answer(thief, { code: app.code() })
      stage.clock.advance(31)
      const send = await prepare(browser, '/factors/totp/remove', { code: app.code() })
      yield send
      const left = await getLeft(t, stage, address)
      if (left.includes(totp)) {
        if ((await getAddress(browser)) === null) {
          await signInByLink(stage, browser, address)
          await answer(browser, { code: app.code() })
          stage.clock.advance(31)
        }
        await browser.submit(`${base}/factors/totp/remove`, { code: app.code() })
        t.notOk((await stage.factors(address)).includes(totp), `${address}: the next try completes it`)
      }
      t.equal(await getAddress(thief), null, `${address}: the other sessions have ended`)
      const next = stage.newBrowser()
      await signInByLink(stage, next, address)
      t.equal(await getAddress(next), address, `${address}: a removed app is not asked for`)
      await requireFactors(t, stage, { ...(await enrollInProcess(stage, next)), address })
    }
  },
  {
    name: 'the use of a recovery code',
    writes: 10,
    short: 3,
    run: async function* (t, stage, at) {
      const address = `recovery-${at}@example.com`
      const { app, recoveryCodes } = await createOwner(stage, address)
      const [recoveryCode = '', ...others] = recoveryCodes
      const browser = stage.newBrowser()
      await signInByLink(stage, browser, address)
      yield await prepare(browser, '/verify/factor', { recoveryCode })
      await getLeft(t, stage, address)
      t.equal(await getAddress(browser), null, `${address}: nobody is signed in`)
      const isLeft = (await signInWithFactor(stage, address, { recoveryCode })) === address
      t.equal(await signInWithFactor(stage, address, { recoveryCode }), null, `${address}: it works once`)
      const owner = stage.newBrowser()
      await signInByLink(stage, owner, address)
      await answer(owner, { code: app.code() })
      const { props } = await owner.json<{ props: { recoveryCodes: number } }>(`${base}/factors`)
      t.equal(props.recoveryCodes, 9, `${address}: the others are left, used ${isLeft ? 'now' : 'before'}`)
      t.equal(
        await signInWithFactor(stage, address, { recoveryCode: others[0] ?? '' }),
        address,
        `${address}: another works`
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

/** The operations that are interrupted by one kill, each at a write. */
function getRounds(chosen: readonly Operation[]): readonly (readonly (Operation & { readonly at: number })[])[] {
  if (!isLong) return [chosen.flatMap((one) => (one.short === null ? [] : [{ ...one, at: one.short }]))]
  const most = Math.max(...chosen.map(({ writes }) => writes))
  return Array.from({ length: most }, (_, at) =>
    chosen.filter(({ writes }) => at < writes).map((one) => ({ ...one, at }))
  )
}

for (const tested of cases) {
  const chosen = operations.filter(({ name }) => getCases.get(name)?.includes(tested))
  if (chosen.length === 0) continue
  const { store, strategy, kind } = tested
  t.test(
    `${store.name}, ${strategy}, ${kind}: killed at each write, no factor is half made, and the next try completes it`,
    { skip: store.skip },
    async (t) => {
      const stage = await openStage(t, await store.create(t), { kind, strategy })
      for (const round of getRounds(chosen)) {
        const runs = round.map(({ at, run }) => ({ at, run: run(t, stage, at) }))
        await interrupt(t, stage, runs)
      }
    }
  )
}
