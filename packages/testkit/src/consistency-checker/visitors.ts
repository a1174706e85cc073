import { type Browser, createBrowser } from '../browser/browser.ts'
import type { Send } from '../browser/send.ts'
import type { Now } from '../clock.ts'
import type { Ledger, Person } from './ledger.ts'
import type { Rows } from './rows.ts'
import type { Survivor } from './settle.ts'
import { namedIn, watching } from './watching.ts'

/** An application that is tested over HTTP. */
export interface Reachable {
  readonly origin: string
  readonly send: Send
  readonly clock?: Now
  readonly rows: () => Promise<Rows>
  /** How a person signs in at the end. */
  readonly signIn: (browser: Browser, person: Person) => Promise<unknown>
}

/** A browser whose responses are all recorded. */
export function watchedBrowser(
  ledger: Ledger,
  person: Person,
  { origin, send, clock }: Pick<Reachable, 'origin' | 'send' | 'clock'>
): Browser {
  return createBrowser({ origin, send: watching(ledger, person)(send), ...(clock ? { clock } : {}) })
}

/** Implements the checker's queries with requests. */
export function getSurvivor(ledger: Ledger, application: Reachable): Survivor {
  const { origin, send, rows, signIn } = application
  return {
    rows,
    whose: async (cookie) => {
      const headers = { host: new URL(origin).host, cookie, 'sec-fetch-site': 'same-origin' }
      const { status, body } = await send({ method: 'GET', origin, url: '/api/auth/session', headers })
      return status === 200 ? namedIn(body) : `status ${status}`
    },
    signIn: (person) => signIn(watchedBrowser(ledger, person, application), person)
  }
}
