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
const getSet = (...keys: readonly Key[]): JSONWebKeySet =>
  JSON.parse(JSON.stringify({ keys: keys.map(jwk) })) as JSONWebKeySet

function sign({ privateKey, alg, kid }: Key, header: object = { kid }): Promise<string> {
  return new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg, ...header }).sign(privateKey)
}

/** A cache in front of a server that returns the given responses, and counts. */
function start(document: unknown = getSet(one)) {
  const clock = createClock()
  const times = { maxAge: 600, throttle: 60, cooldown: 30, staleIfError: 3600, retryAfter: 5, maxIssuers: 100 }
  const sets = new KeySets(times, clock.now)
  const server = { document, requests: 0, down: false }
  const load = async (): Promise<unknown> => {
    server.requests++
    if (server.down) throw new Error('the server does not respond')
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
  t.equal(server.requests, 2, 'for the first wrong signature, keys are requested again, once in a cool-down')
})

for (const [title, header] of [
  ['under the same kid', { kid: 'one' }],
  ['without kids', {}]
] as const) {
  t.test(`a key that was replaced ${title}: one more request, at most once in 30 s`, async (t) => {
    const [before, after] = [key('one'), key('one')]
    const strip = (set: JSONWebKeySet): JSONWebKeySet => ({
      keys: set.keys.map((jwk) => {
        const { kid: _, ...rest } = jwk
        return 'kid' in header ? jwk : rest
      })
    })
    const { clock, server, verify } = start(strip(getSet(before)))
    await verify(sign(before, header))
    server.document = strip(getSet(after))
    await verify(sign(after, header))
    t.equal(server.requests, 2)
    await t.rejects(verify(sign(two, header)), { ...refused, message: /signature rejected/ })
    await t.rejects(verify(sign(before, header)), refused, 'the replaced key counts no more')
    t.equal(server.requests, 2, 'within the cool-down the token is refused')
    clock.advance(30)
    await t.rejects(verify(sign(two, header)), refused)
    t.equal(server.requests, 3)
  })
}

const [oldRsa, newRsa] = [key('rsa', 'RS256'), key('rsa', 'RS256')]

/** The keys, without the members that a server leaves out. */
const without = (members: readonly string[], ...keys: readonly Key[]): object => ({
  keys: keys.map((one) => Object.fromEntries(Object.entries(jwk(one)).filter(([name]) => !members.includes(name))))
})

interface Replacement {
  readonly before: object
  readonly after: object
  readonly old: Key
  readonly signer: Key
  readonly header: object
}

/** Key sets and headers of real servers whose key was replaced while the old set was kept. */
const replacements: Readonly<Record<string, Replacement>> = {
  'RSA keys with use, without kid and alg (boylesoftware/tomcat-oidcauth#20)': {
    before: without(['kid', 'alg'], oldRsa),
    after: without(['kid', 'alg'], newRsa),
    ...{ old: oldRsa, signer: newRsa, header: {} }
  },
  'kid in the set, none in the token, as of Keycloak 2.5.5 (auth0/node-jwks-rsa#101)': {
    before: getSet(oldRsa),
    after: getSet({ ...newRsa, kid: 'another' }),
    ...{ old: oldRsa, signer: newRsa, header: {} }
  },
  'a new key beside the old one, without kids (hyprstream/hyprstream#1184, agntcy/slim#1883)': {
    before: without(['kid'], one),
    after: without(['kid'], one, two),
    ...{ old: one, signer: two, header: {} }
  },
  'another key under the same kid (DataZooDE/quack-oauth#15, getarcaneapp/arcane#3790)': {
    before: getSet(oldRsa),
    after: getSet(newRsa),
    ...{ old: oldRsa, signer: newRsa, header: { kid: 'rsa' } }
  }
}

for (const [title, { before, after, old, signer, header }] of Object.entries(replacements))
  t.test(`replaced: ${title}`, async (t) => {
    const { server, verify } = start(before)
    await verify(sign(old, header))
    t.equal(server.requests, 1)
    server.document = after
    await verify(sign(signer, header))
    await verify(sign(signer, header))
    t.equal(server.requests, 2)
    await t.rejects(verify(sign(three, header)), refused)
    t.equal(server.requests, 2)
  })

t.test('a server that is down while a signature fails takes no key away', async (t) => {
  const { clock, server, verify } = start()
  await verify(sign(one))
  server.down = true
  await t.rejects(verify(sign(two, { kid: 'one' })))
  await verify(sign(one))
  clock.advance(30)
  server.down = false
  await verify(sign(one))
  t.equal(server.requests, 2)
})

t.test('after a rotation the new key is requested at once, in one request', async (t) => {
  const { server, verify } = start()
  await verify(sign(one))
  server.document = getSet(two)
  await verify(sign(two))
  t.equal(server.requests, 2)
  await t.rejects(verify(sign(one)), refused, 'the key that was taken away counts no more')
})

t.test('many tokens of a new key at once are one request, and all hold', async (t) => {
  const { server, verify, sets } = start()
  await verify(sign(one))
  let result = (_document: unknown): void => undefined
  const waiting = new Promise<unknown>((resolve) => {
    result = resolve
  })
  const load = (): Promise<unknown> => {
    server.requests++
    return waiting
  }
  const jws = await sign(two)
  const first = Array.from({ length: 50 }, () => sets.verify(jws, algorithms, uri, load))
  await verify(sign(one))
  const second = Array.from({ length: 50 }, () => sets.verify(jws, algorithms, uri, load))
  result(getSet(two))
  await Promise.all([...first, ...second])
  t.equal(server.requests, 2)
})

t.test('keys that were fetched for this token are not fetched twice', async (t) => {
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
  server.document = getSet(two)
  await verify(sign(two))
  t.equal(server.requests, 3)
})

t.test('a clock that was set back neither extends old keys nor prevents fetching new ones', async (t) => {
  const { clock, server, verify } = start()
  await verify(sign(one))
  await t.rejects(verify(sign(three)), refused)
  clock.advance(-86_400)
  server.document = getSet(two)
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

t.test('keys that give way while they are requested again keep their cool-down', async (t) => {
  const times = { maxAge: 600, throttle: 60, cooldown: 30, staleIfError: 3600, retryAfter: 5, maxIssuers: 1 }
  const sets = new KeySets(times, createClock().now)
  const requests: string[] = []
  const verify = async (signer: Key, at: string, meanwhile?: () => Promise<void>): Promise<void> =>
    sets.verify(await sign(signer), algorithms, at, async () => {
      requests.push(at)
      await meanwhile?.()
      return getSet(one)
    })
  await verify(one, uri)
  await t.rejects(
    verify(two, uri, () => verify(one, 'https://other.test/jwks')),
    refused
  )
  await t.rejects(verify(two, uri), refused)
  t.same(requests, [uri, uri, 'https://other.test/jwks'])
})

t.test('one request at a time, for any number of waiting tokens', async (t) => {
  const { clock, server, verify } = start()
  await Promise.all(Array.from({ length: 50 }, () => verify(sign(one))))
  t.equal(server.requests, 1)
  clock.advance(600)
  await Promise.all(Array.from({ length: 50 }, () => verify(sign(one))))
  t.equal(server.requests, 2)
})

t.test('old keys are used while the server does not respond, and it is queried once in 60 s', async (t) => {
  const { clock, server, verify } = start()
  await verify(sign(one))
  server.down = true
  clock.advance(600)
  await verify(sign(one))
  t.equal(server.requests, 2)
  clock.advance(59)
  await verify(sign(one))
  t.equal(server.requests, 2, 'not queried again yet')
  clock.advance(1)
  await verify(sign(one))
  t.equal(server.requests, 3)
  server.down = false
  server.document = getSet(two)
  clock.advance(60)
  await verify(sign(two))
  await t.rejects(verify(sign(one)), refused, 'and the response counts as soon as it is there')
})

t.test('old keys stand in for an hour and no longer', async (t) => {
  const { clock, server, verify } = start()
  await verify(sign(one))
  server.down = true
  clock.advance(600 + 3599)
  await verify(sign(one))
  clock.advance(1)
  await t.rejects(verify(sign(one)), { message: 'the server does not respond' })
  server.down = false
  clock.advance(5)
  await verify(sign(one))
})

t.test('an unknown kid while the server does not respond is refused, and old keys still hold', async (t) => {
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
  server.document = getSet(two)
  await t.rejects(verify(sign(one), 'https://another.test/jwks'), refused)
})

t.test('without a kid the only key counts, and of several the one that signed', async (t) => {
  await start(getSet(one)).verify(sign(one, {}))
  await t.rejects(start(getSet(one)).verify(sign(two, {})), refused)
  await start(getSet(one, two, three)).verify(sign(three, {}))
  await t.rejects(start(getSet(one, two)).verify(sign(three, {})), refused)
})

t.test('two keys with one kid: the one that signed counts', async (t) => {
  const { server, verify } = start(getSet(key('same'), { ...one, kid: 'same' }))
  await verify(sign(one, { kid: 'same' }))
  t.equal(server.requests, 1)
})

t.test('RSA keys are accepted if they are long enough', async (t) => {
  const rsa = key('rsa', 'RS256')
  await start(getSet(one, rsa)).verify(sign(rsa))
  const short = { ...rsa, ...generateKeyPairSync('rsa', { modulusLength: 1024 }) }
  const data = `${Buffer.from('{"alg":"RS256","kid":"rsa"}').toString('base64url')}.e30`
  const { sign: signWith } = await import('node:crypto')
  const jws = `${data}.${signWith('sha256', Buffer.from(data), short.privateKey).toString('base64url')}`
  await t.rejects(start(getSet(short)).verify(jws), refused)
})

const shared = Buffer.alloc(32, 7)
const asSecret = { kty: 'oct', k: shared.toString('base64url'), kid: 'secret', alg: 'HS256' }
const weak: readonly (readonly [title: string, jws: Promise<string> | string, document: unknown])[] = [
  ['alg none', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`, getSet(one)],
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
    getSet(one)
  ],
  ['a key that is not for this algorithm', sign(one), { keys: [{ ...jwk(one), alg: 'ES384' }] }],
  ['a key that is not for signatures', sign(one), { keys: [{ ...jwk(one), use: 'enc' }] }],
  ['a key inside the token', sign(two, { kid: 'two', jwk: two.publicKey.export({ format: 'jwk' }) }), getSet(one)],
  [
    'an extension that must be understood',
    sign(one, { kid: 'one', crit: ['exp'], exp: 1 }).catch(
      () => `${Buffer.from('{"alg":"ES256","kid":"one","crit":["x"],"x":1}').toString('base64url')}.e30.AAAA`
    ),
    getSet(one)
  ],
  ['an empty key set', sign(one), { keys: [] }],
  ['a key set that is not a list', sign(one), { keys: {} }],
  ['keys that are not objects', sign(one), { keys: [null, 1] }],
  ['no object', sign(one), 'keys'],
  ['null', sign(one), null]
]

for (const [title, jws, document] of weak) {
  t.test(`refused: ${title}`, async (t) => {
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

t.test('a failure of the first fetch is reported, and a token retries five seconds later', async (t) => {
  const { clock, server, verify } = start()
  server.down = true
  await t.rejects(verify(sign(one)), { message: 'the server does not respond' })
  server.down = false
  clock.advance(5)
  await verify(sign(one))
  t.equal(server.requests, 2)
})

t.test('without old keys, a failure is remembered for five seconds', async (t) => {
  const { clock, server, verify } = start()
  server.down = true
  for (let count = 0; count < 100; count++) await t.rejects(verify(sign(one)), /does not respond/)
  await Promise.all(Array.from({ length: 20 }, () => t.rejects(verify(sign(one)))))
  t.equal(server.requests, 1)
  await t.rejects(verify(sign(one), `${uri}/other`))
  t.equal(server.requests, 2, 'the keys of another server are requested')
  clock.advance(5)
  server.down = false
  await verify(sign(one))
  t.equal(server.requests, 3)
  server.down = true
  clock.advance(600 + 3600)
  for (let count = 0; count < 10; count++) await t.rejects(verify(sign(one)), /does not respond/)
  t.equal(server.requests, 4, 'and once the old keys are too old')
  clock.advance(-86_400)
  server.down = false
  await verify(sign(one))
  t.equal(server.requests, 5, 'a clock that is set back ends it')
})

t.test('under a known header, as under a new one: only what its key signed', async (t) => {
  const algorithmsOfTest = ['ES256', 'RS256', 'PS256'] as const
  for (const alg of ['ES256', 'RS256'] as const) {
    const [own, other] = [key('own', alg), key('own', alg)]
    const { verify, sets, load } = start(getSet(own, key('another', alg)))
    const payloads = ['{}', '{"a":1}', 'ä']
    const signed = await Promise.all(
      payloads.map((payload) =>
        new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg, kid: 'own' }).sign(own.privateKey)
      )
    )
    for (const jws of [...signed, ...signed]) await verify(jws)
    await t.rejects(verify(sign(other)), refused, 'by another key')
    const [header = '', payload = '', signature = ''] = signed[0]?.split('.') ?? []
    const [, , foreign = ''] = signed[1]?.split('.') ?? []
    const forged = [
      ...[
        `${header}.${payload}.${foreign}`,
        `${header}.${payload}.`,
        `${header}.${payload}`,
        `${header}..${signature}`
      ],
      ...[`${header}.${payload}.${signature}.`, `${header}.${payload}.${signature}=`, ` ${signed[0]}`]
    ]
    for (const jws of forged) await t.rejects(verify(jws), refused, jws)
    const others = algorithmsOfTest.filter((one) => one !== alg)
    await t.rejects(sets.verify(signed[0] ?? '', others, uri, load), refused, 'an algorithm that is not allowed')
    await verify(signed[2] ?? '')
  }
})
