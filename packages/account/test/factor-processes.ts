import { join } from 'node:path'
import type { Adapter } from '@postern/core'
import {
  type Browser,
  type BrowserResponse,
  type Clock,
  type CookieJar,
  createBrowser,
  createClock,
  type Send
} from '@postern/testkit'
import type { Test } from 'tap'
import { withMysql, withoutServer, withPostgres } from './databases.ts'
import { base, getAddress, origin } from './password-application.ts'
import { type ApplicationProcess, startProcess } from './password-processes.ts'
import {
  answer,
  createApp,
  type Enrolled,
  postEnrollment,
  readKey as readKeyAsJson,
  startEnrollment
} from './second-factor-application.ts'

/** A store that several processes share. */
export interface SharedStore {
  readonly name: string
  readonly skip: string | false
  /** @returns The file, or the URL. */
  readonly create: (t: Test) => Promise<string>
}

export const sharedStores: readonly SharedStore[] = [
  { name: 'SQLite', skip: false, create: async (t) => join(t.testdir(), 'store.sqlite') },
  { name: 'PostgreSQL', skip: await withoutServer('PostgreSQL', 5432), create: withPostgres },
  { name: 'MariaDB', skip: await withoutServer('MariaDB', 3306), create: withMysql }
]

/** Opens a store beside the processes that use it. */
export async function openAdapter(t: Test, address: string): Promise<Adapter> {
  const adapter = await loadAdapter(address)
  t.teardown(() => adapter.close?.())
  return adapter
}

async function loadAdapter(address: string): Promise<Adapter> {
  if (address.startsWith('postgres:'))
    return (await import('@postern/adapters/postgres')).postgresAdapter({ url: address })
  if (address.startsWith('mysql:')) return (await import('@postern/adapters/mysql')).mysqlAdapter({ url: address })
  return (await import('@postern/adapters/sqlite')).sqliteAdapter({ file: address })
}

/** A process with a second factor, and a clock that its requests set. */
export interface FactorProcess {
  readonly clock: Clock
  /** @param cookies - Those of another browser; none without it. */
  readonly newBrowser: (cookies?: CookieJar) => Browser
  readonly nextCode: ApplicationProcess['nextCode']
  readonly nextSignInLink: ApplicationProcess['nextSignInLink']
  readonly hold: ApplicationProcess['hold']
  readonly kill: ApplicationProcess['kill']
  /** Starts it again after it was killed. */
  readonly restart: () => Promise<void>
}

export interface FactorProcessOptions {
  readonly address: string
  readonly kind?: string
  readonly strategy: string
  /** @defaultValue a clock of its own */
  readonly clock?: Clock
}

export async function startFactorProcess(
  t: Test,
  { clock = createClock(), ...options }: FactorProcessOptions
): Promise<FactorProcess> {
  const start = (): Promise<ApplicationProcess> => startProcess(t, { ...options, module: 'factor-process.js' })
  let current = await start()
  const send: Send = (request) =>
    current.send({ ...request, headers: { ...request.headers, 'x-now': String(clock.now()) } })
  return {
    clock,
    newBrowser: (cookies) => createBrowser({ origin, send, clock, ...(cookies && { cookies: cookies.clone() }) }),
    nextCode: () => current.nextCode(),
    nextSignInLink: () => current.nextSignInLink(),
    hold: (send, at) => current.hold(send, at),
    kill: () => current.kill(),
    restart: async () => {
      current = await start()
    }
  }
}

/** The key on a plain page: the process has no renderer. */
export const readKey = ({ body }: BrowserResponse): string => /\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b/.exec(body)?.[0] ?? ''

/** The recovery codes on a plain page. */
export const readRecoveryCodes = ({ body }: BrowserResponse): readonly string[] =>
  body.match(/\b[\dA-Z]{5}-[\dA-Z]{5}\b/g) ?? []

/** Signs in by mail, up to the second factor. */
export async function signInByLink(
  { nextSignInLink }: Pick<FactorProcess, 'nextSignInLink'>,
  browser: Browser,
  address: string
): Promise<BrowserResponse> {
  const sent = nextSignInLink()
  await browser.submit(`${base}/signin/email`, { email: address })
  const page = await browser.open(await sent)
  return page.status === 200 ? browser.fill(page, 'form') : page
}

/** Sets up an app, up to both codes. */
export async function prepareEnrollment(
  { clock, nextCode }: FactorProcess,
  browser: Browser
): Promise<Pick<Enrolled, 'app'> & { readonly fields: Readonly<Record<string, string>> }> {
  const page = await startEnrollment(browser)
  const sent = nextCode()
  await browser.fill(page, `${base}/factors/totp`)
  const key = await readKeyAsJson(browser, `${base}/factors/totp`)
  const app = createApp(key, clock.now)
  return { app, fields: { code: app.code(), mailCode: await sent } }
}

/** Sets up an app. The code that has confirmed it is used up. */
export async function enrollInProcess(process: FactorProcess, browser: Browser): Promise<Enrolled> {
  const { app, fields } = await prepareEnrollment(process, browser)
  const page = await postEnrollment(browser, fields)
  process.clock.advance(31)
  return { app, page, recoveryCodes: readRecoveryCodes(page) }
}

/** Signs in by mail and with a second factor. @returns The address that is signed in. */
export async function signInWithFactor(
  process: FactorProcess,
  address: string,
  values: Readonly<Record<string, string>>
): Promise<string | null> {
  const browser = process.newBrowser()
  await signInByLink(process, browser, address)
  if ((await getAddress(browser)) !== null) return 'without a second factor'
  await answer(browser, values)
  process.clock.advance(31)
  return getAddress(browser)
}
