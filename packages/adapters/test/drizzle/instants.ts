import type { Adapter } from '@postern/core'
import type { Test } from 'tap'

/** Zones west of Greenwich, east of it by half an hour, and its own. */
export const zones = ['UTC', 'Asia/Kolkata', 'America/New_York'] as const

/** The session table, as another program reads and writes it. */
export interface OtherProgram {
  /** The instant in the row of a session, in milliseconds since 1970. */
  readonly read: (sessionToken: string) => Promise<number>
  /** Writes a row as the other program has always written it. */
  readonly write: (row: { readonly sessionToken: string; readonly userId: string; readonly expires: Date }) => unknown
}

const minute = 60_000
let sessions = 0

/**
 * Tests that the adapter and another program mean the same instant, and that the adapter deletes what has ended and
 * nothing else.
 */
export async function keepsInstants(t: Test, adapter: Adapter, other: OtherProgram): Promise<void> {
  const now = Date.UTC(2031, 6, 8, 23, 58, 30)
  const proven = new Date(now - minute)
  const user = await adapter.createUser?.({ name: 'Ada', email: `ada${++sessions}@example.com`, emailVerified: proven })
  const userId = user?.id ?? ''
  t.equal((await adapter.getUser?.(userId))?.emailVerified?.getTime(), proven.getTime(), 'when the address was proven')

  const [ours, theirs, ended] = ['ours', 'theirs', 'ended'].map((name) => `${name} ${sessions}`)
  if (!ours || !theirs || !ended) throw new TypeError('expected three names')
  const read = async (token: string) => (await adapter.getSessionAndUser?.(token))?.session.expires.getTime()
  await adapter.createSession?.({ sessionToken: ours, userId, expires: new Date(now + minute) })
  t.equal(await other.read(ours), now + minute, 'the other program reads what the adapter wrote')
  t.equal(await read(ours), now + minute, 'and so does the adapter')

  await other.write({ sessionToken: theirs, userId, expires: new Date(now + minute) })
  await other.write({ sessionToken: ended, userId, expires: new Date(now - minute) })
  t.equal(await read(theirs), now + minute, 'the adapter reads what the other program wrote')
  await adapter.updateSession?.({ sessionToken: theirs, expires: new Date(now + 2 * minute) })
  t.equal(await other.read(theirs), now + 2 * minute, 'an extended session ends when the adapter says')

  const token = { identifier: 'ada@example.com', token: ours, expires: new Date(now + minute) }
  await adapter.createVerificationToken?.(token)
  await adapter.deleteExpired?.(new Date(now), 100)
  t.equal(await read(ended), undefined, 'what has ended is deleted')
  t.equal(await read(ours), now + minute, 'what has not is there')
  t.equal((await adapter.useVerificationToken?.(token))?.expires.getTime(), now + minute, 'and so is a link')
}

/** Runs work in a process whose clock shows another zone. */
export async function inZone<T>(zone: string, work: () => Promise<T>): Promise<T> {
  const { TZ: before } = process.env
  process.env['TZ'] = zone
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
}
