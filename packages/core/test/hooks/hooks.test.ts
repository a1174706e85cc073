import t from 'tap'
import { AuthError, SignInError } from '../../src/errors/auth-error.ts'
import { authorizeSignIn, codesOnly, thrownError } from '../../src/hooks/authorize-sign-in.ts'
import { createEmitter } from '../../src/hooks/events.ts'
import { defaultRedirect } from '../../src/hooks/hooks.ts'

const system = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED', errno: -111 })
const thrown: readonly (readonly [title: string, value: unknown, errors: 'message' | 'code', code: string])[] = [
  ['a message', new Error('Too young'), 'message', 'Too young'],
  ['a message, kept from visitors', new Error('Too young'), 'code', 'AccessDenied'],
  ['the name of a code', new Error('verification'), 'message', 'Verification'],
  ['no message', new Error(''), 'message', 'AccessDenied'],
  ['an error of the system', system, 'message', 'AccessDenied'],
  ['an error with a number only', Object.assign(new Error('open /etc/a'), { errno: -2 }), 'message', 'AccessDenied'],
  ['a chosen code', new SignInError('TooYoung', 'born yesterday'), 'code', 'TooYoung'],
  ['a text', 'Too young', 'message', 'AccessDenied'],
  ['nothing', undefined, 'message', 'AccessDenied'],
  ['an error of Postern', new AuthError('RateLimited', 'm'), 'code', 'RateLimited']
]

for (const [title, value, errors, code] of thrown) {
  t.test(`a callback that throws ${title} refuses with ${code}`, async (t) => {
    const error = thrownError(value, { mode: errors, onMessage: () => undefined }, 'AccessDenied', 'callbacks.signIn')
    t.equal(error.code, code)
    t.equal(error.statusCode, value instanceof AuthError ? 429 : 403)
  })
}

t.test('a listener that throws stops nothing and is logged under its event', async (t) => {
  const log: unknown[] = []
  const logger = {
    error: (code: string, error: unknown) => void log.push(code, error),
    warn: () => undefined,
    debug: () => undefined
  }
  const mistake = new Error('mistake')
  const emit = createEmitter(
    {
      createUser: () => Promise.reject(mistake),
      signOut: () => {
        throw mistake
      }
    },
    logger,
    1000
  )
  await emit('createUser', { user: { id: '1' } })
  await emit('signOut', {})
  await emit('session', { session: { expires: '' } })
  t.match(log, ['CREATE_USER_EVENT_ERROR', mistake, 'SIGN_OUT_EVENT_ERROR', mistake])
  t.equal(log.length, 4)
})

const question = {
  user: { id: '1' },
  account: { provider: 'demo', providerAccountId: '1', type: 'oauth' }
} as const

const results: readonly (readonly [answer: unknown, then: string])[] = [
  [true, 'granted'],
  ['/pending', 'elsewhere /pending'],
  ['https://other.test/pending', 'elsewhere https://other.test/pending'],
  [false, 'AccessDenied'],
  [undefined, 'AccessDenied'],
  [null, 'AccessDenied'],
  ['', 'AccessDenied'],
  ['https://[', 'AccessDenied'],
  [1, 'AccessDenied'],
  ['true', 'elsewhere true'],
  [{}, 'AccessDenied']
]

for (const [result, then] of results) {
  t.test(`the signIn callback answers ${JSON.stringify(result)}: ${then}`, async (t) => {
    const reported = await authorizeSignIn(question, async () => result as boolean, codesOnly).catch(
      (error: AuthError) => error
    )
    if (reported instanceof AuthError) t.equal(reported.code, then)
    else t.equal(reported.kind === 'elsewhere' ? `elsewhere ${reported.location}` : reported.kind, then)
  })
}

t.test('a listener that never answers is waited for in bounded time', async (t) => {
  const log: string[] = []
  const logger = { error: (code: string) => void log.push(code), warn: () => undefined, debug: () => undefined }
  await createEmitter({ signOut: () => new Promise(() => undefined) }, logger, 1)('signOut', {})
  t.same(log, ['SIGN_OUT_EVENT_ERROR'])
})

t.test('the default redirect stays on the origin', async (t) => {
  const baseUrl = 'https://app.test'
  t.equal(defaultRedirect({ url: '/me', baseUrl }), 'https://app.test/me')
  t.equal(defaultRedirect({ url: 'https://app.test/me', baseUrl }), 'https://app.test/me')
  for (const url of ['//evil.test', 'https://evil.test', 'https://[', 'javascript:alert(1)', 'http://app.test'])
    t.equal(defaultRedirect({ url, baseUrl }), baseUrl)
})
