import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, SessionRecord } from '@postern/core'
import t, { type Test } from 'tap'
import { enter, isSignedIn, thief } from './start-with-session-records.ts'
import { memoryRevocations, withSessionRecords } from './session-records.ts'
import { type StartOptions, start } from './start.ts'

type Put = (record: SessionRecord, adapter: Adapter) => Promise<unknown>

const grace = 'id-grace'
const versionOf = async ({ getRevocations }: Adapter): Promise<number> =>
  (await getRevocations?.([`user:${grace}`]))?.[0]?.version ?? 0

/** Writes a record, and tells the version of the user's revocations as the contract says. */
const telling: Put = async (record, adapter) => {
  await adapter.putSessionRecord?.(record)
  return { userVersion: await versionOf(adapter) }
}

/** Two processes with one store, whose records are written so. */
async function twoProcesses(t: Test, put: Put, options: StartOptions = {}) {
  let now = (): number => Date.now()
  // Nothing is cleaned up in between: every call is counted.
  const { deleteExpired: _, ...others } = memoryAdapter()
  const kept = withSessionRecords(others, () => now())
  const adapter: Adapter = { ...kept, putSessionRecord: async (record) => put(record, kept) }
  const shared: StartOptions = { session: { strategy: 'jwt' }, adapter, instances: 1, ...options }
  const here = await start(t, shared)
  const there = await start(t, shared)
  there.clock.set(new Date(here.clock.now()))
  now = here.clock.now
  const records = async () => (await kept.getSessionRecords?.({ userId: grace })) ?? []
  const advance = (seconds: number): void => {
    for (const { clock } of [here, there]) clock.advance(seconds)
  }
  return { here, there, kept, records, advance }
}

/** Signs out everywhere, and in again at a process that has not heard of it. */
async function signInAgain(t: Test, { here, there, records, advance }: Awaited<ReturnType<typeof twoProcesses>>) {
  const before = await enter(here.newBrowser())
  t.ok(await isSignedIn(before))
  const copy = thief(there, before)
  advance(1)
  await there.app.postern.sessions.revokeAll(grace)
  here.store.forget()
  const after = await enter(here.newBrowser())
  const calls = here.store.calls.map(({ method }) => method)
  t.ok(await isSignedIn(after), 'signed in')
  t.notOk(await isSignedIn(copy), 'where it is known, the other has ended')
  advance(5)
  t.notOk(await isSignedIn(before), 'and then everywhere')
  t.ok(await isSignedIn(after), 'still signed in')
  t.ok(await isSignedIn(thief(there, after)), 'at the other process, too')
  t.equal((await here.app.postern.sessions.list(grace)).length, 1, 'one device')
  t.equal((await records()).length, 1, 'and no record besides')
  return calls
}

t.test('a sign-in is one query where the store tells the version', async (t) => {
  const { here } = await twoProcesses(t, telling)
  await enter(here.browser)
  t.same(
    here.store.calls.map(({ method }) => method),
    ['putSessionRecord']
  )
})

t.test('right after a sign-out everywhere at another process', async (t) => {
  const processes = await twoProcesses(t, telling)
  const calls = await signInAgain(t, processes)
  t.same(calls, ['putSessionRecord', 'deleteSessionRecord', 'putSessionRecord'])
  processes.here.store.forget()
  await enter(processes.here.newBrowser())
  t.same(
    processes.here.store.calls.map(({ method }) => method),
    ['putSessionRecord'],
    'once it is known, one query is enough again'
  )
})

t.test('a store that tells nothing, or something else, is asked', async (t) => {
  for (const answer of [
    undefined,
    null,
    1,
    { userVersion: '1' },
    { userVersion: -1 },
    { version: 1 },
    { userVersion: 0.5 }
  ]) {
    const put: Put = async (record, adapter) => {
      await adapter.putSessionRecord?.(record)
      return answer
    }
    const calls = await signInAgain(t, await twoProcesses(t, put))
    t.same(calls, ['putSessionRecord', 'getRevocations', 'deleteSessionRecord', 'putSessionRecord'])
  }
})

t.test('a store that cannot write records is asked, and keeps nobody from signing in', async (t) => {
  const { here, there, advance } = await twoProcesses(t, async () => Promise.reject(new Error('the disk is full')))
  const before = await enter(here.newBrowser())
  await there.app.postern.sessions.revokeAll(grace)
  const after = await enter(here.newBrowser())
  advance(5)
  t.notOk(await isSignedIn(before))
  t.ok(await isSignedIn(after))
  t.ok(here.log.some((line) => line.includes('SESSION_RECORD_ERROR')))
})

t.test('what the store tells counts only where revocations are in it', async (t) => {
  const elsewhere = { now: (): number => Date.now() }
  const revocations = memoryRevocations(() => elsewhere.now())
  const processes = await twoProcesses(t, telling, { session: { strategy: 'jwt', revocations } })
  elsewhere.now = processes.here.clock.now
  await signInAgain(t, processes)
})

t.test('who cannot be told the version is not signed in, and leaves no record', async (t) => {
  const { here, records } = await twoProcesses(t, async (record, adapter) => {
    await adapter.putSessionRecord?.(record)
  })
  here.store.breakDown('getRevocations')
  const browser = await enter(here.newBrowser())
  here.store.mend()
  t.notOk(await isSignedIn(browser))
  t.same(await records(), [])
})

t.test('a sign-out everywhere while the record is written ends that session, too', async (t) => {
  const gate = { open: (): void => undefined, wait: Promise.resolve() }
  const processes = await twoProcesses(t, async (record, adapter) => {
    const told = await telling(record, adapter)
    await gate.wait
    return told
  })
  const { here, there, advance } = processes
  gate.wait = new Promise((resolve) => {
    gate.open = resolve
  })
  const browser = here.newBrowser()
  const entering = enter(browser)
  while (here.store.count('putSessionRecord') === 0) await new Promise((resolve) => setImmediate(resolve))
  await there.app.postern.sessions.revokeAll(grace)
  gate.open()
  await entering
  advance(5)
  t.notOk(await isSignedIn(browser), 'it began before')
  t.ok(await isSignedIn(await enter(here.newBrowser())), 'one that begins now counts')
})
