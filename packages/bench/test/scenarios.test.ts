import { driveTimes } from '@postern/bench/load/drive'
import { jobOf, openLineup } from '@postern/bench/scenarios/lineup'
import { scenarios } from '@postern/bench/scenarios/scenarios'
import { subjectNames } from '@postern/bench/subjects/subject'
import t from 'tap'

const lineup = await openLineup()
t.teardown(() => lineup.close())

for (const isStored of [false, true]) {
  for (const name of subjectNames) {
    const mine = scenarios.filter((scenario) => scenario.isStored === isStored && scenario.jobs[name])
    if (mine.length === 0) continue
    t.test(`${name}, sessions in ${isStored ? 'the database' : 'cookies'}: every response is right`, async (t) => {
      const site = await lineup.start(name, isStored)
      for (const scenario of mine) {
        const job = await jobOf(scenario, site)
        await t.resolves(driveTimes(site.server, job, 4, 2), `${scenario.id} ${scenario.title}`)
      }
      await site.server.stop()
    })
  }
}
