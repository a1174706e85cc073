import { fileURLToPath } from 'node:url'
import { compare, comparisonTable, runCompare } from '@postern/bench/commands/compare'
import { openLineup } from '@postern/bench/scenarios/lineup'
import { getScenario } from '@postern/bench/scenarios/scenarios'
import t from 'tap'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const pace = { warmUp: { jobs: 8, cpu: 0 }, slice: { jobs: 8, length: 20 }, rounds: 2, connections: 2 }

t.test('two builds do one job, beside the floor and the same work by hand', async (t) => {
  const lineup = await openLineup()
  t.teardown(() => lineup.close())
  const comparison = await compare(getScenario('A'), root, lineup, pace)
  const { mine, other, ratio, timesFloor, timesByHand } = comparison
  t.ok([mine, other, ratio.median, timesFloor, timesByHand ?? 0].every((figure) => figure > 0))
  t.match(comparisonTable([comparison]), /the other\s+this build\s+ratio.*A {2}session route, token/s)
})

t.test('the other checkout has to be built', async (t) => {
  await t.rejects(runCompare('/nowhere', null, false), /a checkout that is built/)
})
