import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { SessionRecord } from '@postern/core'
import { isObject } from '../is-object.ts'
import { type Case, has, itsOptional } from './case.ts'
import { inAnHour, newRecord, newUser, race } from './data.ts'

/** The version that a store returns when it writes a record; `undefined` if it returns none. */
function getResult(result: unknown): unknown {
  return isObject(result) ? result.userVersion : undefined
}

const newSubject = (): string => `user:${randomUUID()}`

/** Revocations of JWT sessions. */
export const revocations: readonly Case[] = [
  itsOptional('revoke', 'returns versions that grow and are never below the clock', async (t, adapter) => {
    const subject = newSubject()
    let last = 0
    for (let i = 0; i < 5; i += 1) {
      const now = Date.now()
      const version = await adapter.revoke(subject, inAnHour())
      t.ok(Number.isSafeInteger(version), 'a whole number')
      t.ok(version >= now, 'not below the clock')
      t.ok(version > last, 'greater than the one before')
      last = version
    }
    if (has(adapter, 'getRevocations')) {
      const found = await adapter.getRevocations([subject])
      t.same(
        found.map(({ version }) => version),
        [last],
        'the last is in force'
      )
    }
  }),

  itsOptional('revoke', 'many at the same moment get versions that differ', async (t, adapter, { callers }) => {
    const subject = newSubject()
    const { winners, losers } = await race(callers, () => adapter.revoke(subject, inAnHour()))
    t.equal(losers, 0, 'no call is refused')
    t.equal(new Set(winners).size, callers, 'as many versions as callers')
    if (has(adapter, 'getRevocations')) {
      t.equal((await adapter.getRevocations([subject]))[0]?.version, Math.max(...winners), 'the greatest is in force')
    }
  }),

  itsOptional('revoke', 'never shortens the time that a revocation is kept', async (t, adapter) => {
    const [subject, until] = [newSubject(), inAnHour()]
    await adapter.revoke(subject, until)
    await adapter.revoke(subject, new Date(until.getTime() - 60_000))
    if (!has(adapter, 'getRevocations')) return
    t.equal((await adapter.getRevocations([subject]))[0]?.until.getTime(), until.getTime(), 'the later end')
    const later = new Date(until.getTime() + 1)
    await adapter.revoke(subject, later)
    t.equal((await adapter.getRevocations([subject]))[0]?.until.getTime(), later.getTime(), 'moved by a millisecond')
  }),

  itsOptional('getRevocations', 'returns those of the subjects that are requested', async (t, adapter) => {
    if (!has(adapter, 'revoke')) return
    const [one, two, three] = [newSubject(), `session:${randomUUID()}`, newSubject()]
    const versions = new Map<string, number>()
    for (const subject of [one, two, three]) versions.set(subject, await adapter.revoke(subject, inAnHour()))
    const found = await adapter.getRevocations([one, two, newSubject(), one.toUpperCase()])
    t.same(found.map(({ subject }) => subject).sort(), [one, two].sort(), 'both, and no other')
    for (const { subject, version } of found) t.equal(version, versions.get(subject), 'with its version')
    t.same(await adapter.getRevocations([]), [], 'none if none is requested')
    t.same(await adapter.getRevocations([newSubject()]), [], 'none if there is none')
  }),

  itsOptional('listRevocations', 'returns those since a moment, the oldest first', async (t, adapter) => {
    if (!has(adapter, 'revoke')) return
    const since = new Date()
    const subjects = Array.from({ length: 4 }, () => newSubject())
    const versions: number[] = []
    for (const subject of subjects) {
      await delay(2)
      versions.push(await adapter.revoke(subject, inAnHour()))
    }
    const own = async (from: Date, limit: number): Promise<readonly string[]> =>
      (await adapter.listRevocations(from, limit))
        .map(({ subject }) => subject)
        .filter((name) => subjects.includes(name))
    t.same(await own(since, 1000), subjects, 'in order')
    t.same(await own(new Date(versions[2] ?? 0), 1000), subjects.slice(2), 'from a moment on, which counts too')
    t.same(await own(new Date((versions[3] ?? 0) + 1), 1000), [], 'none after the last')
    t.equal((await adapter.listRevocations(since, 2)).length, 2, 'at most the limit')
    await delay(2)
    await adapter.revoke(subjects[0] ?? '', inAnHour())
    t.equal((await own(since, 1000)).at(-1), subjects[0], 'a repeated one is the newest')
    t.equal((await own(since, 1000)).length, subjects.length, 'and is there once')
  }),

  itsOptional('putSessionRecord', 'may return the version of the user’s revocations', async (t, adapter) => {
    const [ada, bob] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
    const put = async (record: SessionRecord): Promise<unknown> => getResult(await adapter.putSessionRecord(record))
    const record = newRecord(ada.id)
    const first = await put(record)
    if (first === undefined)
      return void t.comment('the version is not returned: each sign-in with JWT sessions queries it')
    t.equal(first, 0, 'none yet')
    if (!has(adapter, 'revoke')) return
    await adapter.revoke(`session:${record.id}`, inAnHour())
    await adapter.revoke(`user:${ada.id}`.toUpperCase(), inAnHour())
    const version = await adapter.revoke(`user:${bob.id}`, inAnHour())
    t.equal(await put(record), 0, 'not that of a session, of a twin or of another user')
    t.equal(await put(newRecord(bob.id)), version, 'that of the user')
    const next = await adapter.revoke(`user:${ada.id}`, inAnHour())
    t.equal(await put(record), next, 'also if the record is written again')
    const last = await adapter.revoke(`user:${ada.id}`, inAnHour())
    t.equal(await put(newRecord(ada.id)), last, 'the last one')
  }),

  itsOptional('putSessionRecord', 'returns a revocation that was stored before', async (t, adapter, { callers }) => {
    if (!has(adapter, 'revoke')) return
    const { id } = await adapter.createUser(newUser())
    await adapter.putSessionRecord(newRecord(id))
    let recorded = 0
    const { winners } = await race(callers, async (caller) => {
      if (caller % 2 === 0) {
        recorded = Math.max(recorded, await adapter.revoke(`user:${id}`, inAnHour()))
        return true
      }
      await delay(caller % 10)
      const before = recorded
      const reported = getResult(await adapter.putSessionRecord(newRecord(id)))
      return reported === undefined || (typeof reported === 'number' && reported >= before)
    })
    t.equal(winners.filter((isReported) => isReported).length, callers, 'concurrent calls that revoke')
  }),

  itsOptional('revoke', 'takes texts as they are', async (t, adapter) => {
    if (!has(adapter, 'getRevocations')) return
    const odd = ["'", '"', '%', '\\', '{}', ' ', 'É', 'é', 'e\u0301', '👩‍👩‍👧‍👦'].map(
      (text) => `user:${randomUUID()}${text}`
    )
    for (const subject of odd) await adapter.revoke(subject, inAnHour())
    for (const subject of odd) {
      t.same(
        (await adapter.getRevocations([subject])).map((one) => one.subject),
        [subject],
        JSON.stringify(subject)
      )
    }
  })
]
