import credentials from '@postern/core/providers/credentials'
import { isLong } from '@postern/testkit/long'
import type { Test } from 'tap'
import { form, getAddress, password } from '../advisories/perimeter-setup.ts'
import type { Started, StartOptions } from '../start.ts'
import { browserAt, getCsrf } from '../visitor.ts'
import { type ClockLimiter, createClockLimiter } from './clock-limiter.ts'
import { startAccounts } from './setup.ts'

/** Leaves the other limits to decide. */
export const callbackPerClient = { points: 1_000_000, seconds: 60 }

interface Limited extends Started {
  /** The usernames whose password was checked. */
  readonly checked: string[]
  readonly limiter: ClockLimiter
}

/**
 * The limit of one client: the default in the long run, a fifth in `npm test`, for tests of which requests count as those of
 * one client.
 */
export const perClient = { credentialsPerClient: { points: isLong ? 100 : 20, seconds: 3600 } }

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
  return { ...started, checked, limiter }
}

export const wrong = (username: string) => ({ username, password: 'wrong' })

/** The wrong passwords that exceed the limit of a username. */
const guesses = 101

/**
 * Exceeds the limit of a username, each time from another address. In `npm test` the limiter itself adds what all but three of
 * the guesses count.
 * @param first - The first of these addresses.
 */
export async function exhaust(
  { app, clock, limiter }: Pick<Limited, 'app' | 'clock' | 'limiter'>,
  username: string,
  first: number = 0
): Promise<void> {
  const { csrfToken, cookies } = await getCsrf(app, clock)
  /** @returns The keys that the guess was counted by. */
  const guess = async (turn: number): Promise<ReadonlySet<string>> => {
    const before = new Map(Array.from(limiter.counts, ([id, { points, ends }]) => [id, `${ends} ${points}`]))
    await browserAt(app, clock, getAddress(turn), cookies.clone()).submit(form, { ...wrong(username), csrfToken })
    const counted = [...limiter.counts].filter(([id, { points, ends }]) => before.get(id) !== `${ends} ${points}`)
    return new Set(counted.map(([id]) => id))
  }
  if (isLong) {
    for (let turn = first; turn < first + guesses; turn++) await guess(turn)
    return
  }
  // What the guesses of two clients have in common is counted for the username.
  const [one, other] = [await guess(first), await guess(first + 1)]
  const common = [...one].filter((id) => other.has(id))
  if (common.length === 0) throw new Error(`expected a limit of ${username}`)
  for (const id of common) limiter.add(id, guesses - 3)
  await guess(first + guesses - 1)
}
