// Generates docs/providers.md from the built provider modules of @postern/core.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { hasLogo } from '../../packages/pages/dist/logos/has-logo.js'
import { identityServersSection } from './identity-servers.mjs'
import { reviews } from './provider-reviews.mjs'
import { quirksSection } from './quirks.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Notes that the modules do not contain. */
const notes = {
  apple: '`key` (team, key id, `.p8`) instead of a secret; responds with `form_post`; sends the name only once',
  asgardeo: 'issuer with or without `/oauth2/token`',
  atlassian: 'requests `read:me`, which Atlassian requires for the profile',
  'azure-ad': '`tenantId` (default `common`), `profilePhotoSize`',
  'azure-ad-b2c': '`tenantId` and `primaryUserFlow`, or the issuer',
  'azure-devops': '`scope`; sends code and secret as assertions; fixed',
  'bankid-no': 'signed userinfo',
  battlenet: 'one issuer for each region',
  'boxyhq-saml': 'set tenant and product in the parameters of `authorization` or in `clientId`',
  bungie: '`apiKey` is required; fixed',
  coinbase: 'endpoints as in Auth.js',
  descope: 'derives the issuer from the client id',
  discord: 'supports avatars of users with new usernames',
  dribbble: '`scope`; fixed',
  dropbox: 'userinfo by POST; fixed',
  'duende-identity-server6': 'id of Auth.js',
  'duende-identityserver6': 'id of next-auth v4',
  eveonline: 'the character is in the claims of the access token',
  facebook: 'API version 19',
  figma: 'refreshes tokens at an endpoint of its own',
  foursquare: '`apiVersion`; sends the token in the query',
  freshbooks: 'fixed',
  fusionauth: '`tenantId`',
  github: '`enterprise.baseUrl`; requests the list of addresses, which states the verified ones',
  gitlab: '`baseUrl`',
  hubspot: 'the user is in the information about the token',
  instagram: 'business and creator accounts only: Instagram ended sign-in with other accounts',
  line: 'ID Tokens are signed with the secret (HS256)',
  linkedin: 'OpenID Connect without nonce; fixed',
  mastodon: 'one issuer for each instance',
  'microsoft-entra-id': 'all tenants unless you set an issuer; `profilePhotoSize`',
  netsuite: '`accountID` and `userinfo` (a RESTlet) are required',
  nextcloud: 'userinfo at the URL of the user, with the header that OCS requires',
  notion: 'the user is the owner of the token’s bot',
  onelogin: 'issuer with or without `/oidc/2`',
  osso: 'issuer with or without a trailing slash',
  pinterest: 'the account id is `id`; see [former account ids](#former-account-ids)',
  salesforce: 'OpenID Connect; the account id is `user_id`, as in next-auth v4; fixed',
  tiktok: '`client_key` instead of `client_id`',
  trakt: 'custom headers; the account id is `ids.uuid`; see [former account ids](#former-account-ids)',
  twitter: 'OAuth 2; OAuth 1.0a is not supported; uses endpoints of x.com',
  wechat: '`platformType`; GET instead of POST; custom parameters; the account id is `unionid`',
  vk: 'the address is in the token response',
  webex: '`apiBaseUrl`',
  workos: '`connection`, `organization`'
}

/** A profile in which every property exists. */
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

/** The claim about the address; `null` if the profile has no address. */
function getClaim({ profile, type, idToken }) {
  if (!profile) return 'claimed'
  const user = profile(anything(), anything())
  if (user.email === null || user.email === undefined) return null
  return 'emailVerified' in user || type === 'oidc' || idToken === true ? 'claimed' : 'no'
}

/** Whether the provider proves addresses. */
function provenBy(config) {
  const claim = getClaim(config)
  if (claim === null) return 'no email'
  if (config.hooks?.isEmailAuthority) return '[some](#proven-addresses)'
  return config.verifiesEmail ? '[yes](#proven-addresses)' : claim
}

const getScope = ({ authorization, type }) =>
  authorization?.params?.scope ?? (type === 'oidc' ? 'openid profile email' : 'openid')
const hasPkce = ({ checks }) => checks === undefined || [checks].flat().includes('pkce')

/** `null` if the issuer is not an option, `false` if it is optional. */
function needsIssuer(config) {
  const { issuer, authorization, wellKnown } = config
  const text = JSON.stringify([issuer ?? null, authorization ?? null, wellKnown ?? null])
  const isOpen = text.includes('{issuer}')
  if (isOpen && (!issuer || issuer.includes('{issuer}'))) return true
  const isDiscovered = config.type === 'oidc' || config.idToken === true
  if (!issuer) return isDiscovered ? true : null
  return isOpen || isDiscovered ? false : null
}

function getEnvironment(config) {
  const name = `AUTH_${config.id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
  const issuer = needsIssuer(config)
  const last = issuer === null ? [] : [`\`${name}_ISSUER\`${issuer ? '' : ' (optional)'}`]
  return [`\`${name}_ID\``, `\`${name}_SECRET\``, ...last].join(', ')
}

/** Passes the options that some factories require. */
const getConfig = (factory) => factory({ apiKey: '', accountID: '', userinfo: '', credentials: {} })

/** The generic OpenID Connect module has no id. */
const isListed = ({ id, type }) => Boolean(id) && (type === 'oauth' || type === 'oidc')

/** @returns One line of the table. */
function formatLine(config) {
  const { id, name, type, idToken } = config
  const protocol = type === 'oidc' || idToken === true ? 'OpenID Connect' : 'OAuth 2'
  const scope = getScope(config)
  const cells = [
    `\`${id}\``,
    name,
    protocol,
    scope === '' ? '(empty)' : `\`${scope}\``,
    hasPkce(config) ? 'yes' : 'no',
    provenBy(config),
    getEnvironment(config),
    notes[id] ?? ''
  ]
  return `| ${cells.join(' | ')} |`
}

/** @returns One line of the table of comparisons. */
function formatReview({ id }) {
  const { result, compared = [], read = [], searched, on, note } = reviews[id]
  const pages = read.map(({ url, copy }, index) => `[${index === 0 ? 'page' : index + 1}](${url}) (${copy})`)
  const source = searched ? `searched: ${searched}` : pages.join(', ')
  return `| \`${id}\` | ${[result, compared.join(', '), source, on, note ?? ''].join(' | ')} |`
}

/** @returns The rows of the providers that prove addresses. */
const formatProven = () =>
  Object.entries(reviews)
    .filter(([, { email }]) => email)
    .map(
      ([
        id,
        {
          email: { addresses, by, url, copy, on }
        }
      ]) => `| \`${id}\` | ${addresses} | ${by} | [page](${url}) (${copy}) | ${on} |\n`
    )
    .join('')

const head = `# Providers

Each provider is a separate module, \`@postern/core/providers/<id>\`, which is only loaded if you import it. Ids, names and account
ids are those of next-auth v4 if it has the provider, and those of Auth.js otherwise.

- **PKCE**: used if the provider supports it. \`state\` is always sent. A \`nonce\` is sent with OpenID Connect, except to LinkedIn,
  which omits it from its ID Tokens.
- **Proven email**: whether an address of the provider is proven, which [joining by address](security.md#joining-by-address), factors
  and invitations need. *yes* and *some* are [built in](#proven-addresses). Of the others, *claimed* means that the provider states
  whether it has verified the address, and *no* that it does not; set \`verifiesEmail\` if you trust it. *no email* means that the
  profile has no address.
- **Notes**: *fixed* means that sign-in with the original provider fails or needs a workaround.

Email is sent by the modules \`email\` (SMTP), \`forwardemail\`, \`loops\`, \`mailgun\`, \`postmark\`, \`resend\` and
\`sendgrid\`. For any other OpenID Provider, use \`@postern/core/providers/oidc\`. Twitter with OAuth 1.0a is
not supported; [passkeys](passkeys.md) are a feature of \`@postern/account\`.

## Parameters of a sign-in

The query of a sign-in (the third argument of \`signIn\`) adds \`login_hint\`, \`prompt\` and \`ui_locales\` to the
authorization request. \`allowedAuthorizationParams\` of a provider replaces this list. Values that you configured, in
\`authorization.params\`, in the URL or in the provider’s metadata, are never replaced. If \`scope\` is listed, it extends the
configured scope. Protocol parameters, such as \`redirect_uri\`, cannot be listed.

| To let the user choose | List |
| --- | --- |
| sign-up instead of sign-in (Auth0) | \`screen_hint\` |
| the identity provider behind the provider | \`connection\` (Auth0), \`kc_idp_hint\` (Keycloak), \`domain_hint\` (Microsoft) |
| the organization (Auth0) | \`organization\`, \`invitation\` |
| offline access, more permissions later (Google) | \`access_type\`, \`include_granted_scopes\`, \`scope\` |

Set parameters that restrict who may sign in (\`hd\`, \`organization\`) in \`authorization.params\`, and check their effect in the
profile or the ID Token. Users can edit the URL of the provider’s page. Instead of \`acr_values\` and \`max_age\`, use \`requires\`,
which [checks the ID Token](authentication.md#what-a-provider-must-prove).

## Former account ids

next-auth uses the username of Pinterest and the slug of Trakt as account ids. Both can pass to another person, who would then
sign in as the first one. The modules use the id that stays the same. An account with the former id gets the new id when its user
signs in, in one transaction if the adapter has \`transact\`. The adapter needs \`unlinkAccount\`.

No record shows who had a name before that sign-in. If the name passed to another person earlier, that person signs in as the user
who had it. To exclude this, remove the accounts of these providers whose users have not signed in for a long time. Former ids that
consist of digits only (Pinterest) or look like a \`uuid\` (Trakt) are not recognized, because they may be the id of another user.

\`hooks.formerAccountId\` does the same for a provider of your own: it receives the profile, and returns the id that your rows
still have, or \`null\`.

## Proven addresses

Anybody can run an OpenID Provider that states \`email_verified: true\` about any address. So an address counts as proven only if the
provider is trusted for it: because it owns the domain, or because its documents say that it verifies every address. For any other
provider, the address is stored, and \`emailVerified\` stays empty until the user proves it by mail. If you trust a provider, such as
that of your company, say so:

\`\`\`ts
import okta from '@postern/core/providers/okta'

export const provider = okta({
  ...{ clientId: 'id', clientSecret: 'secret', issuer: 'https://acme.okta.com' },
  verifiesEmail: ['acme.com', 'acme.example']
})
\`\`\`

- \`verifiesEmail: true\` trusts every address of the provider, and a list those of these domains, without their subdomains.
- An address that the provider states as unverified is never proven. If it states nothing, the option decides.
- The option replaces what is built in: \`verifiesEmail: false\` trusts the provider for no address.
- A provider behind the provider (a social connection of Auth0, a broker in Keycloak) must verify addresses too.

Built in, with the page that says so:

| Id | Addresses | By | Source | On |
| --- | --- | --- | --- | --- |
PROVEN
## Logos

The sign-in page has a logo for most providers. The button of any other provider shows its first letter in its color, and in
development the log says so at startup. To bring a logo, set \`style\`: a path on your site, or a \`data:\` image, because the
Content-Security-Policy of the page allows nothing remote.

\`\`\`ts
import zoho from '@postern/core/providers/zoho'

export const provider = zoho({ clientId: 'id', clientSecret: 'secret', style: { logo: '/logos/zoho.svg' } })
\`\`\`

Without a built-in logo: WITHOUT_LOGO.

## All providers

\`pnpm docs:write\` generates this page.

| Id | Name | Protocol | Scope | PKCE | Proven email | Environment | Notes |
| --- | --- | --- | --- | --- | --- | --- | --- |
`

const comparisons = `
## Compared with the documents of the providers

Each module was compared with documents of its provider, as far as a copy of them was available. A document counts only if the
provider published it: documentation, an SDK, an API description or the source of the server.

- **agrees**: what was compared is the same.
- **changed**: the provider changed, and the module now follows the document.
- **ended**: the provider has ended the service or the product, or accepts no new applications. Existing applications may work.
- **not read**: no document was available. The row says what was searched.

The date after a page is that of the copy, or the commit that was read; *undated* copies state none. A scheduled workflow names the
rows that are older than a year: \`node scripts/check-provider-reviews.mjs\`.

| Id | Result | Compared | Read | On | Notes |
| --- | --- | --- | --- | --- | --- |
`

/** @returns The page, from the modules in a folder. */
export async function providersPage(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const modules = await Promise.all(files.sort().map((file) => import(pathToFileURL(join(folder, file)).href)))
  const configs = modules.map(({ default: factory }) => getConfig(factory)).filter(isListed)
  const without = configs.map(({ id }) => id).filter((id) => !hasLogo(id))
  const text = head
    .replace('WITHOUT_LOGO', without.map((id) => `\`${id}\``).join(', '))
    .replace('PROVEN\n', () => `${formatProven()}\n`)
  const table = (format) => configs.map((config) => `${format(config)}\n`).join('')
  return `${text}${table(formatLine)}${comparisons}${table(formatReview)}${identityServersSection()}${quirksSection(root)}`
}
