import { ChildProcess } from 'node:child_process'
import { waitForMessage } from '@postern/testkit'
import t from 'tap'

const getText = ({ text }: Readonly<Record<string, unknown>>): unknown => text

t.test('of messages that arrive at once, the one that is waited for is found', async (t) => {
  const child = new ChildProcess()
  const waiting = waitForMessage(child, getText)
  for (const message of [{ port: 1 }, null, 'text', { text: 'found' }, { text: 'later' }])
    child.emit('message', message)
  t.equal(await waiting, 'found')
  t.same([child.listenerCount('message'), child.listenerCount('exit')], [0, 0], 'nobody listens afterwards')
})

t.test('the end of the process is an error', async (t) => {
  for (const [code, signal] of [
    [1, null],
    [null, 'SIGKILL']
  ] as const) {
    const child = new ChildProcess()
    const waiting = waitForMessage(child, getText)
    child.emit('exit', code, signal)
    await t.rejects(waiting, { message: `the process ended too early: ${code ?? signal}` })
    t.same([child.listenerCount('message'), child.listenerCount('exit')], [0, 0])
  }
})
