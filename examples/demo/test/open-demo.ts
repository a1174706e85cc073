import type { Test } from 'tap'
import { type Demo, startDemo } from '../src/main.ts'
import { freePorts } from './free-ports.ts'

/** Starts the demo, with an empty database. It is closed after the test. */
export async function openDemo(t: Test, environment: Readonly<Record<string, string>> = {}): Promise<Demo> {
  const [port, oidcPort, smtpPort] = await freePorts(3)
  const demo = await startDemo({
    PORT: String(port),
    OIDC_PORT: String(oidcPort),
    SMTP_PORT: String(smtpPort),
    DATABASE: ':memory:',
    LOG_LEVEL: 'silent',
    ...environment
  })
  t.teardown(() => demo.close())
  return demo
}
