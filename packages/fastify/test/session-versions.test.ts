import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, SessionRecord } from '@postern/core'
import t, { type Test } from 'tap'
import { memoryRevocations, withSessionRecords } from './session-records.ts'
import { type StartOptions, start } from './start.ts'
import { isSignedIn, signInWithRecords, thief } from './start-with-session-records.ts'

type Put = (record: SessionRecord, adapter: Adapter) => Promise<unknown>

const grace = 'id-grace'
const putAsIs: Put = async (record, adapter) => adapter.putSessionRecord?.(record)

interface Options extends StartOptions {
  readonly base?: Adapter
}

/** Two processes with one store, whose records are written so. */
async function twoProcesses(t: Test, put: Put = putAsIs, { base = memoryAdapter(), ...options }: Options = {}) {
  let now = (): number => Date.now()
  // Nothing is cleaned up in between: every call is counted.
  const { deleteExpired: _, ...others } = base
  const stored = withSessionRecords(others, () => now())
  const adapter: Adapter = { ...stored, putSessionRecord: async (record) => put(record, stored) }
  const shared: StartOptions = { session: { strategy: 'jwt' }, adapter, instances: 1, ...options }
  const here = await start(t, shared)
  const there = await start(t, shared)
  there.clock.set(new Date(here.clock.now()))
  now = here.clock.now
  const records = async () => (await stored.getSessionRecords?.({ userId: grace })) ?? []
  const advance = (seconds: number): void => {
    for (const { clock } of [here, there]) clock.advance(seconds)
  }
  return { here, there, stored: stored, records, advance }
}

/** Signs out everywhere, and in again at a process that has not read the revocation. */
async function signInAgain(t: Test, { here, there, records, advance }: Awaited<ReturnType<typeof twoProcesses>>) {
  const before = await signInWithRecords(here.newBrowser())
  t.ok(await isSignedIn(before))
  const copy = thief(there, before)
  advance(1)
  await there.app.postern.sessions.revokeAll(grace)
  advance(1)
  here.store.forget()
  const after = await signInWithRecords(here.newBrowser())
  const calls = here.store.calls.map(({ method }) => method)
  t.ok(await isSignedIn(after), 'signed in')
  t.notOk(await isSignedIn(copy), 'where it is known, the other has ended')
  advance(5)
  t.notOk(await isSignedIn(before), 'and then everywhere')
  t.ok(await isSignedIn(after), 'still signed in')
  t.ok(await isSignedIn(thief(there, after)), 'at the other process, too')
  t.equal((await here.app.postern.sessions.list(grace)).length, 1, 'one device')
  t.equal((await records()).length, 1, 'and no other record')
  return calls
}

t.test('a sign-in asks for the version of the user, and again after the session is recorded', async (t) => {
  const { here } = await twoProcesses(t)
  await signInWithRecords(here.browser)
  t.same(
    here.store.calls.map(({ method }) => method),
    ['getUserVersion', 'putSessionRecord', 'getUserVersion']
  )
})

t.test('right after a sign-out everywhere at another process', async (t) => {
  const calls = await signInAgain(t, await twoProcesses(t))
  t.same(calls, ['getUserVersion', 'putSessionRecord', 'getUserVersion'])
})

t.test('an adapter without versions is asked for the version of the revocations', async (t) => {
  const { getUserVersion: _, advanceUser: __, ...base } = memoryAdapter()
  const calls = await signInAgain(t, await twoProcesses(t, putAsIs, { base }))
  t.same(calls, ['getRevocations', 'putSessionRecord'])
})

t.test('a store that cannot write records does not prevent sign-ins', async (t) => {
  const { here, there, advance } = await twoProcesses(t, async () => Promise.reject(new Error('the disk is full')))
  const before = await signInWithRecords(here.newBrowser())
  await there.app.postern.sessions.revokeAll(grace)
  advance(1)
  const after = await signInWithRecords(here.newBrowser())
  advance(5)
  t.notOk(await isSignedIn(before))
  t.ok(await isSignedIn(after))
  t.ok(here.log.some((line) => line.includes('SESSION_RECORD_ERROR')))
})

t.test('revocations in another store', async (t) => {
  const elsewhere = { now: (): number => Date.now() }
  const revocations = memoryRevocations(() => elsewhere.now())
  const processes = await twoProcesses(t, putAsIs, { session: { strategy: 'jwt', revocations } })
  elsewhere.now = processes.here.clock.now
  await signInAgain(t, processes)
})

t.test('without a version, the sign-in is refused and leaves no record', async (t) => {
  const { getUserVersion: _, advanceUser: __, ...base } = memoryAdapter()
  const { here, records } = await twoProcesses(t, putAsIs, { base })
  here.store.breakDown('getRevocations')
  const browser = await signInWithRecords(here.newBrowser())
  here.store.restore()
  t.notOk(await isSignedIn(browser))
  t.same(await records(), [])
})

t.test('a sign-out everywhere while the record is written ends that session, too', async (t) => {
  const gate = { open: (): void => undefined, wait: Promise.resolve() }
  const processes = await twoProcesses(t, async (record, adapter) => {
    await putAsIs(record, adapter)
    await gate.wait
  })
  const { here, there, advance } = processes
  gate.wait = new Promise((resolve) => {
    gate.open = resolve
  })
  const browser = here.newBrowser()
  const signingIn = signInWithRecords(browser)
  while (here.store.count('putSessionRecord') === 0) await new Promise((resolve) => setImmediate(resolve))
  await there.app.postern.sessions.revokeAll(grace)
  gate.open()
  await signingIn
  advance(5)
  t.notOk(await isSignedIn(browser), 'it started before')
  t.ok(await isSignedIn(await signInWithRecords(here.newBrowser())), 'one that begins now counts')
})
