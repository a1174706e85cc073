import { connect } from 'node:net'
import { driveTimes } from '@postern/bench/load/drive'
import { crowdJobs } from '@postern/bench/scenarios/crowd'
import { openLineup } from '@postern/bench/scenarios/lineup'
import { type Crowd, createCrowd } from '@postern/bench/stores/crowd'
import { fillPostgres } from '@postern/bench/stores/postgres'
import { fillSqlite } from '@postern/bench/stores/sqlite'
import type { CrowdStore } from '@postern/bench/stores/store'
import { isLong, times } from '@postern/testkit/long'
import t, { type Test } from 'tap'

const users = times(100, 300)
const lineup = await openLineup()
t.teardown(() => lineup.close())

async function signInEverybody(t: Test, fill: (crowd: Crowd) => Promise<CrowdStore>): Promise<void> {
  const crowd = createCrowd(users)
  const store = await fill(crowd)
  t.ok(store.bytes > 100_000)
  t.equal(new Set(crowd.tokens).size, users, 'a token for each')
  const site = await lineup.start('postern', true, store.place)
  const before = await store.backendTime()
  for (const { title, make } of crowdJobs) {
    const job = await make(site.site, crowd)
    await t.resolves(driveTimes(site.server, job, 20, 2), title)
  }
  t.equal(await store.countUsers(), users, 'no user is new')
  if (before > 0) t.ok((await store.backendTime()) > before, 'the database worked')
  await site.server.stop()
  await store.close()
}

t.test('a crowd in SQLite signs in, and everyone is who they are', async (t) => {
  await signInEverybody(t, (crowd) => fillSqlite(crowd, lineup.folder))
})

const isThere = await new Promise<boolean>((resolve) => {
  const socket = connect(5432, '127.0.0.1', () => resolve(true))
  socket.once('connect', () => socket.end()).once('error', () => resolve(false))
})
const isRequired = (process.env['POSTERN_REQUIRE_ALL'] ?? '') !== ''
const skip = isThere || isRequired ? false : 'PostgreSQL does not respond at 127.0.0.1:5432'

if (isLong)
  t.test('a crowd in PostgreSQL signs in, and everyone is who they are', { skip }, async (t) => {
    await signInEverybody(t, fillPostgres)
  })

t.test('a token of another user is found out', async (t) => {
  const crowd = createCrowd(2)
  const store = await fillSqlite(crowd, lineup.folder)
  const site = await lineup.start('postern', true, store.place)
  const swapped = { ...crowd, tokens: crowd.tokens.toReversed() }
  const [session] = crowdJobs
  const job = await session?.make(site.site, swapped)
  await t.rejects(async () => job && driveTimes(site.server, job, 1, 1), /expected 200 with "Person/)
  await site.server.stop()
})
