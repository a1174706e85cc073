import { lookAround } from '@postern/testkit/journey'
import t from 'tap'
import { startDemo } from '../src/main.ts'
import { samples } from '../src/samples.ts'
import { freePorts } from './free-ports.ts'

t.test('the front page links every screen, and each answers', async (t) => {
  const [port, oidcPort, smtpPort] = await freePorts(3)
  const demo = await startDemo({
    PORT: String(port),
    OIDC_PORT: String(oidcPort),
    SMTP_PORT: String(smtpPort),
    DATABASE: ':memory:',
    LOG_LEVEL: 'silent'
  })
  t.teardown(demo.close)
  await lookAround(t, demo.url, Object.keys(samples))
})
