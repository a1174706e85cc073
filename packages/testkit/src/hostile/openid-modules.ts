import { SignJWT } from 'jose'
import type { Faults } from '../issuer/faults.ts'
import { type Algorithm, type SigningKey, signingKey, toKeySet } from '../issuer/keys.ts'
import type { IssuerMetadata } from '../issuer/metadata.ts'
import { faulty, type HostileModules, oneOf, signedBy, strangeKey } from './hostile-case.ts'

const rsa = (): SigningKey => signingKey('RS256', 1)
const withAlgorithm =
  (...algorithms: readonly string[]) =>
  (metadata: IssuerMetadata): object => ({ ...metadata, id_token_signing_alg_values_supported: algorithms })

const corrupted: Faults['idTokenSignature'] = async (claims, key) => {
  const token = await signedBy(key)(claims, key)
  return token.replace(/.{8}$/, (end) => (end === 'AAAAAAAA' ? 'BBBBBBBB' : 'AAAAAAAA'))
}

const corruptedBy =
  (alg: Algorithm): NonNullable<Faults['idTokenSignature']> =>
  (claims) =>
    corrupted(claims, signingKey(alg, 1))

const symmetric: Faults['idTokenSignature'] = (claims) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('not the client secret, 32 characters'))

const signedUserinfo =
  (key: SigningKey | null, changes: Readonly<Record<string, unknown>> = {}): NonNullable<Faults['userinfo']> =>
  async (claims, honest) => {
    const { alg, kid, privateKey } = key ?? honest
    const jwt = await new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg, kid }).sign(privateKey)
    return new Response(jwt, { headers: { 'content-type': 'application/jwt' } })
  }

const userinfoIsSigned = (metadata: IssuerMetadata): object => ({
  ...metadata,
  userinfo_signing_alg_values_supported: ['ES256']
})

const oddSecrets = ['a:b', '100%25', 'a+b c', 'naïve ☃', '&=?#/']

/** The modules of the OpenID Connect relying-party plans, by name (Basic, Config and Form Post). */
export const openidModules: HostileModules = {
  'oidcc-client-test': faulty({}),
  'oidcc-client-test-invalid-iss': [
    oneOf('another issuer', { wrongIss: true }),
    oneOf('a trailing slash', { idTokenClaims: ({ iss, ...claims }) => ({ ...claims, iss: `${iss}/` }) })
  ],
  'oidcc-client-test-missing-sub': faulty({ missingSub: true }),
  'oidcc-client-test-invalid-aud': faulty({ wrongAud: true }),
  'oidcc-client-test-missing-aud': faulty({ missingAud: true }),
  'oidcc-client-test-missing-iat': faulty({ missingIat: true }),
  'oidcc-client-test-nonce-invalid': faulty({ wrongNonce: true }),
  'oidcc-client-test-nonce-unless-code-flow': faulty({}),
  'oidcc-client-test-kid-absent-single-jwks': faulty({ idTokenSignature: signedBy(null, { kid: undefined }) }),
  'oidcc-client-test-kid-absent-multiple-jwks': faulty({
    idTokenSignature: signedBy(null, { kid: undefined }),
    keySet: ({ keys }) => ({ keys: [...toKeySet(strangeKey('ES256')).keys, ...keys] })
  }),
  'oidcc-client-test-idtoken-sig-rs256': faulty({
    metadata: withAlgorithm('RS256'),
    keySet: () => toKeySet(rsa()),
    idTokenSignature: (claims) => signedBy(rsa())(claims, rsa())
  }),
  'oidcc-client-test-idtoken-sig-none': [
    oneOf('that no one offered', { algNone: true }),
    oneOf('that the metadata offers', { algNone: true, metadata: withAlgorithm('none', 'ES256') })
  ],
  'oidcc-client-test-invalid-sig-rs256': faulty({
    metadata: withAlgorithm('RS256'),
    keySet: () => toKeySet(rsa()),
    idTokenSignature: corruptedBy('RS256')
  }),
  'oidcc-client-test-invalid-sig-hs256': [
    oneOf('that no one offered', { idTokenSignature: symmetric }),
    oneOf('that the metadata offers', { idTokenSignature: symmetric, metadata: withAlgorithm('HS256') }),
    oneOf('with the right secret', { hs256: true, metadata: withAlgorithm('HS256') })
  ],
  'oidcc-client-test-invalid-sig-es256': [
    oneOf('corrupted', { badSignature: true }),
    oneOf('by another key of the same name', {
      idTokenSignature: (claims, { kid }) => signedBy(strangeKey('ES256'), { kid })(claims, strangeKey('ES256'))
    }),
    oneOf('empty', {
      idTokenSignature: async (claims, key) => (await signedBy(key)(claims, key)).replace(/[^.]+$/, '')
    })
  ],
  'oidcc-client-test-userinfo-invalid-sub': faulty({ userinfoWrongSub: true }),
  'oidcc-client-test-userinfo-bearer-header': faulty({}),
  'oidcc-client-test-userinfo-signed': [
    oneOf('well', { userinfo: signedUserinfo(null), metadata: userinfoIsSigned }),
    oneOf('by another key', {
      userinfo: (claims, { kid }) => signedUserinfo({ ...strangeKey('ES256'), kid })(claims, strangeKey('ES256')),
      metadata: userinfoIsSigned
    }),
    oneOf('for another user', { userinfo: signedUserinfo(null, { sub: 'eve' }), metadata: userinfoIsSigned }),
    oneOf('well, with padding that RFC 7515 §2 does not allow', {
      userinfo: async (claims, key) => {
        const response = await signedUserinfo(null)(claims, key)
        return new Response(`${await response.text()}==`, response)
      },
      metadata: userinfoIsSigned
    })
  ],
  'oidcc-client-test-scope-userinfo-claims': faulty({}),
  'oidcc-client-test-client-secret-basic': oddSecrets.map((clientSecret) => ({
    ...oneOf(JSON.stringify(clientSecret), {}),
    issuer: { clientSecret }
  })),
  'oidcc-client-test-form-post-error': faulty({ callbackError: 'server_error' }),
  'oidcc-client-test-invalid-athash': faulty({
    idTokenClaims: (claims) => ({ ...claims, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' })
  }),
  'oidcc-client-test-missing-athash': faulty({}),
  'oidcc-client-test-discovery-openid-config': faulty({
    metadata: (metadata) => ({ ...metadata, token_endpoint: `${metadata.token_endpoint}?tenant=1`, unknown: [] })
  }),
  'oidcc-client-test-discovery-jwks-uri-keys': faulty({
    metadata: (metadata) => ({ ...metadata, jwks_uri: `${metadata.jwks_uri}?run=${metadata.issuer.length}` })
  }),
  'oidcc-client-test-discovery-issuer-mismatch': [
    oneOf('another issuer', { discoveryIssuerMismatch: true }),
    oneOf('none', { metadata: ({ issuer: _, ...metadata }) => metadata })
  ],
  'oidcc-client-test-signing-key-rotation': faulty({}),
  'oidcc-client-test-signing-key-rotation-just-before-signing': faulty({})
}
