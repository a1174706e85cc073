import { createClock } from '@postern/testkit'
import t from 'tap'
import { decodeJws } from '../../src/tokens/jws.ts'
import { ReplayCache } from '../../src/tokens/replay-cache.ts'

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const read: readonly (readonly [title: string, token: string, then: object | null])[] = [
  [
    'all that is said',
    `${part({ alg: 'ES256', typ: 'JWT' })}.${part({ sub: 'ä' })}.AAAA`,
    { algorithm: 'ES256', type: 'jwt', claims: { sub: 'ä' } }
  ],
  ['no type', `${part({ alg: 'ES256' })}.${part({})}.AAAA`, { algorithm: 'ES256', type: null, claims: {} }],
  ['types that are not texts', `${part({ alg: 1, typ: {} })}.${part({})}.AAAA`, { algorithm: '', type: null }],
  ['no signature', `${part({ alg: 'none' })}.${part({})}.`, null],
  ['two parts', `${part({ alg: 'ES256' })}.${part({})}`, null],
  ['four parts', `${part({ alg: 'ES256' })}.${part({})}.AAAA.AAAA`, null],
  ['a header that is not JSON', `${part('{')}.${part({})}.AAAA`, null],
  ['claims that are a list', `${part({ alg: 'ES256' })}.${part([])}.AAAA`, null],
  ['claims that are null', `${part({ alg: 'ES256' })}.${part(null)}.AAAA`, null],
  [
    'claims that are not UTF-8',
    `${part({ alg: 'ES256' })}.${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}.AAAA`,
    null
  ],
  ['claims that are not base64', `${part({ alg: 'ES256' })}.%%%.AAAA`, null],
  ['nothing', '', null]
]

for (const [title, token, then] of read) {
  t.test(`${then ? 'a valid JWS' : 'an invalid JWS'}: ${title}`, async (t) => {
    const decoded = decodeJws(token)
    if (then) t.match(decoded, then)
    else t.equal(decoded, null)
  })
}

const [header, payload] = [part({ alg: 'ES256' }), part({ sub: 'ab' })]

/** Other spellings of the same bytes. */
const spellings: readonly (readonly [title: string, token: string])[] = [
  ['padding in the header', `${part({ alg: 'ES256', a: '' })}==.${payload}.AAAA`],
  ['padding in the claims', `${header}.${part({ sub: 'abc' })}=.AAAA`],
  ['padding in the signature', `${header}.${payload}.AA==`],
  ['a space in the header', `${header.slice(0, 4)} ${header.slice(4)}.${payload}.AAAA`],
  ['a line break in the claims', `${header}.${payload.slice(0, 4)}\n${payload.slice(4)}.AAAA`],
  ['a line break after the signature', `${header}.${payload}.AAAA\n`],
  ['+ and / for - and _', `${header}.${payload}.A+/A`],
  ['bits after the last byte of the claims', `${header}.${part({ sub: 'abc' }).replace(/.$/, 'R')}.AAAA`],
  ['bits after the first byte of the signature', `${header}.${payload}.AB`],
  ['bits after the second byte of the signature', `${header}.${payload}.AAB`],
  ['a character that is no byte', `${header}.${payload}.AAAAA`]
]

for (const [title, token] of spellings) {
  t.test(`an invalid JWS: ${title} (RFC 7515 §2, RFC 4648 §3.5)`, async (t) => t.equal(decodeJws(token), null))
}

t.test('a JWS of any length in canonical base64url is read', async (t) => {
  for (const size of [1, 2, 3, 4, 64, 65, 10_000])
    for (const byte of [0, 251, 255]) {
      const signature = Buffer.alloc(size, byte).toString('base64url')
      t.ok(decodeJws(`${header}.${payload}.${signature}`))
    }
})

t.test('an id is accepted once, until it expires', async (t) => {
  const clock = createClock()
  const seen = new ReplayCache(100, clock.now)
  const ends = clock.now() + 60_000
  t.equal(seen.isNew('a', ends), true)
  t.equal(seen.isNew('a', ends), false)
  t.equal(seen.isNew('b', ends), true)
  clock.advance(59)
  t.equal(seen.isNew('a', ends), false)
  clock.advance(1)
  t.equal(seen.isNew('a', ends + 60_000), true)
})

t.test('expired entries are evicted first, then the oldest; the size is bounded', async (t) => {
  const clock = createClock()
  const seen = new ReplayCache(3, clock.now)
  const end = (seconds: number): number => clock.now() + seconds * 1000
  seen.isNew('old', end(100))
  seen.isNew('short', end(1))
  seen.isNew('young', end(100))
  clock.advance(2)
  t.equal(seen.isNew('new', end(100)), true)
  t.equal(seen.isNew('old', end(100)), false, 'the one that had ended gave way')
  t.equal(seen.isNew('newer', end(100)), true)
  t.equal(seen.isNew('young', end(100)), false, 'then the oldest')
  t.equal(seen.isNew('old', end(100)), true)
})
