import type { Browser, BrowserResponse } from '@postern/testkit'
import {
  getSurvivor,
  Ledger,
  type Person,
  type Rows,
  rowsByAdapter,
  settle,
  watchedBrowser
} from '@postern/testkit/consistency-checker'
import type { Test } from 'tap'
import { fromAfar, origin, type Started, type StartOptions, start } from './start.ts'

export type SignInMethod = 'the provider' | 'the link' | 'the form'

/** People in front of an application, and the oracle at the end. */
export interface Judged {
  readonly ledger: Ledger
  /** A new browser of a user's. */
  readonly getBrowser: (name: string) => Browser
  /** Signs a user in. */
  readonly signIn: (browser: Browser, name: string, method: SignInMethod) => Promise<BrowserResponse>
  /** Goes as far as the last request of a sign-in. @returns That request. */
  readonly begin: (
    browser: Browser,
    name: string,
    method: SignInMethod
  ) => Promise<(headers?: Readonly<Record<string, string>>) => Promise<BrowserResponse>>
  /** Compares the stored rows with the results; every user signs in again with the same method. */
  readonly settle: (t: OracleTest, title: string, allowedErrors?: readonly string[]) => Promise<void>
}

interface OracleTest {
  same(found: unknown, requested: unknown, message: string): unknown
}

export const getPerson = (name: string): Person => ({
  name,
  address: `${name}@example.com`,
  accounts: [`demo:${name}`, `credentials:id-${name}`]
})

/** Records the results of the users of an application. */
export function judged(started: Started, rows: (ledger: Ledger) => Promise<Rows>): Judged {
  const { send, clock, issuer, mailbox } = started
  const ledger = new Ledger()
  const reached = { origin, send, clock }
  const getMethods = new Map<string, SignInMethod>()
  const begin: Judged['begin'] = async (browser, name, method) => {
    const email = `${name}@example.com`
    if (!getMethods.has(name)) getMethods.set(name, method)
    if (method === 'the form') {
      await browser.open('/api/auth/csrf')
      const form = { username: name, password: 'lovelace' }
      return (headers = {}) => browser.submit('/api/auth/callback/credentials', form, { headers })
    }
    const url = method === 'the link' ? await mailedTo(browser, email) : await provided(browser, name)
    return (headers = {}) => browser.open(url, { headers: { ...fromAfar, ...headers } })
  }
  const turns = new Map<string, Promise<unknown>>()
  /** The link of a requested mail, or the response if none arrived: each user's mails arrive one at a time. */
  const mailedTo = (browser: Browser, email: string): Promise<string> => {
    const ask = async (): Promise<string> => {
      await browser.submit('/api/auth/signin/email', { email })
      return mailbox.mails.findLast(({ to }) => to === email)?.url ?? '/'
    }
    const link = (turns.get(email) ?? Promise.resolve()).then(ask, ask)
    turns.set(email, link)
    return link
  }
  const provided = async (browser: Browser, name: string): Promise<string> => {
    const { location } = await browser.submit('/api/auth/signin/demo', {})
    const person = { sub: name, name, email: `${name}@example.com`, email_verified: true }
    return location?.startsWith(issuer.issuer) ? issuer.authorize(location, person) : '/'
  }
  const signIn: Judged['signIn'] = async (browser, name, method) => (await begin(browser, name, method))()
  return {
    ledger,
    getBrowser: (name) => watchedBrowser(ledger, getPerson(name), reached),
    begin,
    signIn,
    settle: (t, title, allowedErrors = []) => {
      const again = (browser: Browser, { name }: Person): Promise<unknown> =>
        signIn(browser, name, getMethods.get(name) ?? 'the form')
      const survivor = getSurvivor(ledger, { ...reached, rows: () => rows(ledger), signIn: again })
      return settle(t, ledger, survivor, { title, allowedErrors })
    }
  }
}

/** Starts an application whose rows the oracle asks its adapter for. */
export async function startJudged(t: Test, options: StartOptions): Promise<Started & Judged> {
  const started = await start(t, options)
  const rows = ({ entries }: Ledger): Promise<Rows> =>
    rowsByAdapter(
      started.store.adapter,
      [...entries.values()].map(({ person }) => person)
    )
  return { ...started, ...judged(started, rows) }
}
