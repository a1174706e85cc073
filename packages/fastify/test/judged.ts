import type { Browser, BrowserResponse } from '@postern/testkit'
import {
  Ledger,
  type Person,
  type Rows,
  rowsByAdapter,
  settle,
  survivorOf,
  watchedBrowser
} from '@postern/testkit/oracle'
import type { Test } from 'tap'
import { fromAfar, origin, type Started, type StartOptions, start } from './start.ts'

export type Way = 'the provider' | 'the link' | 'the form'

/** People in front of an application, and the oracle at the end. */
export interface Judged {
  readonly ledger: Ledger
  /** A new browser of somebody's. */
  readonly browserOf: (name: string) => Browser
  /** Signs somebody in. */
  readonly signIn: (browser: Browser, name: string, way: Way) => Promise<BrowserResponse>
  /** Goes as far as the last request of a sign-in. @returns That request. */
  readonly begin: (
    browser: Browser,
    name: string,
    way: Way
  ) => Promise<(headers?: Readonly<Record<string, string>>) => Promise<BrowserResponse>>
  /** Holds what is stored against what everybody was told; everybody signs in once more, as they did at first. */
  readonly settle: (t: OracleTest, what: string, mayBeTold?: readonly string[]) => Promise<void>
}

interface OracleTest {
  same(found: unknown, wanted: unknown, message: string): unknown
}

export const personOf = (name: string): Person => ({
  name,
  address: `${name}@example.com`,
  accounts: [`demo:${name}`, `credentials:id-${name}`]
})

/** Writes down what people are told by an application. */
export function judged(started: Started, rows: (ledger: Ledger) => Promise<Rows>): Judged {
  const { send, clock, issuer, mailbox } = started
  const ledger = new Ledger()
  const reached = { origin, send, clock }
  const waysOf = new Map<string, Way>()
  const begin: Judged['begin'] = async (browser, name, way) => {
    const email = `${name}@example.com`
    if (!waysOf.has(name)) waysOf.set(name, way)
    if (way === 'the form') {
      await browser.open('/api/auth/csrf')
      const form = { username: name, password: 'lovelace' }
      return (headers = {}) => browser.submit('/api/auth/callback/credentials', form, { headers })
    }
    const url = way === 'the link' ? await mailedTo(browser, email) : await provided(browser, name)
    return (headers = {}) => browser.open(url, { headers: { ...fromAfar, ...headers } })
  }
  const turns = new Map<string, Promise<unknown>>()
  /** The link of a mail that was asked for, or what there is where none came: one person's mails come one at a time. */
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
  const signIn: Judged['signIn'] = async (browser, name, way) => (await begin(browser, name, way))()
  return {
    ledger,
    browserOf: (name) => watchedBrowser(ledger, personOf(name), reached),
    begin,
    signIn,
    settle: (t, what, mayBeTold = []) => {
      const again = (browser: Browser, { name }: Person): Promise<unknown> =>
        signIn(browser, name, waysOf.get(name) ?? 'the form')
      const survivor = survivorOf(ledger, { ...reached, rows: () => rows(ledger), signIn: again })
      return settle(t, ledger, survivor, { what, mayBeTold })
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
