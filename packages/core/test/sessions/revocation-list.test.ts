import { type Clock, createClock } from '@postern/testkit'
import t from 'tap'
import type { Revocation } from '../../src/adapter/revocation.ts'
import type { Revocations } from '../../src/adapter/store.ts'
import { type Revocable, RevocationList } from '../../src/sessions/revocation-list.ts'

interface Shared extends Revocations {
  readonly requests: string[]
  failure: Error | null
  /** What a call waits for. */
  gate: Promise<void>
  /** Removes expired entries. */
  readonly clean: () => void
}

/** A store that several processes share: it counts its calls, and can fail. */
function sharedStore({ now }: Clock): Shared {
  const rows = new Map<string, Revocation>()
  const shared: Shared = {
    requests: [],
    failure: null,
    gate: Promise.resolve(),
    clean: () => {
      for (const [subject, { until }] of rows) if (until.getTime() <= now()) rows.delete(subject)
    },
    revoke: async (subject, until) => {
      await signIn('revoke')
      const version = Math.max(now(), (rows.get(subject)?.version ?? 0) + 1)
      rows.set(subject, { subject, version, until })
      return version
    },
    getRevocations: async (subjects) => {
      await signIn('get')
      return subjects.flatMap((subject) => rows.get(subject) ?? [])
    },
    listRevocations: async (since, max) => {
      await signIn('list')
      return [...rows.values()].filter(({ version }) => version >= since.getTime()).slice(0, max)
    }
  }
  const signIn = async (title: string): Promise<void> => {
    shared.requests.push(title)
    await shared.gate
    if (shared.failure) throw shared.failure
  }
  return shared
}

function setUp(max = 1000) {
  const clock = createClock()
  const store = sharedStore(clock)
  const warnings: string[] = []
  const logger = { error: () => undefined, warn: (code: string) => void warnings.push(code), debug: () => undefined }
  const process = (): RevocationList =>
    new RevocationList(store, true, logger, { now: clock.now, refresh: 5, stale: 60, max, maxAge: 30 * 86_400 })
  const inDays = (days: number): Date => new Date(clock.now() + days * 86_400_000)
  return { clock, store, warnings, process, inDays }
}

const token = (changes: Partial<Revocable> = {}): Revocable => ({
  userId: 'ada',
  sessionId: 's1',
  version: 0,
  ...changes
})

t.test('a revocation counts at once here, and within seconds elsewhere', async (t) => {
  const { clock, process, inDays } = setUp()
  const [here, there] = [process(), process()]
  t.equal(await here.isRevoked(token()), false)
  t.equal(await there.isRevoked(token()), false)
  await here.revokeSession('s1', inDays(30))
  t.equal(await here.isRevoked(token()), true)
  t.equal(await there.isRevoked(token()), false, 'it has not looked yet')
  clock.advance(5)
  t.equal(await there.isRevoked(token()), true)
  t.equal(await there.isRevoked(token({ sessionId: 's2' })), false, 'another session of the same user remains valid')
})

t.test('a session that begins after a user was signed out everywhere counts', async (t) => {
  const { process } = setUp()
  const list = process()
  const before = await list.getVersion('ada')
  const version = await list.revokeUser('ada')
  t.equal(await list.isRevoked(token({ version: before })), true)
  t.equal(await list.getVersion('ada'), version)
  t.equal(await list.isRevoked(token({ version })), false)
  t.equal(await list.isRevoked(token({ userId: 'bob' })), false)
  await list.revokeUser('ada')
  t.equal(await list.isRevoked(token({ version })), true, 'until the next time')
})

t.test('the store is queried once in five seconds, however many requests arrive', async (t) => {
  const { clock, store, process } = setUp()
  const list = process()
  for (let round = 1; round <= 3; round++) {
    await Promise.all(Array.from({ length: 100 }, () => list.isRevoked(token())))
    t.equal(store.requests.length, round)
    t.equal(list.isRevoked(token()), false, 'and no one waits in between')
    clock.advance(5)
  }
})

t.test('a revocation that was noted while it was looked for is not lost', async (t) => {
  const { clock, store, process, inDays } = setUp()
  const [here, there] = [process(), process()]
  await there.isRevoked(token())
  clock.advance(5)
  await here.revokeSession('s1', inDays(30))
  let open: () => void = () => undefined
  store.gate = new Promise((resolve) => {
    open = resolve
  })
  const [one, other] = [there.isRevoked(token()), there.isRevoked(token({ sessionId: 's2' }))]
  open()
  t.same(await Promise.all([one, other]), [true, false], 'every caller waits for the response')
})

t.test('a clock that is slow by less than a minute hides nothing', async (t) => {
  const { clock, process, inDays } = setUp()
  const [here, there] = [process(), process()]
  await there.isRevoked(token())
  const now = clock.now()
  clock.set(new Date(now - 50_000))
  await here.revokeSession('s1', inDays(30))
  clock.set(new Date(now + 5000))
  t.equal(await there.isRevoked(token()), true)
})

t.test('a revocation of a slower clock is found within minutes', async (t) => {
  const { clock, process, inDays } = setUp()
  const [here, there] = [process(), process()]
  await there.isRevoked(token())
  const now = clock.now()
  clock.set(new Date(now - 300_000))
  await here.revokeSession('s1', inDays(30))
  clock.set(new Date(now + 600_000))
  t.equal(await there.isRevoked(token()), true)
})

t.test('while the store fails, cached revocations apply for a minute, and nothing after that', async (t) => {
  const { clock, store, warnings, process, inDays } = setUp()
  const list = process()
  await list.revokeSession('s2', inDays(30))
  t.equal(await list.isRevoked(token()), false)
  store.failure = new Error('connect ECONNREFUSED')
  clock.advance(59)
  t.equal(await list.isRevoked(token()), false)
  t.equal(await list.isRevoked(token({ sessionId: 's2' })), true)
  t.same(warnings, ['SESSION_REVOCATIONS_ERROR'])
  t.equal(store.requests.filter((title) => title === 'list').length, 2, 'the store is left alone for a moment')
  clock.advance(1)
  await t.rejects(async () => list.isRevoked(token()), { message: /ECONNREFUSED/ })
  await t.rejects(async () => list.isRevoked(token()), 'and again')
  store.failure = null
  clock.advance(1)
  t.equal(await list.isRevoked(token()), false, 'it is back')
})

t.test('without any answer yet, nothing counts', async (t) => {
  const { store, process } = setUp()
  store.failure = new Error('connect ECONNREFUSED')
  await t.rejects(async () => process().isRevoked(token()))
})

t.test('more revocations than memory has room for: each token is looked up', async (t) => {
  const { clock, store, process, inDays } = setUp(10)
  const here = process()
  for (let count = 0; count < 11; count++) await here.revokeSession(`s${count}`, inDays(30))
  const there = process()
  for (const list of [here, there]) {
    t.equal(await list.isRevoked(token({ sessionId: 's10' })), true)
    t.equal(await list.isRevoked(token({ sessionId: 'another' })), false)
  }
  t.ok(store.requests.includes('get'))
  await here.revokeUser('ada')
  t.equal(await there.isRevoked(token({ sessionId: 'another' })), true, 'also later revocations')
  clock.advance(31 * 86_400)
  store.clean()
  store.requests.length = 0
  await there.isRevoked(token({ userId: 'bob', sessionId: 'x' }))
  t.same(store.requests, ['list'], 'and expired entries are removed')
})

t.test('records of tokens that were revoked are left out', async (t) => {
  const { process, inDays } = setUp()
  const list = process()
  await list.revokeSession('s2', inDays(30))
  const tokens = [token(), token({ sessionId: 's2' }), token({ userId: 'bob', sessionId: 's3' })]
  t.same(await process().withoutRevoked(tokens), [tokens[0], tokens[2]])
  t.same(await process().withoutRevoked([]), [])
})
