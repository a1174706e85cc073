import { CompactEncrypt, type JWTPayload } from 'jose'
import { signingKey, toKeySet } from '../issuer/keys.ts'
import { faulty, type HostileModules, signedBy, strangeKey } from './hostile-case.ts'

const without =
  (name: string) =>
  (claims: JWTPayload): JWTPayload =>
    Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))

const inSeconds =
  (seconds: number, ...names: readonly ('iat' | 'exp')[]) =>
  (claims: JWTPayload): JWTPayload => ({
    ...claims,
    ...Object.fromEntries(names.map((name) => [name, Number(claims[name]) + seconds]))
  })

const week = 7 * 86_400
const rsa = signingKey('RS256', 1)

/** The modules of the FAPI client plans that apply to a code flow client, by name. */
export const fapiModules: HostileModules = {
  'fapi2-security-profile-final-client-test-invalid-authorization-response-iss': faulty({ callbackIssWrong: true }),
  'fapi2-security-profile-final-client-test-remove-authorization-response-iss': faulty({ callbackIssMissing: true }),
  'fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails': faulty({
    callback: ({ searchParams }) => searchParams.set('state', `${searchParams.get('state')}1`)
  }),
  'fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails': faulty({
    callback: ({ searchParams }) => searchParams.delete('state')
  }),
  'fapi2-security-profile-final-client-test-invalid-iss': faulty({ wrongIss: true }),
  'fapi2-security-profile-final-client-test-invalid-aud': faulty({ wrongAud: true }),
  'fapi2-security-profile-final-client-test-invalid-secondary-aud': faulty({
    idTokenClaims: (claims) => ({ ...claims, aud: [String(claims.aud), 'another-client'] })
  }),
  'fapi2-security-profile-final-client-test-invalid-missing-iss': faulty({ idTokenClaims: without('iss') }),
  'fapi2-security-profile-final-client-test-invalid-missing-aud': faulty({ idTokenClaims: without('aud') }),
  'fapi2-security-profile-final-client-test-invalid-missing-exp': faulty({ idTokenClaims: without('exp') }),
  'fapi2-security-profile-final-client-test-invalid-missing-nonce': faulty({ idTokenClaims: without('nonce') }),
  'fapi2-security-profile-final-client-test-invalid-nonce': faulty({ wrongNonce: true }),
  'fapi2-security-profile-final-client-test-invalid-expired-exp': faulty({
    idTokenClaims: inSeconds(-3600, 'iat', 'exp')
  }),
  'fapi2-security-profile-final-client-test-invalid-null-alg': faulty({ algNone: true }),
  'fapi2-security-profile-final-client-test-invalid-alternate-alg': faulty({
    keySet: ({ keys }) => ({ keys: [...keys, ...toKeySet(rsa).keys] }),
    idTokenSignature: (claims) => signedBy(rsa)(claims, rsa)
  }),
  'fapi2-security-profile-final-client-test-discovery-issuer-mismatch': faulty({ discoveryIssuerMismatch: true }),
  'fapi2-security-profile-final-client-test-valid-aud-as-array': faulty({
    idTokenClaims: (claims) => ({ ...claims, aud: [String(claims.aud)] })
  }),
  'fapi2-security-profile-final-client-test-token-type-case-insensitivity': faulty({
    tokenFields: { token_type: 'bEaReR' }
  }),
  'fapi2-security-profile-final-client-test-token-endpoint-response-without-expires_in': faulty({
    tokenFields: { expires_in: undefined }
  }),
  'fapi1-advanced-final-client-test-iat-is-week-in-past': faulty({ idTokenClaims: inSeconds(-week, 'iat') }),
  'fapi1-advanced-final-client-test-encrypted-idtoken-usingrsa15': faulty({
    idTokenSignature: async (claims, key) => {
      const signed = await signedBy(key)(claims, key)
      const header = { alg: 'ECDH-ES', enc: 'A256GCM', cty: 'JWT' } as const
      const jwe = new CompactEncrypt(Buffer.from(signed)).setProtectedHeader(header)
      const [, ...parts] = (await jwe.encrypt(strangeKey('ES256').publicKey)).split('.')
      return [Buffer.from('{"alg":"RSA1_5","enc":"A256GCM","cty":"JWT"}').toString('base64url'), ...parts].join('.')
    }
  }),
  'fapi1-advanced-final-client-test-no-scope-in-token-endpoint-response': faulty({ tokenFields: { scope: undefined } })
}
