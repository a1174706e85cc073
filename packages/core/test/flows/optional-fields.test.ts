import t from 'tap'
import { origin, parameter, requested, signIn, start } from './start.ts'

const absent = Symbol('absent')

/** The optional and recommended claims of an ID Token and of userinfo (OpenID Connect Core §2, §3.1.3.6, §5.1, §5.3.2). */
const claims: Readonly<Record<string, Readonly<Record<'absent' | 'general' | 'recommended', unknown>>>> = {
  auth_time: { absent, general: 0, recommended: 1_700_000_000 },
  acr: { absent, general: '0', recommended: 'urn:mace:incommon:iap:silver' },
  amr: { absent, general: 'pwd', recommended: ['pwd', 'mfa'] },
  azp: { absent, general: 'client', recommended: 'client' },
  at_hash: { absent, general: absent, recommended: absent },
  aud: { absent: 'client', general: ['client'], recommended: 'client' },
  jti: { absent, general: 7, recommended: 'one' },
  sid: { absent, general: 7, recommended: 'session-1' },
  name: { absent, general: '', recommended: 'Ada' },
  email: { absent, general: 'not an address', recommended: 'ada@example.com' },
  email_verified: { absent, general: 'true', recommended: true },
  picture: { absent, general: 'ada.png', recommended: 'https://issuer.test/ada.png' },
  updated_at: { absent, general: '2026-01-01T00:00:00Z', recommended: 1_700_000_000 }
}

for (const [claim, values] of Object.entries(claims)) {
  t.test(`an ID Token with ${claim} absent, general and recommended signs in`, async (t) => {
    for (const [kind, value] of Object.entries(values)) {
      const { browser, issuer } = start()
      issuer.faults.idTokenClaims = ({ [claim]: _, ...rest }) => (value === absent ? rest : { ...rest, [claim]: value })
      t.equal((await signIn({ issuer }, browser)).location, origin, kind)
    }
  })
}

/** The optional fields of a token response (RFC 6749 §5.1). */
const fields: Readonly<Record<string, Readonly<Record<'absent' | 'general' | 'recommended', unknown>>>> = {
  expires_in: { absent: undefined, general: '3600', recommended: 3600 },
  refresh_token: { absent: undefined, general: null, recommended: 'a refresh token' },
  scope: { absent: undefined, general: ['openid', 'email'], recommended: 'openid email' },
  token_type: { absent: 'Bearer', general: 'bearer', recommended: 'Bearer' }
}

for (const [field, values] of Object.entries(fields)) {
  t.test(`a token response with ${field} absent, general and recommended signs in`, async (t) => {
    for (const [kind, value] of Object.entries(values)) {
      const { browser, issuer } = start()
      issuer.faults.tokenFields = { [field]: value }
      t.equal((await signIn({ issuer }, browser)).location, origin, kind)
    }
  })
}

/** The optional and recommended members of the metadata (RFC 8414 §2, OpenID Connect Discovery §3). */
const members: Readonly<Record<string, readonly unknown[]>> = {
  userinfo_endpoint: [absent, absent, 'https://issuer.test/userinfo'],
  end_session_endpoint: [absent, '', 'https://issuer.test/logout'],
  revocation_endpoint: [absent, '', 'https://issuer.test/revoke'],
  scopes_supported: [absent, [], ['openid']],
  token_endpoint_auth_methods_supported: [absent, [], ['client_secret_basic']],
  code_challenge_methods_supported: [absent, ['plain', 'S256'], ['S256']],
  claims_supported: [absent, [], ['sub']],
  authorization_response_iss_parameter_supported: [absent, false, true],
  require_pushed_authorization_requests: [absent, false, false]
}

for (const [member, values] of Object.entries(members)) {
  t.test(`metadata with ${member} absent, general and recommended signs in`, async (t) => {
    for (const value of values) {
      const { browser, issuer } = start()
      issuer.faults.metadata = ({ ...metadata }) => {
        const { [member]: _, ...rest }: Record<string, unknown> = { ...metadata }
        return value === absent ? rest : { ...rest, [member]: value }
      }
      t.equal((await signIn({ issuer }, browser)).location, origin, String(value))
    }
  })
}

t.test('a provider that requires pushed requests is named when the sign-in starts', async (t) => {
  const { browser, issuer, log } = start()
  issuer.faults.metadata = (metadata) => ({ ...metadata, require_pushed_authorization_requests: true })
  const refused = await browser.submit('/api/auth/signin/demo', {})
  t.equal(parameter(refused, 'error'), 'OAuthSignin')
  t.match(log, [{ metadata: { message: /^demo: the provider requires pushed authorization requests \(RFC 9126\)/ } }])
  t.same(requested(issuer), ['/.well-known/openid-configuration'], 'the user does not go there')
})

/** The optional parameters of an authorization response (RFC 6749 §4.1.2, RFC 9207 §2, OpenID Connect Session Management §3). */
const parameters: Readonly<Record<string, readonly [general: string, recommended: string]>> = {
  session_state: ['', 'hash.salt'],
  error_uri: ['', 'https://issuer.test/errors'],
  scope: ['openid', 'openid email profile'],
  authuser: ['0', '0']
}

for (const [name, values] of Object.entries(parameters)) {
  t.test(`a response with ${name} absent, general and recommended signs in`, async (t) => {
    for (const value of [null, ...values]) {
      const { browser, issuer } = start()
      issuer.faults.callback = ({ searchParams }) => {
        if (value !== null) searchParams.set(name, value)
      }
      t.equal((await signIn({ issuer }, browser)).location, origin, String(value))
    }
  })
}

t.test('a response without iss signs in unless the metadata promises it', async (t) => {
  for (const isPromised of [undefined, false, true]) {
    const { browser, issuer } = start()
    issuer.faults.metadata = ({ authorization_response_iss_parameter_supported: _, ...metadata }) =>
      isPromised === undefined ? metadata : { ...metadata, authorization_response_iss_parameter_supported: isPromised }
    issuer.faults.callbackIssMissing = true
    const end = await signIn({ issuer }, browser)
    t.equal(parameter(end, 'error'), isPromised === true ? 'OAuthCallback' : null, String(isPromised))
  }
})
