import t from 'tap'
import { createPostern } from '../../src/postern.ts'
import { origin, people, secret, start } from '../flows/start.ts'

const options = { url: origin, secret, providers: [people], runtime: { kill: () => undefined } }
const problem = (environment: Readonly<Record<string, string>>, given: object = {}): string => {
  try {
    createPostern({ ...options, ...given }, environment)
    return 'none'
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'no error'
  }
}

t.test(
  'a fail point is refused in production, by an unknown name, and where nothing can end the process',
  async (t) => {
    const point = { POSTERN_FAILPOINT: 'after-user' }
    t.equal(problem(point), 'none')
    t.equal(problem({ POSTERN_FAILPOINT: '' }), 'none')
    t.match(
      problem({ ...point, NODE_ENV: 'production' }),
      /^ConfigError: [\s\S]*POSTERN_FAILPOINT[\s\S]*production[\s\S]*unset it/
    )
    t.match(
      problem({ POSTERN_FAILPOINT: 'nowhere' }),
      /POSTERN_FAILPOINT[\s\S]*before-consume, after-consume[\s\S]*before-answer/
    )
    t.match(problem(point, { runtime: {} }), /POSTERN_FAILPOINT[\s\S]*runtime\.kill/)
  }
)

t.test('the process ends at the fail point that is set, and at no other', async (t) => {
  for (const [point, kills] of [
    ['before-answer', 1],
    ['after-session', 0],
    ['', 0]
  ] as const) {
    let count = 0
    const kill = (): void => {
      count += 1
    }
    const { browser } = start({ runtime: { kill }, environment: { POSTERN_FAILPOINT: point } })
    await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
    t.equal(count, kills, point)
  }
})
