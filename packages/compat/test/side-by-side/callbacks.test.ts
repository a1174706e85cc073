import type { Browser } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { diff, isExpectedDifference } from './diff.ts'
import { callbackDifferences } from './differences.ts'
import { byIssuer, plain, type Side, startPair, type TestOptions } from './pair.ts'

const byMail = async ({ links }: Side, browser: Browser): Promise<unknown> => {
  await browser.submit('/api/auth/signin/email', { email: ' Grace@Mail.test ' })
  return browser.open(links.at(-1) ?? '/')
}

/** What a visitor does, after what they did before. */
const doing: readonly (readonly [
  what: string,
  act: (side: Side, browser: Browser) => Promise<unknown>,
  before?: (side: Side, browser: Browser) => Promise<unknown>
])[] = [
  ['the first sign-in at a provider', byIssuer],
  [
    'the next sign-in at a provider',
    byIssuer,
    async (side, browser) => {
      await byIssuer(side, browser)
      browser.cookies.clear()
    }
  ],
  ['a sign-in at the provider while signed in there', byIssuer, byIssuer],
  ['linking a provider to who is signed in', byIssuer, byMail],
  ['the first sign-in by mail', byMail],
  ['the next sign-in by mail', byMail, byMail],
  [
    'sign-in with a form',
    (_, browser) => browser.submit('/api/auth/callback/people', { username: 'ada', password: 'x' })
  ],
  ['reading a session', (_, browser) => browser.json('/api/auth/session'), byIssuer],
  [
    'updating a session',
    (_, browser) => browser.submit('/api/auth/session', { data: 'new' }, { json: true }),
    byIssuer
  ],
  ['sign-out', (_, browser) => browser.submit('/api/auth/signout', {}), byIssuer],
  ['sign-out of no one', (_, browser) => browser.submit('/api/auth/signout', {})]
]

const results: readonly (readonly [title: string, wishes: TestOptions])[] = [
  ['', {}],
  [', refused', { signIn: () => false }],
  [', sent elsewhere', { signIn: () => '/elsewhere' }]
]

/** In `npm test` a refusal has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(['jwt', 'database'] as const, t)

const found = new Set<string>()

for (const turn of turns()) {
  const strategy = turn.value
  for (const [response, overrides] of results) {
    for (const [title, act, before] of doing) {
      const name = `${strategy}: ${title}${response}`
      const declaring = response === '' ? t : turn
      declaring.test(name, async (t) => {
        const pair = await startPair(t, { strategy, ...overrides })
        const logged: unknown[] = []
        for (const side of pair) {
          const browser = side.browser()
          await before?.(side, browser)
          const start = side.calls.length
          await act(side, browser)
          logged.push(plain(side.calls.slice(start)))
        }
        const differences = diff(logged[0], logged[1], name)
        for (const { reason } of callbackDifferences.filter((expectedDifference) =>
          differences.some((one) => isExpectedDifference(one, expectedDifference))
        ))
          found.add(reason)
        const others = differences.filter(
          (one) => !callbackDifferences.some((expectedDifference) => isExpectedDifference(one, expectedDifference))
        )
        t.same(others, [], `same calls and results: ${pair[1].calls.map(([called]) => called).join()}`)
      })
    }
  }
}

t.test('every difference that is meant is one', async (t) => {
  t.same(
    callbackDifferences.map(({ reason }) => reason).filter((reason) => !found.has(reason)),
    []
  )
})
