import t from 'tap'
import { AuthError } from '../../src/errors/auth-error.ts'
import { ConfigError, type Problem } from '../../src/errors/config-error.ts'
import { errorCodes, isSignInCode, knownCode } from '../../src/errors/error-codes.ts'
import { serializeError } from '../../src/errors/serialize-error.ts'

t.test('every code has its screen and status', async (t) => {
  const entries = Object.entries(errorCodes).map(([code, { screen, status }]) => `${code} ${screen} ${status}`)
  t.same(entries.sort(), [
    'AccessDenied error 403',
    'Callback signin 200',
    'Configuration error 500',
    'CredentialsSignin signin 401',
    'DifferentUser signin 401',
    'EmailCreateAccount signin 200',
    'EmailSignin signin 200',
    'ImpersonationForbidden error 403',
    'NotFound error 404',
    'OAuthAccountNotLinked signin 200',
    'OAuthCallback signin 200',
    'OAuthCreateAccount signin 200',
    'OAuthSignin signin 200',
    'PermissionRequired error 403',
    'RateLimited error 429',
    'SessionRequired signin 401',
    'SessionTooLarge error 500',
    'Signin signin 200',
    'StoreConflict error 409',
    'StoreUnavailable error 503',
    'UnmetRequirements signin 401',
    'UserReferenced error 409',
    'UserSuspended error 403',
    'Verification error 403'
  ])
  t.equal(isSignInCode('Signin'), true)
  t.equal(isSignInCode('Verification'), false)
})

t.test('a code is matched in any case, and nothing else is', async (t) => {
  t.equal(knownCode('configuration'), 'Configuration')
  t.equal(knownCode('OAUTHCALLBACK'), 'OAuthCallback')
  for (const text of ['', 'unknown', 'constructor', '__proto__', 'toString', ' Signin'])
    t.equal(knownCode(text), null, text)
})

t.test('an error carries code, status, reason and the cookies that are due in spite of it', async (t) => {
  const cookie = (value: string) => ({ value, attributes: {}, expires: null })
  const cause = new Error('evidence')
  const error = new AuthError('oauthcallback', 'message', {
    cause,
    reason: 'expired',
    cookies: new Map([['a', cookie('own')]])
  })
  t.match(error, {
    name: 'AuthError',
    code: 'OAuthCallback',
    statusCode: 200,
    reason: 'expired',
    retryAfter: null,
    cause
  })
  error.withCookies(
    new Map([
      ['a', cookie('other')],
      ['b', cookie('spent')]
    ])
  )
  t.same(
    [...error.cookies].map(([name, { value }]) => [name, value]),
    [
      ['a', 'own'],
      ['b', 'spent']
    ]
  )
  t.match(new AuthError('TooYoung', 'm'), { code: 'TooYoung', entry: { screen: 'error', status: 403 } })
  t.equal(new AuthError('TooYoung', 'm', { status: 401 }).statusCode, 401)
})

t.test('a configuration error contains every problem', async (t) => {
  const problems: Problem[] = [
    { option: 'secret', code: 'SECRET_TOO_SHORT', message: 'expected at least 32 characters, got 12' },
    { option: 'providers.github.clientId', code: 'CLIENT_ID_MISSING', message: 'expected a string, got nothing' }
  ]
  const error = new ConfigError(problems)
  t.equal(
    error.message,
    'Postern cannot start:\n- secret: expected at least 32 characters, got 12\n- providers.github.clientId: expected a string, got nothing'
  )
  t.match(error, { name: 'ConfigError', code: 'POSTERN_CONFIG', problems })
})

t.test('the log contains the fields of an error, and no attached data', async (t) => {
  const carrying = Object.assign(new Error('outer\r\nX: injected'), { code: 'E1', body: { token: 'canary' } })
  carrying.cause = Object.assign(new TypeError('inner'), { cause: { token: 'canary' }, code: 7 })
  t.same(serializeError(carrying), {
    ...{ name: 'Error', message: 'outer X: injected', code: 'E1' },
    cause: { name: 'TypeError', message: 'inner', code: '7' }
  })
  t.equal(serializeError(new Error('x'.repeat(10_000))).message.length, 500)
  t.match(serializeError('canary'), { name: 'string' })
  t.notMatch(JSON.stringify([serializeError('canary'), serializeError({ canary: 1 })]), /canary/)
  const endless = new Error('endless')
  endless.cause = endless
  t.ok(JSON.stringify(serializeError(endless)).length < 2000)
})
