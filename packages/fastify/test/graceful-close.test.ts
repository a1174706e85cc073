import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { isLong, times } from '@postern/testkit/long'
import t from 'tap'
import { type CutError, type Instance, methods, openStage, type ProcessSlot } from './crash-stage.ts'

const rounds = times(1, 50)
if (isLong) t.setTimeout(0)

const isAlive = ({ process: child }: Instance): boolean => child.exitCode === null && child.signalCode === null

t.test('a process that is terminated under load finishes the accepted requests', async (t) => {
  const stage = await openStage(t, { kind: 'transactional', pause: 30 })
  const slot: ProcessSlot = { instance: null }
  let accepted = 0
  let refused = 0
  let allLost = 0
  for (let round = 0; round < rounds; round++) {
    const instance = await stage.begin(slot)
    const cut: CutError[] = []
    let isReported = false
    const queues = [...methods, ...methods].map(async (method, index) => {
      for (let count = 0; isAlive(instance); count++) {
        const visitor = stage.visitor(slot, `v${round}-${index}-${count}`, method, (error) => void cut.push(error))
        const result = await visitor.signIn()
        if (result === 'cut' && !isReported) t.fail('a connection was cut before')
        // No one listens any more.
        if (result === 'cut') return
      }
    })
    await delay(100 + Math.random() * 300)
    isReported = true
    instance.process.kill('SIGTERM')
    const stopped = once(instance.process, 'exit')
    await Promise.all(queues)
    await stopped
    t.same(await instance.ended, [0, null], 'it exits')
    const lost = cut.filter(({ number }) => instance.accepted.has(number))
    t.equal(lost.length, 0, 'nothing accepted was cut')
    allLost += lost.length
    accepted += instance.accepted.size
    refused += cut.length
  }
  t.ok(accepted >= rounds, 'there was a load')
  const last = await stage.begin(slot)
  await stage.settle(slot, `closing under load, ${rounds} rounds`)
  last.process.kill('SIGTERM')
  console.log(
    `closing under load: ${rounds} rounds, ${accepted} requests accepted, ${allLost} cut; ${refused} were too late`
  )
})
