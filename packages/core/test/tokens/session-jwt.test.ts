import { hkdfSync, randomUUID } from 'node:crypto'
import { createClock } from '@postern/testkit'
import { EncryptJWT, jwtDecrypt } from 'jose'
import t from 'tap'
import type { Token } from '../../src/model/session.ts'
import { encryptText } from '../../src/tokens/jwe.ts'
import { sessionKeyRing } from '../../src/tokens/keys.ts'
import { LruCache } from '../../src/tokens/lru-cache.ts'
import { type SessionTokenCodec, sessionTokenCodec } from '../../src/tokens/session-jwt.ts'

const secret = 'a secret that next-auth v4 was given'
const claims = { name: 'Ada Lovelace', email: 'ada@example.com', picture: null, sub: '1' }
const start = Date.parse('2030-01-01T00:00:00Z') / 1000

function codecAt(seconds: number = start, secrets: readonly string[] = [secret]): SessionTokenCodec {
  const { now } = createClock(new Date(seconds * 1000))
  return sessionTokenCodec(sessionKeyRing(secrets), { now, tolerance: 10 })
}

/** next-auth v4's way, in its own words. */
const v4Key = (salt: string = ''): Uint8Array =>
  new Uint8Array(
    hkdfSync('sha256', secret, salt, `NextAuth.js Generated Encryption Key${salt ? ` (${salt})` : ''}`, 32)
  )

t.test('a token of next-auth v4 is read', async (t) => {
  const token = await new EncryptJWT(claims)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt(start)
    .setExpirationTime(start + 3600)
    .setJti(randomUUID())
    .encrypt(v4Key())
  t.match(await codecAt().decode(token), { ...claims, iat: start, exp: start + 3600 })
})

t.test('next-auth v4 reads Postern’s token', async (t) => {
  const { payload, protectedHeader } = await jwtDecrypt(await codecAt().encode(claims, 3600), v4Key(), {
    clockTolerance: 15,
    currentDate: new Date(start * 1000)
  })
  t.same(protectedHeader, { alg: 'dir', enc: 'A256GCM' })
  const { jti, ...rest } = payload
  t.same(rest, { ...claims, iat: start, exp: start + 3600 })
  t.match(jti, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

/** Made once with the algorithm of next-auth v4, and read by next-auth 4.24.15. */
const vector =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAECAwQFBgcICQoL.0zejsufyMXGNHzyWVH3n9gkTSidAVQQ2z8CFzC-rlhnw_AU0_-I2dXp1Bwzm12Akbpm4EzPMVrWxet5vzQpdun76RtFc9mt2IjyDkU4SMdcTwuoUMVheFzbfxqzuykt3-2k6Z--bzqRbYg6-6pFYvz8VhMzWZ6cb-O0COB3gcB0DmvNXXQVkIW7wmOD5WQc5rUv0-X5bratu.x826RwPkMC0PZUVHh2Tghg'

t.test('a token that was written years ago is still read', async (t) => {
  const jti = '0f0e0d0c-0b0a-4908-8706-050403020100'
  t.same(await codecAt().decode(vector), { ...claims, iat: start, exp: start + 30 * 86_400, jti })
  t.equal(await codecAt(start, ['another secret']).decode(vector), null)
})

t.test('rotation: the first secret writes, every one reads', async (t) => {
  t.match(await codecAt(start, ['a new secret', secret]).decode(vector), claims)
  const token = await codecAt(start, ['a new secret', secret]).encode(claims, 60)
  t.equal(await codecAt().decode(token), null)
  t.match(await codecAt(start, ['a newer secret', 'a new secret']).decode(token), claims)
})

t.test('a token contains the times of its encoding, whatever the claims contain', async (t) => {
  const first = await codecAt().decode(await codecAt().encode({ ...claims, iat: 1, exp: 2, jti: 'old' }, 60))
  t.match(first, { iat: start, exp: start + 60 })
  t.not(first?.['jti'], 'old')
})

const good: Token = { sub: '1', iat: start, exp: start + 60 }
const counted: readonly (readonly [title: string, content: unknown, counts: boolean])[] = [
  ['all that is needed', good, true],
  ['no iat', { sub: '1', exp: start + 60 }, true],
  ['no sub', { iat: start, exp: start + 60 }, false],
  ['an empty sub', { ...good, sub: '' }, false],
  ['a sub that is a list', { ...good, sub: ['1'] }, false],
  ['a sub that is a number', { ...good, sub: 1 }, true],
  ['sub null', { ...good, sub: null }, false],
  ['no exp', { sub: '1', iat: start }, false],
  ['exp as a text', { ...good, exp: String(start + 60) }, false],
  ['exp null', { ...good, exp: null }, false],
  ['exp 9 s ago', { ...good, exp: start - 9 }, true],
  ['exp 10 s ago', { ...good, exp: start - 10 }, false],
  ['iat in 10 s', { ...good, iat: start + 10 }, true],
  ['iat in 11 s', { ...good, iat: start + 11 }, false],
  ['iat as a text', { ...good, iat: String(start) }, false],
  ['nbf in 10 s', { ...good, nbf: start + 10 }, true],
  ['nbf in 11 s', { ...good, nbf: start + 11 }, false],
  ['nothing', {}, false],
  ['null', null, false],
  ['a list', [good], false],
  ['a text', 'sub', false]
]

for (const [title, content, counts] of counted) {
  t.test(`${counts ? 'a token' : 'no token'}: ${title}`, async (t) => {
    const token = await encryptText(sessionKeyRing([secret]), JSON.stringify(content))
    t.same(await codecAt().decode(token), counts ? content : null)
  })
}

t.test('text that is not JSON, encrypted with the right key, is not a token', async (t) => {
  for (const text of ['', 'a', '{', '{"sub":"1"']) {
    t.equal(await codecAt().decode(await encryptText(sessionKeyRing([secret]), text)), null)
  }
})

t.test('a token that was opened before ends anyway', async (t) => {
  const clock = createClock()
  const codec = sessionTokenCodec(sessionKeyRing([secret]), { now: clock.now, tolerance: 10 })
  const token = await codec.encode(claims, 60)
  t.match(await codec.decode(token), claims)
  const first = await codec.decode(token)
  if (first) first['sub'] = 'changed'
  t.match(await codec.decode(token), claims, 'and is unchanged, whatever a caller did to it')
  clock.advance(69)
  t.match(await codec.decode(token), claims)
  clock.advance(1)
  t.equal(await codec.decode(token), null)
})

t.test('an expired token is not cached', async (t) => {
  const clock = createClock()
  const cache = new LruCache(1000)
  const codec = sessionTokenCodec(sessionKeyRing([secret]), { now: clock.now, tolerance: 10 }, cache)
  const token = await codec.encode(claims, 60)
  t.match(await codec.decode(token), claims)
  t.ok(cache.size > token.length)
  clock.advance(71)
  t.equal(await codec.decode(token), null)
  t.equal(cache.size, 0)
  t.equal(await codec.decode(token), null)
  t.equal(cache.size, 0, 'nor when it comes again')
})

t.test('the cache is bounded; the last used entry stays longest', async (t) => {
  const memo = new LruCache(100)
  for (const name of ['a', 'b', 'c', 'd']) memo.set(name.repeat(10), 'x'.repeat(15))
  t.equal(memo.get('a'.repeat(10)), 'x'.repeat(15))
  memo.set('e'.repeat(10), 'x'.repeat(15))
  t.equal(memo.get('b'.repeat(10)), null)
  t.equal(memo.get('a'.repeat(10)), 'x'.repeat(15))
  memo.set('a'.repeat(10), 'another')
  t.equal(memo.get('a'.repeat(10)), 'x'.repeat(15), 'a cached entry does not change')
  memo.set('long', 'x'.repeat(100))
  t.equal(memo.get('long'), null, 'an entry that does not fit is not cached')
})
