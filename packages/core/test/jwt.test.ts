import t from 'tap'
import type { Revocation, RevocationStore } from '../src/adapter/revocation.ts'
import { decode, encode, type GetTokenOptions, getToken, type RevocationSource } from '../src/jwt.ts'
import { createPostern } from '../src/postern.ts'
import { encryptText } from '../src/tokens/jwe.ts'
import { sessionKeyRing } from '../src/tokens/keys.ts'

const secret = 'a secret of the tests'
const claims = { name: 'Ada Lovelace', email: 'ada@example.com', sub: '1' }
const cookieName = 'next-auth.session-token'
const seconds = Math.floor(Date.now() / 1000)

t.test('an encoded token is decoded, for 30 days by default', async (t) => {
  const token = await decode({ token: await encode({ token: claims, secret }), secret })
  t.match(token, claims)
  t.equal(Number(token?.['exp']) - Number(token?.['iat']), 30 * 24 * 60 * 60)
  const short = await decode({ token: await encode({ token: claims, secret, maxAge: 60 }), secret })
  t.equal(Number(short?.['exp']) - Number(short?.['iat']), 60)
  t.match(await decode({ token: await encode({ secret }), secret }), { jti: /^[\da-f-]{36}$/ })
})

t.test('a list of secrets: the first writes, each is tried', async (t) => {
  const token = await encode({ token: claims, secret: ['new', 'old'] })
  t.match(await decode({ token, secret: 'new' }), claims)
  t.match(await decode({ token, secret: ['newer', 'new'] }), claims)
  await t.rejects(decode({ token, secret: 'old' }), TypeError)
})

t.test('a salt makes other tokens', async (t) => {
  const token = await encode({ token: claims, secret, salt: 'a' })
  t.match(await decode({ token, secret, salt: 'a' }), claims)
  await t.rejects(decode({ token, secret }), TypeError)
  await t.rejects(decode({ token, secret, salt: 'b' }), TypeError)
})

t.test('no token is null; a damaged, foreign or old one throws', async (t) => {
  t.equal(await decode({ secret }), null)
  t.equal(await decode({ token: '', secret }), null)
  const encrypted = async (content: unknown): Promise<string> =>
    encryptText(sessionKeyRing([secret]), JSON.stringify(content))
  for (const token of [
    ...['a', '....', `${await encode({ token: claims, secret })}a`, await encode({ token: claims, secret: 'another' })],
    ...[
      await encrypted({ ...claims, exp: seconds - 60 }),
      await encrypted(claims),
      await encrypted([]),
      await encrypted('a'),
      await encrypted(null)
    ]
  ]) {
    await t.rejects(decode({ token, secret }), TypeError)
  }
  await t.rejects(decode({ token: await encryptText(sessionKeyRing([secret]), 'no JSON'), secret }))
})

t.test('without a secret nothing is written or read', async (t) => {
  for (const none of ['', [], ['']]) {
    await t.rejects(encode({ token: claims, secret: none }), TypeError)
    await t.rejects(decode({ token: await encode({ token: claims, secret }), secret: none }), TypeError)
  }
})

const withCookie = (value: string, name: string = cookieName): { headers: Record<string, string> } => ({
  headers: { cookie: `a=1; ${name}=${value}` }
})

t.test('the token of a request is found in its cookie, whatever the kind of headers', async (t) => {
  const token = await encode({ token: claims, secret })
  t.match(await getToken({ req: withCookie(token), secret }), claims)
  t.match(await getToken({ req: new Request('https://app.test', withCookie(token)), secret }), claims)
  t.match(await getToken({ req: withCookie(token, `__Secure-${cookieName}`), secret }), claims)
  t.equal(await getToken({ req: withCookie(token), secret, raw: true }), token)
  t.match(await getToken({ req: withCookie(token, 'sid'), secret, cookieName: 'sid' }), claims)
  t.equal(await getToken({ req: withCookie(token), secret, cookieName: 'sid' }), null)
  t.equal(await getToken({ req: withCookie(token), secret, secureCookie: true }), null)
  t.equal(await getToken({ req: withCookie(token, `__Secure-${cookieName}`), secret, secureCookie: false }), null)
})

t.test('chunks are joined', async (t) => {
  const token = await encode({ token: { ...claims, long: 'x'.repeat(9000) }, secret })
  const chunks = (token.match(/.{1,3933}/g) ?? []).map((chunk, number) => `${cookieName}.${number}=${chunk}`)
  t.ok(chunks.length > 2)
  t.match(await getToken({ req: { headers: { cookie: chunks.toReversed().join('; ') } }, secret }), claims)
  t.equal(await getToken({ req: { headers: { cookie: chunks.toSpliced(1, 1).join('; ') } }, secret }), null)
})

t.test('a Bearer token is used if no cookie is valid', async (t) => {
  const token = await encode({ token: claims, secret })
  const bearer = (text: string, cookie: string = ''): { headers: Record<string, string> } => ({
    headers: { authorization: text, cookie }
  })
  t.match(await getToken({ req: bearer(`Bearer ${token}`), secret }), claims)
  t.match(await getToken({ req: bearer(`bearer ${encodeURIComponent(token)}`), secret }), claims)
  t.match(await getToken({ req: bearer(`Bearer ${token}`, `${cookieName}=damaged`), secret }), claims)
  t.equal(await getToken({ req: bearer(`Basic ${token}`), secret }), null)
  t.equal(await getToken({ req: bearer(token), secret }), null)
})

const odd = [
  'Bearer %',
  'Bearer %E0%A4%A',
  'Bearer ',
  'Bearer',
  '',
  ' ',
  'Bearer  a',
  'Bearer \u00ff',
  `Bearer ${'a'.repeat(65_536)}`,
  `Bearer ${'%41'.repeat(20_000)}`,
  'Bearer a, Bearer b',
  'Bearer ....',
  'Bearer null'
]

t.test('an invalid Authorization header is no session, and no error', async (t) => {
  for (const authorization of odd) {
    const name = JSON.stringify(authorization.slice(0, 20)).replaceAll(/[^\x20-\x7e]/g, '?')
    t.equal(await getToken({ req: { headers: { authorization } }, secret }), null, name)
    t.equal(
      await getToken({ req: new Request('https://app.test', { headers: { authorization } }), secret }),
      null,
      name
    )
  }
  t.equal(
    await getToken({ req: { headers: { authorization: ['Bearer a', 'Bearer b'] } }, secret }),
    null,
    'a repeated header'
  )
  t.equal(await getToken({ req: { headers: {} }, secret }), null)
  for (const cookie of ['%', '....', '{}', '"', 'a; ; =', '\u0000', 'a'.repeat(300_000)]) {
    t.equal(await getToken({ req: { headers: { cookie: `${cookieName}=${cookie}` } }, secret }), null)
  }
})

t.test('a reader of the application’s own that throws, at once or later, finds nothing', async (t) => {
  const req = withCookie('token')
  const mistake = (): never => {
    throw new Error('mistake')
  }
  t.equal(await getToken({ req, secret, decode: mistake }), null)
  t.equal(await getToken({ req, secret, decode: async () => mistake() }), null)
  t.equal(await getToken({ req, secret, decode: () => null }), null)
  t.match(await getToken({ req, secret, decode: ({ token, secret }) => ({ sub: `${token} ${String(secret)}` }) }), {
    sub: `token ${secret}`
  })
})

t.test('getToken accepts tokens of one application, and those that name none', async (t) => {
  const bound = async (session_app: unknown): Promise<string> => encode({ token: { ...claims, session_app }, secret })
  const [own, other] = [await bound('/api/auth'), await bound('/admin/api/auth')]
  t.match(await getToken({ req: withCookie(own), secret }), claims)
  t.equal(await getToken({ req: withCookie(other), secret }), null)
  t.match(await getToken({ req: withCookie(other), secret, applicationId: '/admin/api/auth' }), claims)
  t.equal(await getToken({ req: withCookie(own), secret, applicationId: '/admin/api/auth' }), null)
  t.equal(await getToken({ req: withCookie(other), secret, decode }), null, 'with a reader of the application, too')
  t.equal(await getToken({ req: withCookie(await bound(['/api/auth'])), secret }), null)
  t.match(await getToken({ req: withCookie(await bound(null)), secret }), claims)
  const req = { headers: { cookie: `__Secure-${cookieName}=${other}; ${cookieName}=${own}` } }
  t.match(await getToken({ req, secret }), { session_app: '/api/auth' }, 'the next cookie is tried')
})

t.test('a missing secret accepts no token, not even one of the empty secret', async (t) => {
  const { NEXTAUTH_SECRET, AUTH_SECRET } = process.env
  t.teardown(() =>
    Object.assign(process.env, {
      ...(NEXTAUTH_SECRET ? { NEXTAUTH_SECRET } : {}),
      ...(AUTH_SECRET ? { AUTH_SECRET } : {})
    })
  )
  delete process.env['NEXTAUTH_SECRET']
  delete process.env['AUTH_SECRET']
  const { EncryptJWT } = await import('jose')
  const { hkdfSync } = await import('node:crypto')
  const key = new Uint8Array(hkdfSync('sha256', '', '', 'NextAuth.js Generated Encryption Key', 32))
  const forged = await new EncryptJWT(claims)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime('1h')
    .encrypt(key)
  t.equal(await getToken({ req: withCookie(forged) }), null)
  t.equal(await getToken({ req: withCookie(forged), secret: '' }), null)
  process.env['AUTH_SECRET'] = ''
  t.equal(await getToken({ req: withCookie(forged) }), null)

  process.env['AUTH_SECRET'] = 'old'
  process.env['NEXTAUTH_SECRET'] = 'new'
  t.match(await getToken({ req: withCookie(await encode({ token: claims, secret: 'new' })) }), claims)
  t.match(await getToken({ req: withCookie(await encode({ token: claims, secret: 'old' })) }), claims)
  delete process.env['AUTH_SECRET']
  delete process.env['NEXTAUTH_SECRET']
})

/** A store with these revocations, and the subjects that it was requested. */
function getStore(revoked: Readonly<Record<string, number>>): RevocationStore & { readonly requests: string[] } {
  const requests: string[] = []
  const all: readonly Revocation[] = Object.entries(revoked).map(([subject, version]) => ({
    subject,
    version,
    until: new Date(Date.now() + 60_000)
  }))
  return {
    requests,
    revoke: () => 1,
    listRevocations: () => all,
    getRevocations: (subjects) => {
      requests.push(...subjects)
      return all.filter(({ subject }) => subjects.includes(subject))
    }
  }
}

t.test('getToken asks the store whether the user or the session was revoked', async (t) => {
  const named = { ...claims, session_id: 's1', session_version: 5 }
  const token = await encode({ token: named, secret })
  const req = withCookie(token)
  const cases: readonly (readonly [title: string, revoked: Record<string, number>, isAccepted: boolean])[] = [
    ['nothing', {}, true],
    ['another user and another session', { 'user:2': 9, 'session:s2': 9 }, true],
    ['the user, before this session began', { 'user:1': 5 }, true],
    ['the user', { 'user:1': 6 }, false],
    ['the session', { 'session:s1': 1 }, false]
  ]
  for (const [title, revoked, isAccepted] of cases) {
    const revocations = getStore(revoked)
    t.match(await getToken({ req, secret, revocations }), isAccepted ? named : null, title)
    t.same(revocations.requests, ['user:1', 'session:s1'])
    t.equal(await getToken({ req, secret, revocations, raw: true }), isAccepted ? token : null, title)
  }
  const other = await encode({ token: { ...named, session_id: 's2' }, secret })
  const headers = { ...req.headers, authorization: `Bearer ${other}` }
  const revocations = getStore({ 'session:s1': 1 })
  t.match(await getToken({ req: { headers }, secret, revocations }), { session_id: 's2' }, 'the next that counts')
})

t.test('getToken requires a choice only if a token has the version of its session', async (t) => {
  const required = { name: 'TypeError', message: /revocations: adapter .*revocations: 'unchecked'/ }
  const named = await encode({ token: { ...claims, session_version: 0 }, secret })
  for (const raw of [true, false]) await t.rejects(getToken({ req: withCookie(named), secret, raw }), required)
  await t.rejects(getToken({ req: withCookie('x'), secret, decode: () => ({ session_version: 1 }) }), required)
  t.equal(await getToken({ req: withCookie(named), secret: 'another' }), null, 'no other user can name one')
  t.match(await getToken({ req: withCookie(named), secret, revocations: 'unchecked' }), claims)
  t.equal(await getToken({ req: withCookie('x'), secret, revocations: 'unchecked', raw: true }), 'x', 'unread')

  const plain = await encode({ token: claims, secret })
  t.match(await getToken({ req: withCookie(plain), secret }), claims)
  t.equal(await getToken({ req: withCookie(plain), raw: true }), plain, 'without a secret, as next-auth v4')
  const revocations = getStore({})
  t.equal(await getToken({ req: withCookie('x'), secret, raw: true, revocations }), null, 'what cannot be read')
  t.same(revocations.requests, [])
})

t.test('a store that cannot be asked accepts nothing', async (t) => {
  const token = await encode({ token: { ...claims, session_version: 1 }, secret })
  const fails = (): never => {
    throw new Error('connection refused')
  }
  const invalid = [{ subject: 'user:1' }]
  for (const getRevocations of [fails, async () => fails(), () => invalid as unknown as Revocation[]]) {
    const revocations = { ...getStore({}), getRevocations }
    for (const raw of [true, false]) {
      const requested = getToken({ req: withCookie(token), secret, revocations, raw })
      await t.rejects(requested, { code: 'StoreUnavailable', statusCode: 503 })
    }
  }
  const { listRevocations: _, ...incomplete } = getStore({})
  for (const given of [incomplete, {}, null, false, true, 'checked', () => null]) {
    const options: GetTokenOptions = { req: { headers: {} }, secret, revocations: given as RevocationSource }
    await t.rejects(getToken(options), { name: 'TypeError', message: /expected a store with the methods revoke/ })
  }
})

t.test('a registration reads the claims after its checks', async (t) => {
  const revocations = getStore({ 'session:s1': 1 })
  const url = 'https://app.test'
  const auth = createPostern({ secret: secret.padEnd(32, '.'), url, providers: [], session: { revocations } }, {})
  const requestWith = async (session_id: string): Promise<Request> => {
    const token = await encode({ token: { ...claims, session_id, session_version: 0 }, secret: secret.padEnd(32, '.') })
    return new Request(url, withCookie(token, `__Secure-${cookieName}`))
  }
  t.match(await auth.getToken(await requestWith('s2')), { ...claims, session_id: 's2' })
  t.equal(await auth.getToken(await requestWith('s1')), null)
  t.equal(await auth.getToken(new Request(url)), null)
})
