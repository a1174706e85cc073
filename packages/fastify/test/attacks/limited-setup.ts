import credentials from '@postern/core/providers/credentials'
import type { Test } from 'tap'
import { form, getAddress, password } from '../advisories/perimeter-setup.ts'
import type { Started, StartOptions } from '../start.ts'
import { browserAt, getCsrf } from '../visitor.ts'
import { createClockLimiter } from './clock-limiter.ts'
import { startAccounts } from './setup.ts'

/** Leaves the other limits to decide. */
export const callbackPerClient = { points: 1_000_000, seconds: 60 }

interface Limited extends Started {
  /** The usernames whose password was checked. */
  readonly checked: string[]
}

/** Accounts with the default limits, which follow the clock of the test. */
export async function startLimited(t: Test, { rateLimit, ...options }: StartOptions = {}): Promise<Limited> {
  const limiter = createClockLimiter()
  const checked: string[] = []
  const people = credentials({
    credentials: { username: {}, password },
    authorize: ({ username, password }) => {
      checked.push(username)
      return password === 'lovelace' ? { id: `id-${username}`, name: username, email: `${username}@example.com` } : null
    }
  })
  const limits = { limiter, callbackPerClient, ...rateLimit }
  const started = await startAccounts(t, { people, ...options, rateLimit: limits })
  limiter.now = started.clock.now
  return { ...started, checked }
}

export const wrong = (username: string) => ({ username, password: 'wrong' })

/** The wrong passwords that exceed the limit of a username. */
const guesses = 101

/** Exceeds the limit of a username, each time from another address. @param first - The first of these addresses. */
export async function exhaust({ app, clock }: Pick<Started, 'app' | 'clock'>, username: string, first: number = 0) {
  const { csrfToken, cookies } = await getCsrf(app, clock)
  for (let turn = first; turn < first + guesses; turn++)
    await browserAt(app, clock, getAddress(turn), cookies.clone()).submit(form, { ...wrong(username), csrfToken })
}
