import { join } from 'node:path'
import { type Browser, createBrowser } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import {
  addPasskey,
  base,
  canSignIn,
  getAddress,
  loadOptions,
  origin,
  readOptions,
  signInWithPasskey,
  strategies
} from './passkey-application.ts'
import { callback, signUpPage, signUpWithPasskey } from './passkey-sign-up-application.ts'
import {
  type ApplicationProcess,
  type InterruptedRun,
  type InterruptedSend,
  interrupt,
  startProcess
} from './password-processes.ts'
import { type Authenticator, type CreationOptions, createAuthenticator } from './software-authenticator.ts'

interface Row {
  readonly id: string
}

interface Stage {
  readonly newBrowser: () => Browser
  readonly nextToken: () => Promise<string>
  readonly nextSignInLink: () => Promise<string>
  readonly hold: ApplicationProcess['hold']
  readonly kill: ApplicationProcess['kill']
  readonly restart: () => Promise<void>
  readonly users: (address: string) => readonly Row[]
  readonly passkeys: (address: string) => readonly Row[]
  /** The factors without a user. */
  readonly strangers: () => readonly Row[]
}

async function openStage(t: Test, kind: string, strategy: string): Promise<Stage> {
  const address = join(t.testdir(), 'store.sqlite')
  const start = (): Promise<ApplicationProcess> =>
    startProcess(t, { address, kind, strategy, module: 'passkey-process.js' })
  let current = await start()
  const read = (sql: string, ...values: string[]): readonly Row[] => {
    const database = new Database(address)
    try {
      return database.prepare<string[], Row>(sql).all(...values)
    } finally {
      database.close()
    }
  }
  const users = `select "id" from "user" where "email" = ?`
  return {
    newBrowser: () => createBrowser({ origin, send: (request) => current.send(request) }),
    nextToken: () => current.nextToken(),
    nextSignInLink: () => current.nextSignInLink(),
    hold: (send, at) => current.hold(send, at),
    kill: () => current.kill(),
    restart: async () => {
      // Removals wait until the lease of the killed process expires, which takes as long as any request may.
      const database = new Database(address)
      database.exec('delete from "postern_lock"')
      database.close()
      current = await start()
    },
    users: (email) => read(users, email),
    passkeys: (email) =>
      read(`select "id" from "postern_factor" where "type" = 'passkey' and "userId" in (${users})`, email),
    strangers: () => read(`select "id" from "postern_factor" where "userId" not in (select "id" from "user")`)
  }
}

const readCsrf = (browser: Browser): Promise<{ readonly csrfToken: string }> => browser.json(`${base}/csrf`)

const newAuthenticator = (): Authenticator => createAuthenticator({ origin, isCounting: true })

/** Signs up in a browser. @returns The request that completes it. */
async function prepareSignUp(
  { nextToken }: Stage,
  browser: Browser,
  address: string,
  authenticator: Authenticator
): Promise<InterruptedSend> {
  const sent = nextToken()
  await signUpWithPasskey(browser, address, authenticator)
  const fields = { token: await sent, ...(await readCsrf(browser)) }
  return (headers) => browser.submit(callback, fields, { headers })
}

interface Owner {
  readonly browser: Browser
  readonly authenticator: Authenticator
}

async function createOwner(stage: Stage, address: string): Promise<Owner> {
  const [browser, authenticator] = [stage.newBrowser(), newAuthenticator()]
  await (await prepareSignUp(stage, browser, address, authenticator))({})
  return { browser, authenticator }
}

/** Signs in by mail and adds a passkey. */
async function recover(
  { nextSignInLink, newBrowser }: Stage,
  address: string,
  authenticator: Authenticator
): Promise<void> {
  const browser = newBrowser()
  const sent = nextSignInLink()
  await browser.submit(`${base}/signin/email`, { email: address })
  const page = await browser.open(await sent)
  if (page.status === 200) await browser.fill(page, 'form')
  await addPasskey(browser, authenticator)
}

/** The passkeys on the page of the user. */
const countListed = async (browser: Browser): Promise<number> =>
  (await browser.open(`${base}/passkeys`)).html().querySelectorAll(`a[href^="${base}/passkeys/"]`).length

/** What is interrupted, with at least as many writes as it makes; the last one stops before the response. */
interface Operation {
  readonly name: string
  readonly writes: number
  /** The write at which `npm test` kills. */
  readonly short: number
  run(t: Test, stage: Stage, at: number, kind: string): InterruptedRun
}

const operations: readonly Operation[] = [
  {
    name: 'the start of a sign-up',
    writes: 4,
    short: 1,
    run: async function* (t, stage, at) {
      const address = `start-${at}@example.com`
      const [browser, authenticator] = [stage.newBrowser(), newAuthenticator()]
      const page = await browser.open(signUpPage)
      const credential = authenticator.create(readOptions<CreationOptions>(page))
      yield (headers) => browser.fill(page, signUpPage, { email: address, credential }, { headers })
      t.same(stage.users(address), [], `${address}: nobody`)
      await (await prepareSignUp(stage, browser, address, authenticator))({})
      t.ok(await canSignIn(stage.newBrowser(), authenticator), `${address}: the next try completes it`)
    }
  },
  {
    name: 'the end of a sign-up',
    writes: 12,
    short: 2,
    run: async function* (t, stage, at, kind) {
      const address = `end-${at}@example.com`
      const [browser, authenticator] = [stage.newBrowser(), newAuthenticator()]
      const complete = await prepareSignUp(stage, browser, address, authenticator)
      yield complete
      t.equal(await getAddress(browser), null, `${address}: nobody is signed in`)
      const { length } = stage.users(address)
      if (kind === 'transactional')
        t.equal(stage.passkeys(address).length, length, `${address}: the user with the passkey`)
      // The same link works, or the owner signs in, by mail if the passkey is missing, or signs up again.
      await complete({})
      if ((await getAddress(browser)) === null && !(await canSignIn(stage.newBrowser(), authenticator))) {
        if (length === 0) await (await prepareSignUp(stage, browser, address, authenticator))({})
        else await recover(stage, address, authenticator)
      }
      t.ok(await canSignIn(stage.newBrowser(), authenticator), `${address}: the next try completes it`)
      t.equal(stage.users(address).length, 1, `${address}: one user`)
      t.equal(stage.passkeys(address).length, 1, `${address}: one passkey`)
    }
  },
  {
    name: 'an addition',
    writes: 6,
    short: 2,
    run: async function* (t, stage, at) {
      const address = `add-${at}@example.com`
      const { browser, authenticator } = await createOwner(stage, address)
      const other = newAuthenticator()
      const page = await browser.open(`${base}/passkeys`)
      const credential = other.create(readOptions<CreationOptions>(page))
      yield (headers) => browser.fill(page, `${base}/passkeys`, { credential }, { headers })
      // The session of the request may have been replaced without a response.
      if ((await getAddress(browser)) === null) await signInWithPasskey(browser, authenticator)
      const isAdded = await canSignIn(stage.newBrowser(), other)
      t.equal(await countListed(browser), isAdded ? 2 : 1, `${address}: all or nothing`)
      const next = isAdded ? other : newAuthenticator()
      if (!isAdded) await addPasskey(browser, next)
      t.equal(await countListed(browser), 2, `${address}: the next try completes it`)
      t.ok(await canSignIn(stage.newBrowser(), next))
      t.ok(await canSignIn(stage.newBrowser(), authenticator))
    }
  },
  {
    name: 'a sign-in',
    writes: 8,
    short: 2,
    run: async function* (t, stage, at) {
      const address = `sign-in-${at}@example.com`
      const { authenticator } = await createOwner(stage, address)
      const browser = stage.newBrowser()
      const credential = authenticator.get(await loadOptions(browser))
      const fields = { credential, ...(await readCsrf(browser)) }
      yield (headers) => browser.submit(`${base}/callback/passkey`, fields, { headers })
      t.equal(await getAddress(browser), null, `${address}: nobody is signed in`)
      await browser.submit(`${base}/callback/passkey`, fields)
      // Only if nothing was written.
      if (at > 0) t.equal(await getAddress(browser), null, `${address}: the response is not used again`)
      await signInWithPasskey(browser, authenticator)
      t.equal(await getAddress(browser), address, `${address}: the next try completes it`)
    }
  },
  {
    name: 'a removal',
    writes: 14,
    short: 5,
    run: async function* (t, stage, at) {
      const address = `remove-${at}@example.com`
      const { browser, authenticator } = await createOwner(stage, address)
      const [{ id } = { id: '' }] = stage.passkeys(address)
      const other = newAuthenticator()
      await addPasskey(browser, other)
      const thief = stage.newBrowser()
      t.ok(await canSignIn(thief, authenticator))
      const csrf = await readCsrf(browser)
      const remove: InterruptedSend = (headers) => browser.submit(`${base}/passkeys/${id}/remove`, csrf, { headers })
      yield remove
      const isGone = !stage.passkeys(address).some((known) => known.id === id)
      if (isGone) t.equal(await getAddress(thief), null, `${address}: no session of the removed passkey is left`)
      // The session of the request may have been replaced without a response.
      if ((await getAddress(browser)) === null) await signInWithPasskey(browser, other)
      await browser.submit(`${base}/passkeys/${id}/remove`, {})
      t.notOk(await canSignIn(stage.newBrowser(), authenticator), `${address}: the next try completes it`)
      t.equal(await getAddress(thief), null, `${address}: the other sessions have ended`)
      t.ok(await canSignIn(stage.newBrowser(), other), `${address}: the other passkey works`)
    }
  }
]

const kinds = ['transactional', 'one by one'] as const
const all = strategies.flatMap((strategy) => kinds.map((kind) => ({ strategy, kind })))
/** In `npm test` one process is killed. */
const cases = isLong ? all : all.filter(({ strategy, kind }) => strategy === 'jwt' && kind === 'one by one')

/** In `npm test` each operation is killed at one write; in the long run at every write. */
function getRounds(): readonly (readonly (Operation & { readonly at: number })[])[] {
  if (!isLong) return [operations.map((one) => ({ ...one, at: one.short }))]
  const maxWrites = Math.max(...operations.map(({ writes }) => writes))
  return Array.from({ length: maxWrites }, (_, at) =>
    operations.filter(({ writes }) => at < writes).map((one) => ({ ...one, at }))
  )
}

for (const { strategy, kind } of cases)
  t.test(
    `${strategy}, ${kind}: killed at each write, no passkey is half made, and the next try completes it`,
    async (t) => {
      const stage = await openStage(t, kind, strategy)
      const restart = async (): Promise<void> => {
        await stage.restart()
        t.same(stage.strangers(), [], 'no passkey without a user')
      }
      for (const round of getRounds()) {
        const runs = round.map(({ at, run }) => ({ at, run: run(t, stage, at, kind) }))
        await interrupt(t, { ...stage, restart }, runs)
      }
    }
  )
