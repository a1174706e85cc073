import { measureFlood } from '@postern/bench/commands/flood'
import { drivePaced } from '@postern/bench/load/paced'
import { type FloodFigure, floodTable } from '@postern/bench/report/flood'
import { openLineup } from '@postern/bench/scenarios/lineup'
import t from 'tap'

const lineup = await openLineup()
t.teardown(() => lineup.close())

t.test('sign-ins continue beside a flood, and every refusal is stored or counted', async (t) => {
  const figures = await measureFlood(lineup, { seconds: 0.4, rate: 10_000, warmUp: { jobs: 10, cpu: 0 } })
  const [without, guesses, reports] = figures
  t.equal(without?.stored, null)
  t.ok((without?.sent ?? 0) > 0, 'passwords are guessed')
  t.ok((guesses?.sent ?? 0) > 0, 'passwords are guessed, with the audit log')
  t.ok((reports?.sent ?? 0) > 1000, 'more than the memory of the audit log has room for')
  for (const { title, sent, stored } of figures.slice(1))
    t.equal(Number(stored?.written) + Number(stored?.dropped), sent, title)
  t.ok((reports?.stored?.dropped ?? 0) > 0, 'the rest is counted')
  for (const { title, calm, flood } of figures) t.ok(calm.p50 > 0 && flood.p99 >= flood.p50, title)
  t.match(floodTable(figures), 'audit log, reported directly')
})

t.test('a paced load has at most its rate', async (t) => {
  const { server } = await lineup.start('fastify', false)
  let count = 0
  const times = await drivePaced(server.port, async () => count++, { rate: 100, length: 200, connections: 4 })
  t.equal(times.length, count)
  t.ok(count > 0 && count <= 24, `${count} jobs in 200 ms`)
  const job = async () => {
    throw new Error('refused')
  }
  await t.rejects(drivePaced(server.port, job, { rate: 100, length: 200, connections: 1 }), { message: 'refused' })
})

t.test('the table has the ratio of a flood to calm', (t) => {
  const figure: FloodFigure = {
    ...{ title: 'a server', calm: { p50: 2, p99: 10 }, flood: { p50: 3, p99: 40 } },
    ...{ rate: 1000, sent: 500, stored: { written: 200, dropped: 300 }, heapGrowth: 1_500_000 }
  }
  t.match(floodTable([figure]), /a server +1000 +2\.0 +3\.0 +1\.50× +10\.0 +40\.0 +4\.00× +1\.5 +500 +200 +300/)
  t.match(floodTable([{ ...figure, stored: null }]), / 500 *\n/)
  t.end()
})
