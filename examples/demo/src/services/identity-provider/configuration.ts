import { randomBytes } from 'node:crypto'
import { type Configuration, type Grant, interactionPolicy, type JWKS, type KoaContextWithOIDC } from 'oidc-provider'
import { html, type Markup, page, pageHeaders, trusted } from '../markup.ts'
import { findPerson, picturePath } from './people.ts'
import { createStore } from './store.ts'

/** The client of this provider. */
export interface Client {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUris: readonly string[]
}

const hour = 3600

/** A complete configuration, so that the provider neither guesses nor warns. */
export function configure(issuer: string, client: Client, jwks: JWKS): Configuration {
  return {
    adapter: createStore(),
    clients: [toMetadata(client)],
    jwks,
    cookies: { keys: [randomBytes(32).toString('hex')] },
    scopes: ['openid', 'profile', 'email'],
    claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      Grant: 24 * hour,
      IdToken: hour,
      Interaction: hour,
      Session: hour
    },
    clientBasedCORS: () => false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: askToSignOut, postLogoutSuccessSource: renderSignedOut }
    },
    interactions: { policy: alwaysAsk(), url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => {
      const person = findPerson(id)
      if (!person) return undefined
      const { name, email } = person
      const picture = `${issuer}${picturePath(person)}`
      return { accountId: id, claims: async () => ({ sub: id, name, picture, email, email_verified: true }) }
    },
    loadExistingGrant: grantEverything,
    renderError: (context, { error, error_description: description }) =>
      show(context, 'Something is wrong', html`<h1>${error}</h1><p>${description ?? 'No more is known.'}</p>`)
  }
}

function toMetadata({ clientId, clientSecret, redirectUris }: Client) {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [...redirectUris],
    post_logout_redirect_uris: [...new Set(redirectUris.map((uri) => new URL('/', uri).href))],
    grant_types: ['authorization_code'],
    // The ID Token states when the user signed in, so that the account pages need no second sign-in for changes.
    require_auth_time: true,
    response_types: ['code' as const]
  }
}

/** Always shows the login page, even in a browser that signed in before; `prompt=none` still works. */
function alwaysAsk(): interactionPolicy.DefaultPolicy {
  const { Check, base } = interactionPolicy
  const policy = base()
  policy
    .get('login')
    ?.checks.add(
      new Check('choose', 'the visitor chooses a test user', ({ oidc }) =>
        oidc.result?.login || oidc.prompts.has('none') ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
      )
    )
  return policy
}

/** There is only a first-party client, so no consent is required. */
async function grantEverything({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const clientId = oidc.client?.clientId
  const accountId = oidc.session?.accountId
  if (!clientId || !accountId) return undefined
  const grant = new oidc.provider.Grant({ clientId, accountId })
  grant.addOIDCScope('openid profile email')
  await grant.save()
  return grant
}

function show(context: KoaContextWithOIDC, title: string, body: Markup): void {
  context.set({ ...pageHeaders })
  context.body = page(title, body, 'narrow')
}

function askToSignOut(context: KoaContextWithOIDC, form: string): void {
  show(
    context,
    'Sign out',
    html`<h1>Sign out of the identity provider?</h1>
${trusted(form)}
<form>
<button type="submit" form="op.logoutForm" name="logout" value="yes">Yes, sign out</button>
<button type="submit" form="op.logoutForm" class="plain">No, stay signed in</button>
</form>`
  )
}

function renderSignedOut(context: KoaContextWithOIDC): void {
  show(context, 'Signed out', html`<h1>Signed out</h1><p>You are signed out of the identity provider.</p>`)
}
