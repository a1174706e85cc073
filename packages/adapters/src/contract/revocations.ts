import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Case, optional } from './case.ts'
import { inAnHour, race } from './data.ts'

const its = optional('revocations')

const newSubject = (): string => `user:${randomUUID()}`

/** Revocations of JWT sessions. */
export const revocations: readonly Case[] = [
  its('revoke', 'returns versions that grow and are never below the clock', async (t, adapter) => {
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
    {
      const found = await adapter.getRevocations([subject])
      t.same(
        found.map(({ version }) => version),
        [last],
        'the last is in force'
      )
    }
  }),

  its('revoke', 'many at the same moment get versions that differ', async (t, adapter, { callers }) => {
    const subject = newSubject()
    const { winners, losers } = await race(callers, () => adapter.revoke(subject, inAnHour()))
    t.equal(losers, 0, 'no call is refused')
    t.equal(new Set(winners).size, callers, 'as many versions as callers')
    t.equal((await adapter.getRevocations([subject]))[0]?.version, Math.max(...winners), 'the greatest is in force')
  }),

  its('revoke', 'records the version that is named, unless a later one is recorded', async (t, adapter) => {
    const [subject, ahead] = [newSubject(), Date.now() + 60_000]
    const named: readonly (number | undefined)[] = [ahead, ahead, ahead - 1, undefined, ahead + 5]
    const versions: number[] = []
    for (const version of named) versions.push(await adapter.revoke(subject, inAnHour(), version))
    t.same(versions, [ahead, ahead, ahead, ahead + 1, ahead + 5], 'without a name, the next one')
    t.equal(await adapter.revoke(newSubject(), inAnHour(), 1000), 1000, 'also below the clock')
    t.equal((await adapter.getRevocations([subject]))[0]?.version, ahead + 5, 'the last is in force')
  }),

  its('revoke', 'never shortens the time that a revocation is kept', async (t, adapter) => {
    const [subject, until] = [newSubject(), inAnHour()]
    await adapter.revoke(subject, until)
    await adapter.revoke(subject, new Date(until.getTime() - 60_000))
    t.equal((await adapter.getRevocations([subject]))[0]?.until.getTime(), until.getTime(), 'the later end')
    const later = new Date(until.getTime() + 1)
    await adapter.revoke(subject, later)
    t.equal((await adapter.getRevocations([subject]))[0]?.until.getTime(), later.getTime(), 'moved by a millisecond')
  }),

  its('getRevocations', 'returns those of the subjects that are requested', async (t, adapter) => {
    const [one, two, three] = [newSubject(), `session:${randomUUID()}`, newSubject()]
    const versions = new Map<string, number>()
    for (const subject of [one, two, three]) versions.set(subject, await adapter.revoke(subject, inAnHour()))
    const found = await adapter.getRevocations([one, two, newSubject(), one.toUpperCase()])
    t.same(found.map(({ subject }) => subject).sort(), [one, two].sort(), 'both, and no other')
    for (const { subject, version } of found) t.equal(version, versions.get(subject), 'with its version')
    t.same(await adapter.getRevocations([]), [], 'none if none is requested')
    t.same(await adapter.getRevocations([newSubject()]), [], 'none if there is none')
  }),

  its('listRevocations', 'returns those since a moment, the oldest first', async (t, adapter) => {
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

  its('revoke', 'takes texts as they are', async (t, adapter) => {
    const odd = ["'", '"', '%', '\\', '{}', ' ', 'É', 'é', 'e\u0301', '👩‍👩‍👧‍👦'].map(
      (text) => `user:${randomUUID()}${text}`
    )
    for (const subject of odd) await adapter.revoke(subject, inAnHour())
    for (const subject of odd) {
      const found = (await adapter.getRevocations([subject])).map((one) => one.subject)
      t.same(found, [subject], JSON.stringify(subject))
    }
  })
]
