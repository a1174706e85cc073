import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { type CutError, type Instance, openStage, type Place, ways } from './crash-stage.ts'

/** `POSTERN_LONG=1` for two hundred rounds. */
const isLong = Boolean(process.env['POSTERN_LONG'])
const rounds = isLong ? 200 : 5
t.setTimeout(isLong ? 0 : 300_000)

const isAlive = ({ process: child }: Instance): boolean => child.exitCode === null && child.signalCode === null

t.test('a process that is told to end under load finishes what it has accepted', async (t) => {
  const stage = await openStage(t, { kind: 'transactional', pause: 30 })
  const place: Place = { instance: null }
  let accepted = 0
  let refused = 0
  let allLost = 0
  for (let round = 0; round < rounds; round++) {
    const instance = await stage.begin(place)
    const cut: CutError[] = []
    let isTold = false
    const queues = [...ways, ...ways].map(async (way, index) => {
      for (let count = 0; isAlive(instance); count++) {
        const visitor = stage.visitor(place, `v${round}-${index}-${count}`, way, (error) => void cut.push(error))
        const told = await visitor.signIn()
        if (told === 'cut' && !isTold) t.fail('a connection was cut before')
        // Nobody listens any more.
        if (told === 'cut') return
      }
    })
    await delay(100 + Math.random() * 300)
    isTold = true
    instance.process.kill('SIGTERM')
    const stopped = once(instance.process, 'exit')
    await Promise.all(queues)
    await stopped
    t.same(await instance.ended, [0, null], 'it ends by itself')
    const lost = cut.filter(({ number }) => instance.accepted.has(number))
    t.equal(lost.length, 0, 'nothing accepted was cut')
    allLost += lost.length
    accepted += instance.accepted.size
    refused += cut.length
  }
  t.ok(accepted >= rounds, 'there was a load')
  const how = isLong ? '' : ' (POSTERN_LONG=1 for 200)'
  const last = await stage.begin(place)
  await stage.settle(place, `closing under load, ${rounds} rounds${how}`)
  last.process.kill('SIGTERM')
  console.log(
    `closing under load: ${rounds} rounds${how}, ${accepted} requests accepted, ${allLost} cut; ${refused} came too late`
  )
})
