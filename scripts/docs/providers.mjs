// The page of all OAuth providers, of the built modules of @postern/core.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What the modules cannot say themselves. */
const notes = {
  apple: '`key` (team, key id, `.p8`) in place of a secret; answers by `form_post`; the name comes once',
  asgardeo: 'issuer with or without `/oauth2/token`',
  atlassian: 'asks for `read:me`, without which Atlassian refuses the profile',
  'azure-ad': '`tenantId` (default `common`), `profilePhotoSize`; an address counts as proven by `xms_edov` only',
  'azure-ad-b2c': '`tenantId` and `primaryUserFlow`, or the issuer; says of no address that it is proven',
  'azure-devops': '`scope`; code and secret are sent as assertions; mended',
  'bankid-no': 'signed userinfo',
  battlenet: 'one issuer for each region',
  'boxyhq-saml': 'tenant and product: parameters of `authorization`, or part of `clientId`',
  bungie: '`apiKey` is required; mended',
  coinbase: 'addresses as in Auth.js',
  descope: 'the issuer is made of the client id',
  discord: 'pictures of the new kind of names too',
  dribbble: '`scope`; mended',
  dropbox: 'userinfo by POST; mended',
  'duende-identity-server6': 'id of Auth.js',
  'duende-identityserver6': 'id of next-auth v4',
  facebook: 'API version 19',
  foursquare: '`apiVersion`; the token goes in the query',
  freshbooks: 'mended',
  fusionauth: '`tenantId`',
  github: '`enterprise.baseUrl`; asks for the list of addresses, which says what is proven',
  gitlab: '`baseUrl`; addresses count as proven at gitlab.com only',
  hubspot: 'the token goes in the path',
  line: 'ID Tokens are signed with the secret (HS256)',
  linkedin: 'OpenID Connect; leaves out the nonce; mended',
  mastodon: 'one issuer for each instance',
  'microsoft-entra-id': 'every tenant unless an issuer is given; `profilePhotoSize`; proven by `xms_edov` only',
  netsuite: '`accountID` and `userinfo` (a RESTlet) are required',
  nextcloud: 'userinfo at the address of the user, with the header that OCS asks for',
  notion: 'the person is the owner of the token’s bot',
  onelogin: 'issuer with or without `/oidc/2`',
  osso: 'issuer with or without a slash at its end',
  salesforce: 'OpenID Connect; the account id is `user_id`, as in next-auth v4; mended',
  tiktok: '`client_key` in place of `client_id`',
  todoist: 'userinfo by POST',
  trakt: 'headers of its own',
  twitter: 'OAuth 2; OAuth 1.0a is not supported; addresses of x.com',
  wechat: '`platformType`; GET in place of POST; parameters of its own; the account id is `unionid`',
  webex: '`apiBaseUrl`',
  workos: '`connection`, `organization`'
}

/** Stands for any profile: whatever is asked of it is there. */
function anything() {
  const proxy = new Proxy(() => proxy, {
    get: (_, name) => {
      if (name === Symbol.toPrimitive) return () => '1'
      if (name === Symbol.iterator) return () => [proxy][Symbol.iterator]()
      return proxy
    },
    apply: () => proxy
  })
  return proxy
}

function verifiedBy({ profile, verifiesEmail, type, idToken }) {
  if (verifiesEmail) return 'yes'
  const isOidc = type === 'oidc' || idToken === true
  if (!profile) return '`email_verified`'
  const user = profile(anything(), anything())
  if (user.email === null || user.email === undefined) return 'no e-mail'
  if ('emailVerified' in user) return 'as stated'
  return isOidc ? '`email_verified`' : 'no'
}

const scopeOf = ({ authorization, type }) =>
  authorization?.params?.scope ?? (type === 'oidc' ? 'openid profile email' : 'openid')
const hasPkce = ({ checks }) => checks === undefined || [checks].flat().includes('pkce')

/** `null`: the issuer is no option; `false`: there is one without it. */
function needsIssuer(config) {
  const { issuer, authorization, wellKnown } = config
  const text = JSON.stringify([issuer ?? null, authorization ?? null, wellKnown ?? null])
  const isOpen = text.includes('{issuer}')
  if (isOpen && (!issuer || issuer.includes('{issuer}'))) return true
  const isDiscovered = config.type === 'oidc' || config.idToken === true
  if (!issuer) return isDiscovered ? true : null
  return isOpen || isDiscovered ? false : null
}

function environmentOf(config) {
  const name = `AUTH_${config.id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
  const issuer = needsIssuer(config)
  const last = issuer === null ? [] : [`\`${name}_ISSUER\`${issuer ? '' : ' (optional)'}`]
  return [`\`${name}_ID\``, `\`${name}_SECRET\``, ...last].join(', ')
}

/** Some factories cannot do without an option. */
const configOf = (factory) => factory({ apiKey: '', accountID: '', userinfo: '', credentials: {} })

/** The module for any OpenID Provider has no id of its own. */
const isListed = ({ id, type }) => id !== undefined && (type === 'oauth' || type === 'oidc')

/** @returns One line of the table. */
function lineOf(config) {
  const { id, name, type, idToken } = config
  const protocol = type === 'oidc' || idToken === true ? 'OpenID Connect' : 'OAuth 2'
  const scope = scopeOf(config)
  const cells = [
    `\`${id}\``,
    name,
    protocol,
    scope === '' ? '(empty)' : `\`${scope}\``,
    hasPkce(config) ? 'yes' : 'no',
    verifiedBy(config),
    environmentOf(config),
    notes[id] ?? ''
  ]
  return `| ${cells.join(' | ')} |`
}

const head = `# Providers

Each one is a module of its own, \`@postern/core/providers/<id>\`; a module that is not imported is not loaded. Ids, names
and account ids are those of next-auth v4 where it has the provider, else those of Auth.js.

- **PKCE** is used wherever the provider tolerates it; \`state\` is always sent, and a \`nonce\` with OpenID Connect, except
  to LinkedIn, which leaves it out of its ID Tokens.
- **Proven e-mail** says when an address counts as proven: when the claim \`email_verified\` says so, when another field
  of the profile does (*as stated*), or never (*no*). Only a proven address takes part in linking.
- *Mended*: in the originals nobody can sign in with it, or not without help.

Mails are sent by \`email\` (SMTP), \`forwardemail\`, \`loops\`, \`mailgun\`, \`postmark\`, \`resend\` and \`sendgrid\`, which
are modules too. Not among them: Twitter with OAuth 1.0a, which Postern does not speak; passkeys and WebAuthn, which are no
OAuth either. Any other OpenID Provider: \`@postern/core/providers/oidc\`.

This page is written by \`pnpm docs:write\`.

| Id | Name | Protocol | Scope | PKCE | Proven e-mail | Environment | Notes |
| --- | --- | --- | --- | --- | --- | --- | --- |
`

/** @returns The whole page, of the modules in a folder. */
export async function providersPage(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const modules = await Promise.all(files.sort().map((file) => import(pathToFileURL(join(folder, file)).href)))
  const configs = modules.map(({ default: factory }) => configOf(factory)).filter(isListed)
  return `${head}${configs.map((config) => `${lineOf(config)}\n`).join('')}`
}
