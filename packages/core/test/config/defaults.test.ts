import t from 'tap'
import { defaults, rateRules } from '../../src/config/defaults.ts'

t.test('every constant of the product', async (t) => {
  const day = 24 * 60 * 60
  t.match(defaults, {
    basePath: '/api/auth',
    sessionMaxAge: 30 * day,
    sessionUpdateAge: day,
    verificationMaxAge: 86_400,
    verificationTokenBytes: 32,
    csrfTokenBytes: 32,
    checksMaxAge: 900,
    maxAttempts: 5,
    cookieChunkSize: 3933,
    cookieBudget: 12_000,
    clockTolerance: 10,
    keySetMaxAge: 600,
    keySetThrottle: 60,
    keySetCooldown: 30,
    maxIssuers: 100,
    providerRetryAfter: 5,
    outboundTimeoutMilliseconds: 5000,
    outboundMaxBytes: 1_000_000,
    mailTimeoutMilliseconds: 10_000,
    codeLength: 8,
    maxCodeTries: 5,
    bodyLimitBytes: 100_000,
    secretLength: 32
  })
})

t.test('a constant is overridden by an option, and not written', async (t) => {
  const write = (): void => {
    // @ts-expect-error The constants of all registrations are read-only.
    defaults.codeLength = 4
  }
  t.type(write, 'function')
})

t.test('how often is too often', async (t) => {
  t.same(rateRules, {
    mailPerIdentifier: { points: 5, seconds: 15 * 60 },
    mailPerClient: { points: 20, seconds: 60 * 60 },
    credentialsPerIdentifierAndClient: { points: 10, seconds: 15 * 60 },
    credentialsPerIdentifier: { points: 100, seconds: 60 * 60 },
    credentialsPerClient: { points: 100, seconds: 60 * 60 },
    callbackPerClient: { points: 60, seconds: 60 }
  })
})
