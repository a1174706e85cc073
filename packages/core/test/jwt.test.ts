import t from 'tap'
import { decode, encode, getToken } from '../src/jwt.ts'
import { sessionKeyRing } from '../src/tokens/keys.ts'
import { sealText } from '../src/tokens/seal.ts'

const secret = 'a secret of the tests'
const claims = { name: 'Ada Lovelace', email: 'ada@example.com', sub: '1' }
const cookieName = 'next-auth.session-token'
const seconds = Math.floor(Date.now() / 1000)

t.test('what was encoded is decoded, for 30 days unless said otherwise', async (t) => {
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
  const sealed = (content: unknown): Promise<string> => sealText(sessionKeyRing([secret]), JSON.stringify(content))
  for (const token of [
    ...['a', '....', `${await encode({ token: claims, secret })}a`, await encode({ token: claims, secret: 'another' })],
    ...[
      await sealed({ ...claims, exp: seconds - 60 }),
      await sealed(claims),
      await sealed([]),
      await sealed('a'),
      await sealed(null)
    ]
  ]) {
    await t.rejects(decode({ token, secret }), TypeError)
  }
  await t.rejects(decode({ token: await sealText(sessionKeyRing([secret]), 'no JSON'), secret }))
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

t.test('a Bearer token stands in where no cookie counts', async (t) => {
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

t.test('whatever stands in the Authorization header, there is no session and no error', async (t) => {
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
    'a header that came twice'
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

t.test('a missing secret lets nobody in, least of all with a token of the empty secret', async (t) => {
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
