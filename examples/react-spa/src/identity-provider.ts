import { generateKeyPair, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { type Configuration, type Grant, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { listen } from './listen.ts'

export interface IdentityProvider {
  /** `http://localhost:3101`. */
  readonly issuer: string
  readonly close: () => Promise<void>
}

/** The client of this provider. */
export interface Client {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

const people: Readonly<Record<string, string>> = { ada: 'Ada Lovelace', grace: 'Grace Hopper' }

/** Starts an OpenID Provider with two users, who sign in with a click. All state is in memory. */
export async function startIdentityProvider(port: number, client: Client): Promise<IdentityProvider> {
  const server = createServer()
  const { port: taken, close } = await listen(server, port)
  const issuer = `http://localhost:${taken}`
  const provider = new Provider(issuer, await configure(client))
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response)
    interact(provider, request, response).catch((error: unknown) => {
      response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error))
    })
  })
  return { issuer, close }
}

async function configure({ clientId, clientSecret, redirectUri }: Client): Promise<Configuration> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256'
      }
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 3600, Session: 3600 },
    clientBasedCORS: () => false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, name: people[id], email: `${id}@example.com`, email_verified: true })
    }),
    loadExistingGrant: grantEverything
  }
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

/** The login page, and its form submission. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { uid } = await provider.interactionDetails(request, response)
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const accountId = searchParams.get('person')
  if (accountId && Object.hasOwn(people, accountId)) {
    return provider.interactionFinished(request, response, { login: { accountId, remember: false } })
  }
  const links = Object.entries(people).map(
    ([id, name]) => `<p><a href="/interaction/${uid}?person=${id}">${name}</a></p>`
  )
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    .end(`<!doctype html><title>Identity provider</title><h1>Who are you?</h1>${links.join('')}`)
}
