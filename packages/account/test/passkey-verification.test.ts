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
  'a response of another ceremony': { type: 'webauthn.create' },
  'no ceremony': { client: { type: undefined } },
  'a page of another site around it': { client: { topOrigin: 'https://evil.test' } },
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
  const edits: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
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
    t.match(location, 'error=PasskeyFailed', name)
    t.equal(await getAddress(browser), null, name)
  }
})

t.test('the package refuses the same responses, and accepts the same', async (t) => {
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

for (const [name, create] of Object.entries(keys))
  t.test(`passkey-1: a signature of ${name} is verified`, async (t) => {
    const { publicKey, privateKey, digest, toCose } = create()
    const cose = Buffer.from(isoCBOR.encode(new Map(toCose(publicKey)))).toString('base64url')
    const helpers = await loadHelpers()
    const signed = Buffer.from('what the authenticator has signed')
    const signature = sign(digest, signed, privateKey)
    t.ok(await verifySignature(cose, { signed, signature }, helpers))
    t.notOk(await verifySignature(cose, { signed: Buffer.from('another text'), signature }, helpers))
    const other = sign(digest, signed, create().privateKey)
    t.notOk(await verifySignature(cose, { signed, signature: other }, helpers), 'of another key')
  })

t.test('passkey-1: a stored key that is none verifies nothing', async (t) => {
  const helpers = await loadHelpers()
  const { publicKey, privateKey, toCose } = keys.ES256()
  const signed = Buffer.from('what the authenticator has signed')
  const signature = sign('sha256', signed, privateKey)
  const entries = toCose(publicKey)
  const broken: Readonly<Record<string, ReadonlyMap<number, number | Uint8Array>>> = {
    'no type': new Map(entries.filter(([label]) => label !== 1)),
    'another curve': new Map([...entries, [-1, 2]]),
    'another algorithm': new Map([...entries, [3, -8]]),
    'no y': new Map(entries.filter(([label]) => label !== -3)),
    'a short x': new Map([...entries, [-2, new Uint8Array(31)]]),
    'not on the curve': new Map([...entries, [-2, new Uint8Array(32)]])
  }
  for (const [name, key] of Object.entries(broken)) {
    const cose = Buffer.from(isoCBOR.encode(new Map(key))).toString('base64url')
    t.notOk(await verifySignature(cose, { signed, signature }, helpers).catch(() => false), name)
  }
  await t.rejects(verifySignature('', { signed, signature }, helpers))
})
