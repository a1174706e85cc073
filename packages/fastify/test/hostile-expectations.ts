/** What has to come of a case: where the visitor ends up, and which calls were made on the way. */
export interface Expected {
  readonly outcome: 'signed in' | 'OAuthSignin' | 'OAuthCallback' | 'start again' | 'too large'
  readonly reason?: 'cancelled' | 'unavailable'
  /** The requested endpoints, in order; none is requested after the fault was noticed. */
  readonly calls: string
  /** Seconds after which the application asks an honest issuer again: what it caches, or a cool-down. */
  readonly wait?: number
}

const signedIn: Expected = { outcome: 'signed in', calls: 'discovery token jwks userinfo' }
/** The claims of an ID Token come before its signature: the keys are not even asked for. */
const byClaims: Expected = { outcome: 'OAuthCallback', calls: 'discovery token' }
const bySignature: Expected = { outcome: 'OAuthCallback', calls: 'discovery token jwks' }
const byUserinfo: Expected = { outcome: 'OAuthCallback', calls: 'discovery token jwks userinfo' }
const byResponse: Expected = { outcome: 'OAuthCallback', calls: 'discovery' }
const byMetadata: Expected = { outcome: 'OAuthSignin', calls: 'discovery' }
const lost: Expected = { outcome: 'start again', calls: 'discovery' }
const unavailable = { reason: 'unavailable' } as const

/** Metadata is kept for an hour. */
const anHour = { wait: 3601 } as const
const again: Expected = { outcome: 'signed in', calls: 'token jwks userinfo' }

/** By module, and by case where the cases of a module differ. */
export const expectations: Readonly<Record<string, Expected | Readonly<Record<string, Expected>>>> = {
  'oidcc-client-test': signedIn,
  'oidcc-client-test-invalid-iss': byClaims,
  'oidcc-client-test-missing-sub': byClaims,
  'oidcc-client-test-invalid-aud': byClaims,
  'oidcc-client-test-missing-aud': byClaims,
  'oidcc-client-test-missing-iat': byClaims,
  'oidcc-client-test-nonce-invalid': byClaims,
  'oidcc-client-test-nonce-unless-code-flow': signedIn,
  'oidcc-client-test-kid-absent-single-jwks': signedIn,
  'oidcc-client-test-kid-absent-multiple-jwks': signedIn,
  'oidcc-client-test-idtoken-sig-rs256': { ...signedIn, ...anHour },
  'oidcc-client-test-idtoken-sig-none': {
    'that no one offered': byClaims,
    'that the metadata offers': { ...byClaims, ...anHour }
  },
  'oidcc-client-test-invalid-sig-rs256': { ...bySignature, ...anHour },
  'oidcc-client-test-invalid-sig-hs256': {
    'that no one offered': byClaims,
    'that the metadata offers': { ...byClaims, ...anHour },
    'with the right secret': { ...byClaims, ...anHour }
  },
  'oidcc-client-test-invalid-sig-es256': {
    corrupted: bySignature,
    'by another key of the same name': bySignature,
    empty: byClaims
  },
  'oidcc-client-test-userinfo-invalid-sub': byUserinfo,
  'oidcc-client-test-userinfo-bearer-header': signedIn,
  'oidcc-client-test-userinfo-signed': {
    well: signedIn,
    // The key may have been replaced under the same name: the keys are requested once more.
    'by another key': { ...byUserinfo, calls: 'discovery token jwks userinfo jwks' },
    'for another user': byUserinfo,
    'well, with padding that RFC 7515 §2 does not allow': byUserinfo
  },
  'oidcc-client-test-scope-userinfo-claims': signedIn,
  'oidcc-client-test-client-secret-basic': signedIn,
  'oidcc-client-test-form-post-error': byResponse,
  'oidcc-client-test-invalid-athash': bySignature,
  'oidcc-client-test-missing-athash': signedIn,
  'oidcc-client-test-discovery-openid-config': { ...signedIn, ...anHour },
  'oidcc-client-test-discovery-jwks-uri-keys': { ...signedIn, ...anHour },
  'oidcc-client-test-discovery-issuer-mismatch': byMetadata,
  'oidcc-client-test-signing-key-rotation': again,
  'oidcc-client-test-signing-key-rotation-just-before-signing': again,

  'fapi2-security-profile-final-client-test-invalid-authorization-response-iss': byResponse,
  'fapi2-security-profile-final-client-test-remove-authorization-response-iss': byResponse,
  'fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails': lost,
  'fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails': lost,
  'fapi2-security-profile-final-client-test-invalid-iss': byClaims,
  'fapi2-security-profile-final-client-test-invalid-aud': byClaims,
  'fapi2-security-profile-final-client-test-invalid-secondary-aud': byClaims,
  'fapi2-security-profile-final-client-test-invalid-missing-iss': byClaims,
  'fapi2-security-profile-final-client-test-invalid-missing-aud': byClaims,
  'fapi2-security-profile-final-client-test-invalid-missing-exp': byClaims,
  'fapi2-security-profile-final-client-test-invalid-missing-nonce': byClaims,
  'fapi2-security-profile-final-client-test-invalid-nonce': byClaims,
  'fapi2-security-profile-final-client-test-invalid-expired-exp': byClaims,
  'fapi2-security-profile-final-client-test-invalid-null-alg': byClaims,
  'fapi2-security-profile-final-client-test-invalid-alternate-alg': byClaims,
  'fapi2-security-profile-final-client-test-discovery-issuer-mismatch': byMetadata,
  'fapi2-security-profile-final-client-test-valid-aud-as-array': signedIn,
  'fapi2-security-profile-final-client-test-token-type-case-insensitivity': signedIn,
  'fapi2-security-profile-final-client-test-token-endpoint-response-without-expires_in': signedIn,
  'fapi1-advanced-final-client-test-iat-is-week-in-past': bySignature,
  'fapi1-advanced-final-client-test-encrypted-idtoken-usingrsa15': byClaims,
  'fapi1-advanced-final-client-test-no-scope-in-token-endpoint-response': signedIn,

  'H01 sub empty': bySignature,
  'H02 sub that is not a short text': {
    'a number': byClaims,
    'a list': byClaims,
    '10 kB': bySignature,
    'with NUL': bySignature,
    'not ASCII': bySignature
  },
  'H03 azp another client': bySignature,
  'H04 iat an hour ahead': bySignature,
  'H05 exp 20 seconds ago': byClaims,
  'H06 duplicate code or state': byResponse,
  'H07 code from another browser': {
    'with its state': lost,
    'with the state of this one': byClaims
  },
  'H08 callback replayed after success': { outcome: 'start again', calls: '' },
  'H09 provider mix-up': {
    'to the other': { outcome: 'OAuthCallback', calls: 'discovery discovery' },
    'from the other': { outcome: 'OAuthCallback', calls: 'discovery discovery' }
  },
  'H10 token response huge, endless or slow': {
    '20 MB': { ...byClaims, ...unavailable },
    endless: { ...byClaims, ...unavailable },
    'drop by drop': { ...byClaims, ...unavailable },
    never: { ...byClaims, ...unavailable }
  },
  'H11 endpoints that redirect to another host': {
    'token endpoint, 302': byClaims,
    'token endpoint, 307': byClaims,
    metadata: byMetadata,
    'key set': bySignature,
    userinfo: byUserinfo
  },
  'H12 answers that are not JSON in UTF-8': {
    'tokens as HTML': { ...byClaims, ...unavailable },
    'userinfo as HTML': { ...byUserinfo, ...unavailable },
    'metadata as HTML': { ...byMetadata, ...unavailable },
    'UTF-16': byClaims,
    'a byte that is not UTF-8': { ...byClaims, ...unavailable },
    'compressed without being asked': { ...byClaims, ...unavailable },
    'gzip bomb': { ...byClaims, ...unavailable },
    'nested 100,000 deep': byClaims,
    'a claim nested 100,000 deep': signedIn,
    'cut off': byClaims,
    'a list': byClaims,
    null: byUserinfo
  },
  'H13 JWKS with too many, weak, symmetric, private or doubled keys': {
    '10,000 keys': { ...bySignature, ...unavailable },
    'an RSA key of 512 bits': { ...bySignature, ...anHour },
    'a symmetric key': { ...byClaims, ...anHour },
    'a private key': bySignature,
    'two keys of one name': signedIn,
    'no objects': bySignature
  },
  'H14 ID Token that brings its own key in the header': {
    'jku, and the key that is there': bySignature,
    'x5u, and the key that is there': bySignature,
    'jwk, and that key': bySignature,
    'jku, and the right key': signedIn,
    crit: byClaims
  },
  'H15 JWKS empty, HTML, 500 or late': {
    empty: bySignature,
    'no key set': bySignature,
    HTML: { ...bySignature, ...unavailable },
    '500': bySignature,
    late: { ...bySignature, ...unavailable }
  },
  'H16 metadata with endpoints that lead elsewhere': {
    'a script for authorization': byMetadata,
    'a script for tokens': byMetadata,
    'plain http for tokens': byMetadata,
    'plain http for keys': byMetadata,
    'no address for userinfo': byMetadata,
    'another path of the issuer': { ...signedIn, ...anHour },
    ...Object.fromEntries(
      ['127.0.0.1', '[::1]', '169.254.169.254', '0x7f000001', '[::ffff:10.0.0.1]', 'localhost'].map((host) => [
        `${host} for tokens`,
        { ...byResponse, ...unavailable, ...anHour }
      ])
    )
  },
  'H17 error with markup, line feeds or 1 MB': {
    markup: byResponse,
    'line feeds': byResponse,
    '10 kB': byResponse,
    '1 MB': { outcome: 'too large', calls: 'discovery' }
  },
  'H18 email_verified that is not true': signedIn,
  'H19 email that looks like another': signedIn,
  'H20 picture that is not a picture': signedIn,
  'H21 name with control characters, bidi or 1 MB': signedIn,
  'H22 TLS with a certificate that does not hold': { outcome: 'OAuthSignin', ...unavailable, calls: '' },
  'H23 access token absent, or of an odd type': byClaims,
  'H24 visitor leaves while the issuer answers': signedIn,
  'H25 identical sub from two providers': { outcome: 'signed in', calls: 'discovery token jwks userinfo' },
  'H26 userinfo refused after a good token': byUserinfo,
  'H27 ID Token of another user replayed': { outcome: 'OAuthCallback', calls: 'token' },
  'H28 callback by the other method': signedIn,
  'H29 duplicate iss': byResponse,
  'H30 rotation storm': {
    outcome: 'OAuthCallback',
    calls: 'discovery token jwks token jwks token token token',
    wait: 31
  },
  'H31 JWS whose parts are not canonical base64url': byClaims
}

/** @throws Where no one said what has to come of a case. */
export function getExpectation(module: string, title: string): Expected {
  const found = expectations[module]
  if (!found) throw new Error(`expected to know what has to come of ${module}`)
  if ('outcome' in found && typeof found.outcome === 'string') return found as Expected
  const one = (found as Readonly<Record<string, Expected>>)[title]
  if (!one) throw new Error(`expected to know what has to come of ${module}: ${title}`)
  return one
}
