import type { Browser } from '@postern/testkit'
import t from 'tap'
import { fromAfar, origin, type Started, type StartOptions, signInAtIssuer, signInByForm, start } from './start.ts'

// How many calls of the store a sign-in makes, a transaction counted as one.

const ada = { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }

/** Signs in at the provider, and stops before the callback. */
async function atTheProvider(
  { issuer }: Started,
  browser: Browser,
  person: Parameters<Started['issuer']['authorize']>[1] = ada,
  fields: Record<string, string> = {}
): Promise<() => Promise<{ readonly location: string | null }>> {
  const response = await browser.submit('/api/auth/signin/demo', fields)
  const callback = await issuer.authorize(response.location ?? '', person)
  return () => browser.open(callback, { headers: fromAfar })
}

/** The methods that were called; those of a transaction, and the id of a user, are no calls of their own. */
function listCalls({ store }: Started): readonly string[] {
  const own: string[] = []
  let inside = 0
  for (const { method, args } of store.calls) {
    if (inside > 0) inside -= 1
    else if (method !== 'createUserId') own.push(method)
    if (method === 'transact' && Array.isArray(args[0])) inside = args[0].length
  }
  return own
}

interface Case {
  readonly title: string
  readonly most: number
  /** Prepares, and returns the request that is counted. */
  readonly begin: (started: Started) => Promise<() => Promise<{ readonly location: string | null }>>
}

const cases: readonly Case[] = [
  {
    title: 'a known user, by a provider',
    most: 3,
    begin: async (started) => {
      await signInAtIssuer(started, started.newBrowser(), ada)
      return atTheProvider(started, started.newBrowser())
    }
  },
  { title: 'a first sign-in', most: 4, begin: async (started) => atTheProvider(started, started.newBrowser()) },
  {
    title: 'a link of one account',
    most: 5,
    begin: async (started) => {
      const browser = started.newBrowser()
      await signInAtIssuer(started, browser, ada)
      return atTheProvider(started, browser, { ...ada, sub: 'other' }, { link: 'true' })
    }
  },
  {
    title: 'a form of the application',
    most: 4,
    begin: async ({ newBrowser }) => {
      await signInByForm(newBrowser(), 'bob')
      return () => signInByForm(newBrowser(), 'bob')
    }
  },
  {
    title: 'a reclaim by a mailed link',
    most: 6,
    begin: async (started) => {
      await signInAtIssuer(started, started.newBrowser(), { ...ada, email_verified: false })
      const browser = started.newBrowser()
      await browser.submit('/api/auth/signin/email', { email: ada.email })
      return () => browser.open(started.mailbox.last().url, { headers: fromAfar })
    }
  }
]

for (const strategy of ['jwt', 'database'] as const)
  for (const { title, most, begin } of cases)
    t.test(`${strategy}: ${title}`, async (t) => {
      const options: StartOptions = { session: { strategy }, mail: { code: false } }
      const started = await start(t, options)
      const request = await begin(started)
      started.store.forget()
      const { location } = await request()
      t.equal(location?.startsWith(origin) && !location.includes('error='), true, location ?? 'no location')
      const methods = listCalls(started)
      t.ok(methods.length <= most, `${methods.length}: ${methods.join(' ')}`)
      t.comment(`${methods.length}: ${methods.join(' ')}`)
    })
