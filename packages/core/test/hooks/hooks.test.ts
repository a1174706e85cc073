import { runInNewContext } from 'node:vm'
import t from 'tap'
import { AuthError, SignInError } from '../../src/errors/auth-error.ts'
import { authorizeSignIn, signInErrorsOnly, thrownError } from '../../src/hooks/authorize-sign-in.ts'
import { createEmitter } from '../../src/hooks/events.ts'

/** As `DrizzleQueryError` of drizzle-orm 0.45 wraps the error of a driver. */
class QueryError extends Error {}
const constraint = Object.assign(new Error('duplicate key'), { code: '23505' })
const query = 'Failed query: select * from people where password = $1\nparams: lovelace'

const system = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED', errno: -111 })
const foreign: unknown = runInNewContext('new Error("Too young")')

type Expected = readonly [code: string, status: number]
const refused: Expected = ['AccessDenied', 403]
/** Not shown, and logged as an error: docs/errors.md, "Callback". */
const crashed: Expected = ['Callback', 500]
const unavailable: Expected = ['StoreUnavailable', 503]

// next-auth v4, "signIn callback" and "authorize": `throw new Error('message')` refuses, and the message is the code.
const thrown: readonly (readonly [title: string, value: unknown, mode: 'message' | 'code' | 'none', ...Expected])[] = [
  ['a message', new Error('Too young'), 'message', 'Too young', 403],
  ['a message of 100 characters', new Error('x'.repeat(100)), 'message', 'x'.repeat(100), 403],
  ['a message of 101 characters', new Error('x'.repeat(101)), 'message', ...crashed],
  ['a message of two lines', new Error('Too\nyoung'), 'message', ...crashed],
  ['a message with a line separator', new Error('Too\u2028young'), 'message', ...crashed],
  ['a message, kept from visitors', new Error('Too young'), 'code', ...refused],
  ['a message, by a feature', new Error('Too young'), 'none', ...crashed],
  ['the name of a code', new Error('verification'), 'message', 'Verification', 403],
  ['no message', new Error(''), 'message', ...refused],
  ['a failed query that a library wraps', new QueryError(query, { cause: constraint }), 'message', ...crashed],
  ['an error with a cause', new Error('Too young', { cause: constraint }), 'message', ...crashed],
  ['an error of a driver', constraint, 'message', ...crashed],
  ['an error with a number only', Object.assign(new Error('open /etc/a'), { errno: -2 }), 'message', ...crashed],
  ['a mistake', new TypeError("Cannot read properties of undefined (reading 'name')"), 'message', ...crashed],
  ['a mistake, kept from visitors', new RangeError('invalid date'), 'code', ...crashed],
  ['an error of another realm', foreign, 'message', ...crashed],
  ['an outage', system, 'message', ...unavailable],
  ['an outage that a library wraps', new QueryError(query, { cause: system }), 'message', ...unavailable],
  ['a chosen code', new SignInError('TooYoung', 'born yesterday'), 'code', 'TooYoung', 403],
  ['a chosen code, by a feature', new SignInError('TooYoung', 'born yesterday'), 'none', 'TooYoung', 403],
  ['a text', 'Too young', 'message', ...crashed],
  ['nothing', undefined, 'message', ...crashed],
  ['an error of Postern', new AuthError('RateLimited', 'm'), 'code', 'RateLimited', 429]
]

for (const [title, value, mode, code, status] of thrown) {
  t.test(`a callback that throws ${title}, with ${mode}: ${code}`, async (t) => {
    const seen: string[] = []
    const policy = { mode, onMessage: (callee: string) => void seen.push(callee) }
    const error = thrownError(value, policy, { fallback: 'AccessDenied', callee: 'callbacks.signIn' })
    t.equal(error.code, code)
    t.equal(error.statusCode, status)
    t.equal(seen.length, mode === 'message' && value instanceof Error && value.message === code ? 1 : 0)
  })
}

t.test('a redacted copy of a crash is no refusal', async (t) => {
  const policy = { mode: 'message', onMessage: () => undefined } as const
  const about = { fallback: 'CredentialsSignin', callee: 'authorize', secrets: ['lovelace'] } as const
  const convert = (value: unknown) => thrownError(value, policy, about)
  t.equal(convert(new TypeError('lovelace is not a function')).code, 'Callback')
  t.match(convert(new Error('lovelace is wrong')), { code: '[hidden] is wrong' })
  t.match(convert(new SignInError('Locked', 'lovelace is wrong')), {
    code: 'Locked',
    message: /: \[hidden\] is wrong$/
  })
  t.equal(convert(new SignInError('lovelace')).code, 'CredentialsSignin')
})

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
  isNewUser: false,
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
    const reported = await authorizeSignIn(question, async () => result as boolean, signInErrorsOnly).catch(
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
