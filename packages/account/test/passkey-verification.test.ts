import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import t from 'tap'
import { verifySignature } from '../src/passkey/cose-signature.ts'
import { loadHelpers } from '../src/passkey/load-webauthn.ts'
import {
  base,
  canSignIn,
  getAddress,
  loadOptions,
  openWithPasskey,
  origin,
  signInWithPasskey,
  wrongOrigins
} from './passkey-application.ts'
import { type Changes, toCose } from './software-authenticator.ts'

const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const domains = ['evil.test', 'test', 'evil.app.test', 'APP.TEST', 'app.test.', '']

/** What a sign-in is refused for, whatever else is right. */
const forged: Readonly<Record<string, Changes>> = {
  ...Object.fromEntries(wrongOrigins.map((wrong) => [`the origin ${wrong}`, { origin: wrong }])),
  ...Object.fromEntries(domains.map((rpId) => [`the domain ${rpId}`, { rpId }])),
  'no origin': { client: { origin: undefined } },
  'a list of origins': { client: { origin: [origin] } },
  'an origin that is no text': { client: { origin: { toString: 1 } } },
  'a response of another ceremony': { type: 'webauthn.create' },
  'no ceremony': { client: { type: undefined } },
  'a ceremony that is no text': { client: { type: { toString: 1 } } },
  'a page of another site around it': { client: { topOrigin: 'https://evil.test' } },
  'a page around it that is no text': { client: { topOrigin: {} } },
  'a page of another site around the frame': { isCrossOrigin: true, client: { topOrigin: 'https://evil.test' } },
  'no user present': { isUserPresent: false },
  'a copy of a passkey that has none': { isBackupEligible: false, isBackedUp: true },
  'another key': { key: otherKey }
}

/** What the package does not decide. */
const refusedByPostern: Readonly<Record<string, Changes>> = {
  'a frame of another site': { isCrossOrigin: true },
  'the user handle of another user': { handle: 'AAAA' },
  'no user handle': { handle: null },
  'an empty user handle': { handle: '' }
}

/** Whether @simplewebauthn/server accepts a response at the origin of the tests. */
async function isAcceptedByPackage(credential: string, key: KeyObject): Promise<boolean> {
  const response = JSON.parse(credential)
  const { challenge } = JSON.parse(Buffer.from(response.response.clientDataJSON, 'base64url').toString())
  const publicKey = new Uint8Array(toCose(createPublicKey(key.export({ format: 'pem', type: 'pkcs8' }))))
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: 'app.test',
    requireUserVerification: false,
    credential: { id: response.id, publicKey, counter: 0 }
  }).catch(() => ({ verified: false }))
  return result.verified
}

t.test('passkey-1: a forged response signs nobody in, and changes nothing', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const before = await app.adapter.listFactors?.(app.userId, 'passkey')
  for (const [name, changes] of Object.entries({ ...forged, ...refusedByPostern })) {
    const browser = app.newBrowser()
    const { location } = await signInWithPasskey(browser, app.authenticator, changes)
    t.match(location, 'error=PasskeyFailed', name)
    t.equal(await getAddress(browser), null, name)
  }
  t.same(await app.adapter.listFactors?.(app.userId, 'passkey'), before)
  t.ok(await canSignIn(app.newBrowser(), app.authenticator))
})

t.test('passkey-1: what was signed cannot be changed', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const unchanged = 'nothing'
  const edits: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    [unchanged]: (bytes) => bytes,
    clientDataJSON: (bytes) => Buffer.concat([bytes, Buffer.from(' ')]),
    'the flags': (bytes) => bytes.fill((bytes[32] ?? 0) ^ 4, 32, 33),
    'the counter': (bytes) => bytes.fill(7, 36, 37),
    'an extension': (bytes) => Buffer.concat([bytes.fill((bytes[32] ?? 0) | 128, 32, 33), Buffer.from([0xa0])]),
    'the last byte': (bytes) => bytes.subarray(0, 36),
    'all bytes': () => Buffer.alloc(0),
    signature: (bytes) => bytes.fill((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1),
    'half of the signature': (bytes) => bytes.subarray(0, bytes.length / 2)
  }
  for (const [name, edit] of Object.entries(edits)) {
    const browser = app.newBrowser()
    const credential = JSON.parse(app.authenticator.get(await loadOptions(browser)))
    const field = name === 'clientDataJSON' ? name : name.includes('signature') ? 'signature' : 'authenticatorData'
    credential.response[field] = edit(Buffer.from(credential.response[field], 'base64url')).toString('base64url')
    const { location } = await browser.submit(`${base}/callback/passkey`, { credential: JSON.stringify(credential) })
    if (name === unchanged) t.equal(location, origin, name)
    else t.match(location, 'error=PasskeyFailed', name)
    t.equal((await getAddress(browser)) !== null, name === unchanged, name)
  }
})

t.test('the package refuses these responses too, and accepts the others', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const key = app.authenticator.passkeys[0]?.key ?? otherKey
  const accepted: Readonly<Record<string, Changes>> = {
    'as it is': {},
    'an unverified user': { isUserVerified: false },
    'not backed up yet': { isBackedUp: false },
    'a further member': { client: { tokenBinding: { status: 'supported' } } }
  }
  for (const [name, changes] of Object.entries(forged))
    t.notOk(await isAcceptedByPackage(app.authenticator.get(await loadOptions(app.browser), changes), key), name)
  for (const [name, changes] of Object.entries(accepted)) {
    t.ok(await isAcceptedByPackage(app.authenticator.get(await loadOptions(app.browser), changes), key), name)
    t.ok(await canSignIn(app.newBrowser(), app.authenticator, changes), name)
  }
})

const toBytes = (key: KeyObject, name: string): Uint8Array =>
  new Uint8Array(Buffer.from(String(key.export({ format: 'jwk' })[name] ?? ''), 'base64url'))

interface KeyOfAuthenticator {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
  readonly digest: string | null
  readonly toCose: (key: KeyObject) => readonly (readonly [label: number, value: number | Uint8Array])[]
}

/** Keys of authenticators as COSE keys, and how each signs: the three that Postern asks for, and others that Auth.js may have stored. */
const keys = {
  ES256: (): KeyOfAuthenticator => ({
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    digest: 'sha256',
    toCose: (key) => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, toBytes(key, 'x')],
      [-3, toBytes(key, 'y')]
    ]
  }),
  Ed25519: (): KeyOfAuthenticator => ({
    ...generateKeyPairSync('ed25519'),
    digest: null,
    toCose: (key) => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, toBytes(key, 'x')]
    ]
  }),
  RS256: (): KeyOfAuthenticator => ({
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
    digest: 'sha256',
    toCose: (key) => [
      [1, 3],
      [3, -257],
      [-1, toBytes(key, 'n')],
      [-2, toBytes(key, 'e')]
    ]
  }),
  ES384: (): KeyOfAuthenticator => ({
    ...generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    digest: 'sha384',
    toCose: (key) => [
      [1, 2],
      [3, -35],
      [-1, 2],
      [-2, toBytes(key, 'x')],
      [-3, toBytes(key, 'y')]
    ]
  })
}

const toText = (entries: Iterable<readonly [label: number, value: number | Uint8Array]>): string =>
  Buffer.from(isoCBOR.encode(new Map(entries))).toString('base64url')

const signed = Buffer.from('what the authenticator has signed')

for (const [name, create] of Object.entries(keys))
  t.test(`passkey-1: a signature of ${name} is verified`, async (t) => {
    const { publicKey, privateKey, digest, toCose } = create()
    const cose = toText(toCose(publicKey))
    const helpers = await loadHelpers()
    const signature = sign(digest, signed, privateKey)
    t.ok(await verifySignature(cose, { signed, signature }, helpers))
    t.notOk(await verifySignature(cose, { signed: Buffer.from('another text'), signature }, helpers))
    const other = sign(digest, signed, create().privateKey)
    t.notOk(await verifySignature(cose, { signed, signature: other }, helpers), 'of another key')
  })

t.test('the package is not asked about most keys', async (t) => {
  const helpers = { ...(await loadHelpers()), verifySignature: () => Promise.reject(new Error('expected no call')) }
  for (const name of ['ES256', 'Ed25519'] as const) {
    const { publicKey, privateKey, digest, toCose } = keys[name]()
    const signature = sign(digest, signed, privateKey)
    t.ok(await verifySignature(toText(toCose(publicKey)), { signed, signature }, helpers), name)
  }
})

/** An `ECDSA-Sig-Value` of two integers as they are. */
function encodeSignature(...values: readonly Buffer[]): Buffer {
  const integers = values.map((value) => Buffer.concat([Buffer.from([2, value.length]), value]))
  const content = Buffer.concat(integers)
  return Buffer.concat([Buffer.from([0x30, content.length]), content])
}

/** @returns The signature that some value of the key fulfills, as r and s of 32 bytes. */
function findSignature(key: KeyObject, isMeant: (r: Buffer) => boolean): readonly [r: Buffer, s: Buffer] {
  for (;;) {
    const both = sign('sha256', signed, { key, dsaEncoding: 'ieee-p1363' })
    const r = both.subarray(0, 32)
    if (isMeant(r)) return [r, both.subarray(32)]
  }
}

const toInteger = (value: Buffer): Buffer => ((value[0] ?? 0) < 128 ? value : Buffer.concat([Buffer.alloc(1), value]))

t.test('signatures as some authenticators write them: numbers of 32 bytes', async (t) => {
  const { publicKey, privateKey, toCose } = keys.ES256()
  const helpers = await loadHelpers()
  const cose = toText(toCose(publicKey))
  const [short, s] = findSignature(privateKey, (r) => r[0] === 0 && (r[1] ?? 0) < 128)
  const [high, otherS] = findSignature(privateKey, (r) => (r[0] ?? 0) >= 128)
  const padded = encodeSignature(short, toInteger(s))
  t.ok(await verifySignature(cose, { signed, signature: padded }, helpers), 'a zero too many')
  const negative = encodeSignature(high, toInteger(otherS))
  t.ok(await verifySignature(cose, { signed, signature: negative }, helpers), 'a zero too few')
  const swapped = encodeSignature(toInteger(otherS), high)
  t.notOk(await verifySignature(cose, { signed, signature: swapped }, helpers), 'another signature')
})

t.test('passkey-1: a stored key that is none verifies nothing', async (t) => {
  const helpers = await loadHelpers()
  const verify = (cose: string, signature: Buffer): Promise<boolean> =>
    verifySignature(cose, { signed, signature }, helpers).catch(() => false)
  /** A type, an algorithm and a curve of another kind. The package ignores the algorithm of Ed25519. */
  const others: Readonly<Record<'ES256' | 'Ed25519', readonly (readonly [label: number, value: number])[]>> = {
    ES256: [
      [1, 1],
      [3, -8],
      [-1, 2]
    ],
    Ed25519: [
      [1, 2],
      [-1, 4]
    ]
  }
  for (const name of ['ES256', 'Ed25519'] as const) {
    const { publicKey, privateKey, digest, toCose } = keys[name]()
    const entries = toCose(publicKey)
    const signature = sign(digest, signed, privateKey)
    for (const [label, value] of others[name]) {
      const title = `${name}, ${label}`
      t.notOk(await verify(toText([...entries, [label, value]]), signature), title)
      t.notOk(await verify(toText(entries.filter(([known]) => known !== label)), signature), `${title} is missing`)
    }
    const withoutX = entries.filter(([label]) => label !== -2)
    t.notOk(await verify(toText(withoutX), signature), `${name} without x`)
    t.notOk(await verify(toText([...withoutX, [-2, new Uint8Array(32)]]), signature), `${name}, another x`)
  }
  await t.rejects(verifySignature('', { signed, signature: Buffer.alloc(70) }, helpers))
})

t.test('a key without the first zero of a number verifies', async (t) => {
  const helpers = await loadHelpers()
  let pair = keys.ES256()
  while (toBytes(pair.publicKey, 'x')[0] !== 0) pair = keys.ES256()
  const short = [...pair.toCose(pair.publicKey), [-2, toBytes(pair.publicKey, 'x').subarray(1)]] as const
  const signature = sign('sha256', signed, pair.privateKey)
  t.ok(await verifySignature(toText(short), { signed, signature }, helpers))
})
