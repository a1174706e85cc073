import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { startDemo } from '../src/main.ts'
import { freePorts } from './free-ports.ts'

// Chromium opens connections in advance. Node never closes those on which no request arrived.
t.test('an open browser does not delay the end', { timeout: 30_000 }, async (t) => {
  const [port = 0, oidcPort, smtpPort] = await freePorts(3)
  const demo = await startDemo({
    PORT: String(port),
    OIDC_PORT: String(oidcPort),
    SMTP_PORT: String(smtpPort),
    DATABASE: ':memory:',
    LOG_LEVEL: 'silent'
  })
  const unused = connect(port, 'localhost')
  t.teardown(() => unused.destroy())
  await once(unused, 'connect')
  const ended = once(unused.resume(), 'close')
  await demo.close()
  await ended
  t.pass()
})
