import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'

t.test('in a timer', () => {
  setTimeout(() => {
    throw new Error('thrown in a timer')
  }, 1)
  return delay(300)
})

t.test('in a promise', async () => {
  void Promise.reject(new Error('rejected and not handled'))
  await delay(300)
})

t.test('outside', async (t) => {
  await t.test('inside', async () => {
    setImmediate(() => {
      throw new Error('thrown inside')
    })
    await delay(300)
  })
  t.pass('goes on')
})

t.test('nothing is thrown here', async (t) => t.pass('as ever'))
