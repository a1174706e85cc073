import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createClock } from '@postern/testkit'
import { CompactSign, type JSONWebKeySet } from 'jose'
import t from 'tap'
import { KeySets, SignatureError } from '../../src/tokens/key-set.ts'

interface Key {
  readonly kid: string
  readonly alg: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const key = (kid: string, alg: 'ES256' | 'RS256' = 'ES256'): Key => ({
  kid,
  alg,
  ...(alg === 'ES256'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 }))
})

const [one, two, three] = [key('one'), key('two'), key('three')]
const algorithms = ['ES256', 'RS256']
const uri = 'https://issuer.test/jwks'

const jwk = ({ publicKey, kid, alg }: Key): object => ({ ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' })
const setOf = (...keys: readonly Key[]): JSONWebKeySet =>
  JSON.parse(JSON.stringify({ keys: keys.map(jwk) })) as JSONWebKeySet

function sign({ privateKey, alg, kid }: Key, header: object = { kid }): Promise<string> {
  return new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg, ...header }).sign(privateKey)
}

/** A cache with a server behind it that says what it is told to say, and counts. */
function start(document: unknown = setOf(one)) {
  const clock = createClock()
  const sets = new KeySets({ maxAge: 600, throttle: 60, cooldown: 30, staleIfError: 3600, mostIssuers: 100 }, clock.now)
  const server = { document, requests: 0, down: false }
  const load = async (): Promise<unknown> => {
    server.requests++
    if (server.down) throw new Error('the server does not answer')
    return server.document
  }
  const verify = async (jws: string | Promise<string>, at: string = uri): Promise<void> =>
    sets.verify(await jws, algorithms, at, load)
  return { clock, sets, server, load, verify }
}

const refused = { name: 'SignatureError' }

t.test('a key set is fetched with the first token and kept for 10 minutes', async (t) => {
  const { clock, server, verify } = start()
  await verify(sign(one))
  clock.advance(599)
  await verify(sign(one))
  t.equal(server.requests, 1)
  clock.advance(1)
  await verify(sign(one))
  t.equal(server.requests, 2)
})

t.test('a token that the key did not sign is refused', async (t) => {
  const { server, verify } = start()
  await t.rejects(verify(sign(two, { kid: 'one' })), refused)
  const [header, payload, signature] = (await sign(one)).split('.')
  for (const jws of ['', 'a', '..', `${header}.${payload}.`, `${header}.e30x.${signature}`, `${header}.${payload}`]) {
    await t.rejects(verify(jws), refused, jws)
  }
  t.equal(server.requests, 1, 'a wrong signature is no reason to ask for keys')
})

t.test('after a rotation the new key is asked for at once, in one request', async (t) => {
  const { server, verify } = start()
  await verify(sign(one))
  server.document = setOf(two)
  await verify(sign(two))
  t.equal(server.requests, 2)
  await t.rejects(verify(sign(one)), refused, 'the key that was taken away counts no more')
})

t.test('many tokens of a new key at once are one request, and all hold', async (t) => {
  const { server, verify, sets } = start()
  await verify(sign(one))
  let answer = (_document: unknown): void => undefined
  const waiting = new Promise<unknown>((resolve) => {
    answer = resolve
  })
  const load = (): Promise<unknown> => {
    server.requests++
    return waiting
  }
  const jws = await sign(two)
  const first = Array.from({ length: 50 }, () => sets.verify(jws, algorithms, uri, load))
  await verify(sign(one))
  const second = Array.from({ length: 50 }, () => sets.verify(jws, algorithms, uri, load))
  answer(setOf(two))
  await Promise.all([...first, ...second])
  t.equal(server.requests, 2)
})

t.test('keys that were fetched for this very token are not asked for twice', async (t) => {
  const { clock, server, verify } = start()
  await t.rejects(verify(sign(two)), refused)
  t.equal(server.requests, 1)
  clock.advance(600)
  await t.rejects(verify(sign(two)), refused)
  t.equal(server.requests, 2)
})

t.test('an unknown kid asks again at once, and at most once in 30 s', async (t) => {
  const { clock, server, verify } = start()
  await verify(sign(one))
  await t.rejects(verify(sign(two)), refused)
  t.equal(server.requests, 2)
  clock.advance(29)
  await t.rejects(verify(sign(two)), refused)
  await t.rejects(verify(sign(three)), refused)
  t.equal(server.requests, 2, 'within the cool-down the token is refused')
  clock.advance(1)
  server.document = setOf(two)
  await verify(sign(two))
  t.equal(server.requests, 3)
})

t.test('a clock that was set back keeps neither old keys for longer nor new ones from being asked for', async (t) => {
  const { clock, server, verify } = start()
  await verify(sign(one))
  await t.rejects(verify(sign(three)), refused)
  clock.advance(-86_400)
  server.document = setOf(two)
  await verify(sign(two))
  t.equal(server.requests, 3)
  await verify(sign(two))
  t.equal(server.requests, 3)
})

t.test('a storm of new kids costs one request in each cool-down', async (t) => {
  const { clock, server, verify } = start()
  await verify(sign(one))
  for (let second = 0; second < 120; second++) {
    await t.rejects(verify(sign(one, { kid: `kid-${second}` })), refused)
    clock.advance(1)
  }
  t.equal(server.requests, 1 + 4)
  await verify(sign(one), uri)
})

t.test('one request at a time, however many tokens wait for it', async (t) => {
  const { clock, server, verify } = start()
  await Promise.all(Array.from({ length: 50 }, () => verify(sign(one))))
  t.equal(server.requests, 1)
  clock.advance(600)
  await Promise.all(Array.from({ length: 50 }, () => verify(sign(one))))
  t.equal(server.requests, 2)
})

t.test('old keys stand in while the server does not answer, and it is asked once in 60 s', async (t) => {
  const { clock, server, verify } = start()
  await verify(sign(one))
  server.down = true
  clock.advance(600)
  await verify(sign(one))
  t.equal(server.requests, 2)
  clock.advance(59)
  await verify(sign(one))
  t.equal(server.requests, 2, 'not asked again yet')
  clock.advance(1)
  await verify(sign(one))
  t.equal(server.requests, 3)
  server.down = false
  server.document = setOf(two)
  clock.advance(60)
  await verify(sign(two))
  await t.rejects(verify(sign(one)), refused, 'and the answer counts as soon as it is there')
})

t.test('old keys stand in for an hour and no longer', async (t) => {
  const { clock, server, verify } = start()
  await verify(sign(one))
  server.down = true
  clock.advance(600 + 3599)
  await verify(sign(one))
  clock.advance(1)
  await t.rejects(verify(sign(one)), { message: 'the server does not answer' })
  server.down = false
  await verify(sign(one))
})

t.test('an unknown kid while the server does not answer is refused, and old keys still hold', async (t) => {
  const { server, verify } = start()
  await verify(sign(one))
  server.down = true
  await t.rejects(verify(sign(two)))
  await verify(sign(one))
  t.equal(server.requests, 2)
})

t.test('100 issuers are kept; the one that was fetched longest ago gives way', async (t) => {
  const { server, verify } = start()
  const jws = await sign(one)
  for (let issuer = 0; issuer < 100; issuer++) await verify(jws, `https://issuer-${issuer}.test/jwks`)
  t.equal(server.requests, 100)
  await verify(jws, 'https://issuer-0.test/jwks')
  t.equal(server.requests, 100)
  await verify(jws, 'https://issuer-100.test/jwks')
  await verify(jws, 'https://issuer-99.test/jwks')
  await verify(jws, 'https://issuer-1.test/jwks')
  t.equal(server.requests, 101)
  await verify(jws, 'https://issuer-0.test/jwks')
  t.equal(server.requests, 102)
})

t.test('one issuer’s keys say nothing about another’s', async (t) => {
  const { server, verify } = start()
  await verify(sign(one))
  server.document = setOf(two)
  await t.rejects(verify(sign(one), 'https://another.test/jwks'), refused)
})

t.test('without a kid the only key counts, and of several the one that signed', async (t) => {
  await start(setOf(one)).verify(sign(one, {}))
  await t.rejects(start(setOf(one)).verify(sign(two, {})), refused)
  await start(setOf(one, two, three)).verify(sign(three, {}))
  await t.rejects(start(setOf(one, two)).verify(sign(three, {})), refused)
})

t.test('two keys with one kid: the one that signed counts', async (t) => {
  const { server, verify } = start(setOf(key('same'), { ...one, kid: 'same' }))
  await verify(sign(one, { kid: 'same' }))
  t.equal(server.requests, 1)
})

t.test('RSA keys count where they are long enough', async (t) => {
  const rsa = key('rsa', 'RS256')
  await start(setOf(one, rsa)).verify(sign(rsa))
  const short = { ...rsa, ...generateKeyPairSync('rsa', { modulusLength: 1024 }) }
  const data = `${Buffer.from('{"alg":"RS256","kid":"rsa"}').toString('base64url')}.e30`
  const { sign: signWith } = await import('node:crypto')
  const jws = `${data}.${signWith('sha256', Buffer.from(data), short.privateKey).toString('base64url')}`
  await t.rejects(start(setOf(short)).verify(jws), refused)
})

const shared = Buffer.alloc(32, 7)
const asSecret = { kty: 'oct', k: shared.toString('base64url'), kid: 'secret', alg: 'HS256' }
const weak: readonly (readonly [what: string, jws: Promise<string> | string, document: unknown])[] = [
  ['alg none', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`, setOf(one)],
  [
    'HS256 with a published key',
    new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg: 'HS256', kid: 'secret' }).sign(shared),
    { keys: [asSecret] }
  ],
  [
    'HS256 with the public key as its secret',
    new CompactSign(Buffer.from('{}'))
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(one.publicKey.export({ format: 'der', type: 'spki' })),
    setOf(one)
  ],
  ['a key that is not for this algorithm', sign(one), { keys: [{ ...jwk(one), alg: 'ES384' }] }],
  ['a key that is not for signatures', sign(one), { keys: [{ ...jwk(one), use: 'enc' }] }],
  ['a key inside the token', sign(two, { kid: 'two', jwk: two.publicKey.export({ format: 'jwk' }) }), setOf(one)],
  [
    'an extension that must be understood',
    sign(one, { kid: 'one', crit: ['exp'], exp: 1 }).catch(
      () => `${Buffer.from('{"alg":"ES256","kid":"one","crit":["x"],"x":1}').toString('base64url')}.e30.AAAA`
    ),
    setOf(one)
  ],
  ['an empty key set', sign(one), { keys: [] }],
  ['a key set that is no list', sign(one), { keys: {} }],
  ['keys that are no objects', sign(one), { keys: [null, 1] }],
  ['no object', sign(one), 'keys'],
  ['null', sign(one), null]
]

for (const [what, jws, document] of weak) {
  t.test(`refused: ${what}`, async (t) => {
    await t.rejects(start(document).verify(jws), refused)
  })
}

t.test('no algorithm is allowed but those that are named', async (t) => {
  const { sets, load } = start()
  const jws = await sign(one)
  for (const allowed of [[], ['RS256'], ['ES384', 'none', 'HS256']]) {
    await t.rejects(sets.verify(jws, allowed, uri, load), SignatureError)
  }
})

t.test('the server’s failure at the first fetch is told, and the next token asks again', async (t) => {
  const { server, verify } = start()
  server.down = true
  await t.rejects(verify(sign(one)), { message: 'the server does not answer' })
  server.down = false
  await verify(sign(one))
  t.equal(server.requests, 2)
})
