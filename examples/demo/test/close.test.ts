import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { openDemo } from './open-demo.ts'

// Chromium opens connections in advance. Node never closes those on which no request arrived.
t.test('an open browser does not delay the end', { timeout: 30_000 }, async (t) => {
  const demo = await openDemo(t)
  const unused = connect(Number(new URL(demo.url).port), 'localhost')
  t.teardown(() => unused.destroy())
  await once(unused, 'connect')
  const ended = once(unused.resume(), 'close')
  await demo.close()
  await ended
  t.pass()
})
