import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { concurrencyTable, measureConcurrency, runConcurrency } from '@postern/bench/commands/concurrency'
import { isLong } from '@postern/testkit/long'
import t from 'tap'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const pace = { users: 3, rounds: 2, length: 50 }

function isReachable(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('connect', () => socket.end()).once('error', () => resolve(false))
  })
}

for (const [store, port] of [
  ['postgres', 5432],
  ['mysql', 3306]
] as const) {
  // It starts two builds, and each of their servers: `npm test` checks its table.
  if (!isLong) continue
  const isThere = await isReachable(port)
  const skip = !isThere && !process.env['POSTERN_REQUIRE_ALL'] && `nothing responds at port ${port}`
  t.test(`two builds sign in one user and many on ${store}`, { skip }, async (t) => {
    const figures = await measureConcurrency([root, root], store, pace)
    t.same(
      figures.map(({ title }) => title),
      ['form, one user', 'form, 3 users', 'provider, one user', 'provider, 3 users'].map((kind) => `${store}, ${kind}`)
    )
    for (const { rates } of figures) t.ok(rates.length === 2 && rates.every((rate) => rate > 0))
  })
}

t.test('the table shows whether this build is fast enough', async (t) => {
  const figure = (median: number) => ({ title: 'x', rates: [900, 1000], ratio: { median, low: 0.8, high: 1.2 } })
  const table = concurrencyTable([figure(0.9), figure(0.89)])
  t.match(table, /900\s+1000\s+0\.90×\s+0\.80× … 1\.20×\s+≥ 0\.9× reached/)
  t.match(table, /0\.89×.*MISSED/)
})

t.test('the other checkout has to be built', async (t) => {
  for (const path of ['', '/nowhere']) await t.rejects(runConcurrency(path), /a checkout that is built/)
  await t.rejects(runConcurrency(root, 'oracle'), /postgres or mysql/)
})
