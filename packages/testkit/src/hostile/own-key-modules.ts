import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { SignJWT } from 'jose'
import type { SigningKey } from '../issuer/keys.ts'
import { at, type HostileCase, type HostileModules, oneOf, signedBy, strangeKey } from './hostile-case.ts'

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Libraries refuse to sign with a key this short. */
function signWeakly(claims: object, key: KeyObject): string {
  const input = `${part({ alg: 'RS256', kid: 'weak' })}.${part(claims)}`
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}

const stranger = strangeKey('ES256')
const strangeJwk = stranger.publicKey.export({ format: 'jwk' })
const weak = generateKeyPairSync('rsa', { modulusLength: 512 })
const secret = Buffer.alloc(32, 7)

const keySets: readonly HostileCase[] = [
  oneOf('10,000 keys', {
    keySet: ({ keys }) => ({
      keys: [...Array.from({ length: 10_000 }, (_, index) => ({ ...strangeJwk, kid: `key-${index}` })), ...keys]
    })
  }),
  oneOf('an RSA key of 512 bits', {
    metadata: (metadata) => ({ ...metadata, id_token_signing_alg_values_supported: ['RS256'] }),
    keySet: () => ({ keys: [{ ...weak.publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256' }] }),
    idTokenSignature: (claims) => signWeakly(claims, weak.privateKey)
  }),
  oneOf('a symmetric key', {
    metadata: (metadata) => ({ ...metadata, id_token_signing_alg_values_supported: ['HS256', 'ES256'] }),
    keySet: () => ({ keys: [{ kty: 'oct', kid: 'shared', alg: 'HS256', k: secret.toString('base64url') }] }),
    idTokenSignature: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'shared' }).sign(secret)
  }),
  oneOf('a private key', {
    keySet: () => ({ keys: [{ ...stranger.privateKey.export({ format: 'jwk' }), kid: stranger.kid, alg: 'ES256' }] }),
    idTokenSignature: signedBy(stranger)
  }),
  oneOf('two keys of one name', {
    keySet: ({ keys }) => ({ keys: [{ ...strangeJwk, kid: keys[0]?.kid, alg: 'ES256' }, ...keys] })
  }),
  oneOf('no objects', { keySet: () => ({ keys: [null, 'key', 7, []] }) })
]

const jku = 'https://keys.evil.test/jwks'
const strangeHeader = (header: object) => signedBy({ ...stranger, kid: 'es256-1' }, { ...header })

const headers: readonly HostileCase[] = [
  oneOf('jku, and the key that is there', { idTokenSignature: strangeHeader({ jku }) }),
  oneOf('x5u, and the key that is there', { idTokenSignature: strangeHeader({ x5u: jku }) }),
  oneOf('jwk, and that key', { idTokenSignature: strangeHeader({ jwk: strangeJwk }) }),
  oneOf('jku, and the right key', { idTokenSignature: signedBy(null, { jku }) }),
  oneOf('crit', { idTokenSignature: signedBy(null, { crit: ['https://evil.test/must'], 'https://evil.test/must': 1 }) })
]

/** Signs honestly, and spells the same bytes in another way, which jose accepts. */
const respelled = (title: string, respell: (token: string) => string): HostileCase =>
  oneOf(title, { idTokenSignature: async (claims, key) => respell(await signedBy(null)(claims, key)) })

/** The last character of 64 bytes has four bits after them. */
const withLeftoverBit = (token: string): string =>
  token.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1))

const html = (): Response => new Response('<h1>keys</h1>', { headers: { 'content-type': 'text/html' } })

/** Names a key that does not exist, a different one each time. */
function storm(): HostileCase {
  let count = 0
  const unknown = (key: SigningKey): SigningKey => {
    count += 1
    return { ...key, kid: `storm-${count}` }
  }
  return oneOf('', { idTokenSignature: (claims, key) => signedBy(unknown(key))(claims, key) })
}

/** Faults in keys. */
export const keyModules: HostileModules = {
  'H13 JWKS with too many, weak, symmetric, private or doubled keys': keySets,
  'H14 ID Token that brings its own key in the header': headers,
  'H15 JWKS empty, HTML, 500 or late': [
    oneOf('empty', { keySet: () => ({ keys: [] }) }),
    oneOf('no key set', { keySet: () => ({}) }),
    oneOf('HTML', at('jwks', html)),
    oneOf('500', { jwksStatus: 500 }),
    oneOf(
      'late',
      at('jwks', () => new Promise(() => undefined))
    )
  ],
  'H30 rotation storm': [storm()],
  'H31 JWS whose parts are not canonical base64url': [
    respelled('a space', (token) => token.replace(/.{4}$/, ' $&')),
    respelled('a bit after the last byte', withLeftoverBit)
  ]
}
