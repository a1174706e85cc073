import { randomUUID } from 'node:crypto'
import type { Adapter, AdapterCall } from '@postern/core'
import { isLong } from '@postern/testkit/long'
import type { Test } from 'tap'
import { newRecord, newSession, newUser } from '../../src/contract/data.ts'

/** More answers than any of the transactions has. */
const answers = 9

/** The connection ends after each statement of a transaction, the commit included: it takes effect once, and says so. */
export async function testLosses(
  t: Test,
  adapter: Required<Adapter>,
  { loseAnswer }: { readonly loseAnswer: (which?: number) => void }
): Promise<void> {
  const until = new Date('2031-02-03T04:05:06.789Z')
  const all = Array.from({ length: answers }, (_, index) => index + 1)
  for (const which of isLong ? all : all.filter((number) => number % 2 === 1)) {
    for (const expected of [0, 1000, null]) {
      const { id } = await adapter.createUser(newUser())
      const changeId = randomUUID()
      if (expected === 1000)
        await adapter.advanceUser({ userId: id, expected: 0, version: 1000, changeId: 'first', raises: false, until })
      await adapter.createSession(newSession(id))
      const own = newSession(id)
      const calls: readonly AdapterCall[] = [
        { method: 'advanceUser', args: [{ userId: id, expected, version: 2000, changeId, raises: true, until }] },
        { method: 'deleteSessions', args: [id] },
        { method: 'createSession', args: [own, newRecord(id, { sessionToken: own.sessionToken })] }
      ]
      loseAnswer(which)
      const isDone = await adapter.transact(calls)
      loseAnswer(0)
      const title = `a change from ${expected}, answer ${which}`
      t.equal(isDone, true, title)
      const row = await adapter.getUserVersion(id)
      t.strictSame([row?.version, row?.changeId], [2000, changeId], `${title}: once`)
      const tokens = (await adapter.listSessions(id)).map(({ sessionToken }) => sessionToken)
      t.strictSame(tokens, [own.sessionToken], `${title}: with everything else`)
      t.equal((await adapter.getRevocations([`user:${id}`]))[0]?.version, 2000, `${title}: and the revocation`)
    }
    const { id } = await adapter.createUser(newUser())
    const session = newSession(id)
    loseAnswer(which)
    const isDone = await adapter.transact([
      { method: 'requireUserVersion', args: [id, 0] },
      { method: 'createSession', args: [session, newRecord(id, { sessionToken: session.sessionToken })] }
    ])
    loseAnswer(0)
    t.equal(isDone, true, `a sign-in, answer ${which}`)
    t.equal((await adapter.listSessions(id)).length, 1, 'once')
  }
}
