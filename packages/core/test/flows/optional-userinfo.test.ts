import t from 'tap'
import { getSession, origin, parameter, requested, signIn, start } from './start.ts'

/** What an ID Token has of a user without an address, by server. */
const served: readonly (readonly [server: string, claims: Readonly<Record<string, unknown>>])[] = [
  ['Entra, of a user without a mailbox', { name: 'Ada Lovelace', preferred_username: 'ada@corp.test' }],
  ['ADFS', { upn: 'ada@corp.test', unique_name: 'CORP\\ada' }],
  ['a thin ID Token', { email: 'ada@example.com' }]
]

/** How userinfo fails to complete the profile. */
const refusals: readonly (readonly [title: string, respond: () => Response | Promise<Response>])[] = [
  ['401', () => new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })],
  ['403', () => Response.json({ error: { code: 'Authorization_RequestDenied' } }, { status: 403 })],
  ['404', () => new Response('not found', { status: 404 })],
  ['503', () => new Response('', { status: 503 })],
  ['no connection', () => Promise.reject(new TypeError('fetch failed'))]
]

for (const [server, claims] of served) {
  t.test(`${server}: the ID Token names the user, and a userinfo that refuses is a warning`, async (t) => {
    for (const [title, respond] of refusals) {
      const { browser, issuer, log } = start({ issuerOptions: { claimsInIdToken: false } })
      issuer.faults.idTokenClaims = (standard) => ({ ...standard, ...claims })
      issuer.faults.respond = ({ url }) => (url.endsWith('/userinfo') ? respond() : null)
      const end = await signIn({ issuer }, browser)
      t.equal(end.location, origin, title)
      t.ok(requested(issuer).includes('/userinfo'), 'it is asked')
      t.match(log, [{ level: 'warn', code: 'USERINFO_REFUSED', metadata: { provider: 'demo', cause: {} } }])
      const { name, email } = (await getSession(browser)).user ?? {}
      t.match([name ?? null, email ?? null], [claims['name'] ?? null, claims['email'] ?? null])
    }
  })
}

t.test('the refusal is in the log with the words of the server', async (t) => {
  const { browser, issuer, log } = start({ issuerOptions: { claimsInIdToken: false } })
  issuer.faults.idTokenClaims = (claims) => ({ ...claims, name: 'Ada' })
  const challenge = 'Bearer error="invalid_token", error_description="Audience is not Microsoft Graph"'
  issuer.faults.userinfo = () => new Response('', { status: 401, headers: { 'www-authenticate': challenge } })
  await signIn({ issuer }, browser)
  t.match(log, [{ metadata: { cause: { message: /got 401: the server said "invalid_token": "Audience is not/ } } }])
})

t.test('userinfo that is the profile, or that contradicts the ID Token, still ends the sign-in', async (t) => {
  const named = { idTokenClaims: (claims: object) => ({ ...claims, name: 'Ada' }) }
  const faults: readonly object[] = [
    { ...named, userinfoWrongSub: true },
    { ...named, userinfo: () => Response.json({ name: 'Ada' }) },
    { ...named, userinfo: () => new Response('<html>', { headers: { 'content-type': 'text/html' } }) },
    { userinfoStatus: 403 }
  ]
  for (const fault of faults) {
    const { browser, issuer } = start({ issuerOptions: { claimsInIdToken: false } })
    Object.assign(issuer.faults, fault)
    t.equal(parameter(await signIn({ issuer }, browser), 'error'), 'OAuthCallback', JSON.stringify(fault))
  }
  const { browser, issuer } = start({ provider: { idToken: false } })
  issuer.faults.userinfoStatus = 403
  t.equal(parameter(await signIn({ issuer }, browser), 'error'), 'OAuthCallback', 'idToken: false asks for userinfo')
})
