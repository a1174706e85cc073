import { generateKeyPairSync, type KeyObject, sign as signWith } from 'node:crypto'
import { CompactSign, compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import t from 'tap'
import { Rs256Keys } from '../../src/tokens/rs256.ts'

const pairOf = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength })
const [one, two, short] = [pairOf(2048), pairOf(3072), pairOf(1024)]

const jwk = ({ publicKey }: { publicKey: KeyObject }, rest: object = {}): object => ({
  ...publicKey.export({ format: 'jwk' }),
  kid: 'one',
  ...rest
})
const keys = [jwk(one, { alg: 'RS256', use: 'sig' }), jwk(two, { kid: 'two' })]

const encoded = (value: string | object): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Signed by hand: jose would not write all of these. */
function signed(header: string | object, payload: string, privateKey: KeyObject = one.privateKey): string {
  const data = `${encoded(header)}.${encoded(payload)}`
  return `${data}.${signWith('sha256', Buffer.from(data), privateKey).toString('base64url')}`
}

const byJose = (jws: string, document: readonly object[] = keys): Promise<boolean> =>
  compactVerify(jws, createLocalJWKSet({ keys: [...document] } as unknown as JSONWebKeySet), {
    algorithms: ['RS256']
  }).then(
    () => true,
    () => false
  )

t.test('what jose signs counts, by the key that it names', async (t) => {
  const known = new Rs256Keys(keys)
  for (const [kid, { privateKey }] of [
    ['one', one],
    ['two', two]
  ] as const) {
    for (const payload of ['', '{}', '{"sub":"ä😀"}', 'x'.repeat(5000), '\u0000']) {
      const jws = await new CompactSign(Buffer.from(payload))
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
        .sign(privateKey)
      t.ok(known.hasSigned(jws))
      t.ok(await byJose(jws))
    }
  }
})

t.test('a token with one letter changed counts with neither', async (t) => {
  const known = new Rs256Keys(keys)
  const jws = signed({ alg: 'RS256', kid: 'one' }, '{"sub":"1"}')
  const letters = 'AQgw9-_.=+/ %\n'
  let accepted = 0
  for (let index = 0; index < jws.length; index++) {
    for (const letter of [...letters, '']) {
      if (jws[index] === letter) continue
      const changed = jws.slice(0, index) + letter + jws.slice(index + 1)
      if (known.hasSigned(changed)) accepted++
    }
    const other = jws.slice(0, index) + (jws[index] === 'B' ? 'C' : 'B') + jws.slice(index + 1)
    const isGood = known.hasSigned(other)
    // jose forgives another spelling of the same bytes, at the end of the signature.
    if (isGood || (index < jws.length - 1 && (await byJose(other)))) t.fail(`accepted with another letter at ${index}`)
  }
  t.equal(accepted, 0)
  for (const more of [`${jws}.`, `${jws}.AAAA`, `.${jws}`, `${jws}=`, ` ${jws}`, `${jws}\n`, jws.slice(0, -1)])
    t.notOk(known.hasSigned(more))
})

const header = { alg: 'RS256', kid: 'one' }
const refused: readonly (readonly [what: string, jws: string, document?: readonly object[]])[] = [
  ['a signature by another key', signed(header, '{}', two.privateKey)],
  ['another kid', signed({ alg: 'RS256', kid: 'two' }, '{}')],
  ['an unknown kid', signed({ alg: 'RS256', kid: 'three' }, '{}')],
  ['no signature', `${encoded(header)}.${encoded('{}')}.`],
  ['no algorithm', signed({ kid: 'one' }, '{}')],
  ['the algorithm none', signed({ ...header, alg: 'none' }, '{}')],
  ['another algorithm', signed({ ...header, alg: 'RS384' }, '{}')],
  ['PS256', signed({ ...header, alg: 'PS256' }, '{}')],
  ['an extension that must be understood', signed({ ...header, crit: ['exp'], exp: 1 }, '{}')],
  ['a header that is a list', signed('[{"alg":"RS256","kid":"one"}]', '{}')],
  ['a header that is no JSON', signed('{"alg":"RS256","kid":"one"', '{}')],
  ['a short key', signed(header, '{}', short.privateKey), [jwk(short)]],
  ['a key for encryption', signed(header, '{}'), [jwk(one, { use: 'enc' })]],
  ['a key for another algorithm', signed(header, '{}'), [jwk(one, { alg: 'RS512' })]],
  ['a key that may not verify', signed(header, '{}'), [jwk(one, { key_ops: ['encrypt'] })]],
  ['a private key', signed(header, '{}'), [{ ...one.privateKey.export({ format: 'jwk' }), kid: 'one' }]],
  ['a key of another kind', signed(header, '{}'), [jwk(one, { kty: 'oct', k: 'AAAA' })]],
  ['a key with a broken modulus', signed(header, '{}'), [jwk(one, { n: 'AA' })]],
  ['no keys', signed(header, '{}'), []]
]

for (const [what, jws, document = keys] of refused) {
  t.test(`refused by both: ${what}`, async (t) => {
    t.notOk(new Rs256Keys(document).hasSigned(jws))
    t.notOk(await byJose(jws, document))
  })
}

const left: readonly (readonly [what: string, jws: string, document?: readonly object[]])[] = [
  ['a payload that is not encoded', signed({ ...header, b64: false, crit: ['b64'] }, '{}')],
  ['a token that names no key', signed({ alg: 'RS256' }, '{}'), [jwk(one)]],
  ['two keys of one kid', signed(header, '{}'), [jwk(one), jwk(two)]],
  ['a key that lists its uses', signed(header, '{}'), [jwk(one, { key_ops: ['verify'] })]],
  ['a header beyond ASCII', signed({ ...header, typ: 'ä' }, '{}')]
]

for (const [what, jws, document = keys] of left) {
  t.test(`left to jose: ${what}`, async (t) => t.notOk(new Rs256Keys(document).hasSigned(jws)))
}

t.test('things that are no keys are no keys', async (t) => {
  const known = new Rs256Keys([null, 1, 'key', [], {}, { kid: 'one' }, { kid: 1, kty: 'RSA' }])
  t.notOk(known.hasSigned(signed(header, '{}')))
})
