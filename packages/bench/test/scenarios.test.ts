import { driveTimes } from '@postern/bench/load/drive'
import { getJob, openLineup } from '@postern/bench/scenarios/lineup'
import { scenarios } from '@postern/bench/scenarios/scenarios'
import { type SubjectName, subjectNames } from '@postern/bench/subjects/subject'
import { isLong } from '@postern/testkit/long'
import t from 'tap'

const lineup = await openLineup()
t.teardown(() => lineup.close())

const getJobs = (name: SubjectName, isStored: boolean) =>
  scenarios.filter((scenario) => scenario.isStored === isStored && scenario.jobs[name])

/** In `npm test` Postern alone: the programs of the others are run by every benchmark, and in the long run. */
const isTested = (name: SubjectName): boolean => isLong || name === 'postern'

for (const isStored of [false, true]) {
  for (const name of subjectNames) {
    const mine = getJobs(name, isStored)
    if (mine.length === 0 || !isTested(name)) continue
    t.test(`${name}, sessions in ${isStored ? 'the database' : 'cookies'}: every response is right`, async (t) => {
      const site = await lineup.start(name, isStored)
      for (const scenario of mine) {
        const job = await getJob(scenario, site)
        await t.resolves(driveTimes(site.server, job, 4, 2), `${scenario.id} ${scenario.title}`)
      }
      await site.server.stop()
    })
  }
}
