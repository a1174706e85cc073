/** What the tests in `packages/compat/test/identity-servers` saw. Columns: server, sign-in, refresh, sign-out, logout, guard. */
const rows = [
  [
    'oidc-provider 9.13.3',
    'yes',
    'yes',
    'yes',
    'yes; its own `fetch` does not reach addresses on loopback, so that an application in development needs another one',
    'yes'
  ],
  [
    'Glewlwyd 2.7.5',
    'yes; Basic works with secrets that encoding does not change, because the server does not decode them; `client: { token_endpoint_auth_method: "client_secret_post" }` works with all',
    'yes',
    'yes, after its own question, once the server has the property `post_logout_redirect_uris` for clients',
    'yes; the logout token has the type `JWT` and no `exp`',
    'with `assumeFresh: true`, because it states `auth_time: 0`'
  ],
  [
    'LemonLDAP::NG 2.16.1',
    'yes; secrets as for Glewlwyd',
    'yes',
    'yes, after its own question',
    'not offered',
    'yes; it does not ask a user who signed in within the last seconds'
  ],
  [
    'better-auth 1.7.25 with `@better-auth/oauth-provider` 1.7.5',
    'yes; EdDSA without configuration',
    'yes, with the scope `offline_access`',
    'yes, for a client with `enable_end_session`',
    'yes; it registers public addresses only',
    'yes'
  ],
  [
    '`@boxyhq/saml-jackson` 26.2.0',
    'yes, after SAML, with OpenID Connect or the module `boxyhq-saml`; with OpenID Connect `name` is `null`, because it sends `firstName` and `lastName`',
    'not offered',
    'not offered',
    'not offered',
    'not tested'
  ],
  [
    '`@openauthjs/openauth` 0.4.3',
    'yes, with `type: "oauth"`, `token_endpoint_auth_method: "none"` and a `userinfo.request` that reads the access token',
    'yes',
    'not offered',
    'not offered',
    'not tested'
  ],
  ['`oauth2-mock-server` 9.3.0', 'yes', 'yes', 'yes', 'not offered', 'not tested']
]

/** @returns The section about servers that the tests start. */
export function identityServersSection() {
  const table = rows.map((row) => `| ${row.join(' | ')} |\n`).join('')
  return `
## Tried with real servers

The complete long run starts these servers, in these versions. At each, a user signs in, and, if the server offers it, the
application refreshes tokens, one after another and at once; the user signs out here and there, then signs out there only; and a
guard with \`freshWithin\` has the user sign in again.

| Server | Sign-in | Refresh | Sign-out with \`provider=true\` | Back-channel logout | \`freshWithin\` |
| --- | --- | --- | --- | --- | --- |
${table}`
}
