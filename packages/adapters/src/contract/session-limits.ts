import { type Case, has, itsOptional, type Settings } from './case.ts'
import { newRecord, newSession, newUser } from './data.ts'

/** Expiries in hours from now, in no order. */
const hours = [3, 5, 1, 4, 2]

const inHours = (count: number): Date => new Date(Date.now() + count * 3_600_000)

/** The keys of the rows that expire last. */
function getLatest(keys: readonly string[], limit: number, settings: Settings): readonly string[] {
  const count = settings.limit === 'applied' ? limit : keys.length
  const byExpiry = keys.toSorted((one, other) => (hours[keys.indexOf(other)] ?? 0) - (hours[keys.indexOf(one)] ?? 0))
  return byExpiry.slice(0, count).sort()
}

/** Lists of sessions with a limit. */
export const sessionLimits: readonly Case[] = [
  itsOptional('listSessions', 'a limit selects the sessions that expire last', async (t, adapter, settings) => {
    const [ada, bob] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
    const sessions = hours.map((count) => newSession(ada.id, { expires: inHours(count) }))
    for (const session of sessions) await adapter.createSession(session)
    await adapter.createSession(newSession(bob.id, { expires: inHours(9) }))
    const tokens = sessions.map(({ sessionToken }) => sessionToken)
    for (const limit of [1, 2, hours.length, 100]) {
      const found = (await adapter.listSessions(ada.id, limit)).map(({ sessionToken }) => sessionToken)
      t.same(found.sort(), getLatest(tokens, limit, settings), `at most ${limit}`)
    }
    t.equal((await adapter.listSessions(ada.id)).length, hours.length, 'all without a limit')
  }),

  itsOptional(
    'listSessions',
    'a session that was extended counts with its new expiry',
    async (t, adapter, settings) => {
      const { id } = await adapter.createUser(newUser())
      const sessions = hours.map((count) => newSession(id, { expires: inHours(count) }))
      for (const session of sessions) await adapter.createSession(session)
      const [, first, extended] = sessions.map(({ sessionToken }) => sessionToken)
      await adapter.updateSession({ sessionToken: extended ?? '', expires: inHours(9) })
      await adapter.deleteSession(first ?? '')
      const [found] = await adapter.listSessions(id, 1)
      if (settings.limit === 'applied') t.equal(found?.sessionToken, extended, 'the first of all')
      t.equal((await adapter.listSessions(id, 100)).length, hours.length - 1, 'without the session that was deleted')
    }
  ),

  itsOptional('getSessionRecords', 'a limit selects the records that expire last', async (t, adapter, settings) => {
    if (!has(adapter, 'putSessionRecord')) return
    const [ada, bob] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
    const records = hours.map((count) => newRecord(ada.id, { expires: inHours(count) }))
    for (const record of records) await adapter.putSessionRecord(record)
    await adapter.putSessionRecord(newRecord(bob.id, { expires: inHours(9) }))
    const ids = records.map(({ id }) => id)
    for (const limit of [1, 2, hours.length, 100]) {
      const found = (await adapter.getSessionRecords({ userId: ada.id, limit })).map(({ id }) => id)
      t.same(found.sort(), getLatest(ids, limit, settings), `at most ${limit}`)
    }
    t.equal((await adapter.getSessionRecords({ userId: ada.id })).length, hours.length, 'all without a limit')
  })
]
