import t from 'tap'
import { cookieTable } from '../../src/cookies/names.ts'

const names = (secure: boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(cookieTable(secure, '/api/auth', {})).map(([key, { name }]) => [key, name]))

t.test('the names are those of next-auth v4', async (t) => {
  t.same(names(false), {
    sessionToken: 'next-auth.session-token',
    callbackUrl: 'next-auth.callback-url',
    csrfToken: 'next-auth.csrf-token',
    pkceCodeVerifier: 'next-auth.pkce.code_verifier',
    state: 'next-auth.state',
    nonce: 'next-auth.nonce',
    emailRequest: 'postern.email',
    device: 'postern.device',
    newDevice: 'postern.new-device',
    lastMethod: 'postern.last-method',
    sessionProof: 'postern.session-proof'
  })
})

t.test(
  'cookie-2: on https they have prefixes: __Host- for the anti-forgery token, __Secure- for the others',
  async (t) => {
    const { csrfToken, ...others } = names(true)
    t.equal(csrfToken, '__Host-next-auth.csrf-token')
    for (const name of Object.values(others)) t.match(name, /^__Secure-(next-auth|postern)\./)
  }
)

t.test('cookie-1: every cookie is HttpOnly, Lax, Secure on https, without a domain', async (t) => {
  for (const secure of [true, false]) {
    for (const [key, { options }] of Object.entries(cookieTable(secure, '/api/auth', {}))) {
      const path = ['device', 'emailRequest', 'lastMethod', 'newDevice'].includes(key) ? '/api/auth' : '/'
      t.same(options, { httpOnly: true, sameSite: 'lax', path, secure }, key)
    }
  }
})

t.test('a configured cookie replaces name and attributes; missing ones are the defaults', async (t) => {
  const options = { path: '/app', secure: true }
  const table = cookieTable(true, '/api/auth', { sessionToken: { name: 'sid', options }, state: { name: 'st' } })
  t.same(table.sessionToken, { name: 'sid', options })
  t.equal(table.state.name, 'st')
  t.same(table.state.options, table.nonce.options)
})

t.test('sameSite may be a boolean, as in Auth.js: strict, or no attribute', async (t) => {
  for (const [sameSite, expected] of [
    [true, { sameSite: 'strict' }],
    ['none', { sameSite: 'none' }],
    [false, {}]
  ] as const) {
    const { sessionToken } = cookieTable(true, '', { sessionToken: { options: { secure: true, sameSite } } })
    t.same(sessionToken.options, { secure: true, ...expected })
  }
})
