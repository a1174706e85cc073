import { fileURLToPath } from 'node:url'
import { featureTable, measureFeatures, ratioBeyond, runFeatures } from '@postern/bench/commands/features'
import { isLong } from '@postern/testkit/long'
import t from 'tap'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

// It starts servers.
if (isLong)
  t.test('two builds start with all features', async (t) => {
    for (const kind of ['memory', 'sqlite'] as const) {
      const figures = await measureFeatures(kind, [root, root], 1)
      t.same(
        figures.map(({ title }) => title),
        ['CPU ms', 'modules', 'heap MB'].map((unit) => `${kind}, ${unit}`)
      )
      for (const { mine, other, bare } of figures) t.ok(bare > 0 && mine > bare && other > bare)
      const [, modules] = figures
      t.equal(modules?.mine, modules?.other, 'the same build reads the same files')
    }
  })

t.test('what both builds share with a bare server is not compared', async (t) => {
  const figure = { title: 'memory, CPU ms', mine: 500, other: 600, bare: 400 }
  t.equal(ratioBeyond(figure), 0.5)
  t.match(featureTable([figure]), /memory, CPU ms\s+500\.0\s+600\.0\s+400\.0\s+0\.83×\s+0\.50×/)
})

t.test('the other checkout has to be built, and there is one round at least', async (t) => {
  for (const path of ['', '/nowhere']) await t.rejects(runFeatures(path), /a checkout that is built/)
  for (const rounds of ['0', '1.5', 'many']) await t.rejects(runFeatures(root, rounds), /expected a number of rounds/)
})
