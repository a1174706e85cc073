import { DatabaseSync } from 'node:sqlite'
import type { BrowserResponse } from '@postern/testkit'
import { declareTests } from './checks.ts'
import { installPackages } from './packages.ts'
import type { Addresses } from './site.ts'
import type { Visitor } from './visitor.ts'
import { type Handler, serve } from './web-server.ts'

const version = '1.7.25'
const secret = 'a secret of the server, 32 characters or more'
const account = { email: 'ada@example.com', password: 'the password of Ada' }

/** A client as it is created. */
interface Client {
  readonly client_id: string
  readonly client_secret: string
}

interface Server {
  readonly handler: Handler
  readonly options: object
  readonly api: {
    readonly signUpEmail: (call: { body: object; asResponse: true }) => Promise<Response>
    readonly adminCreateOAuthClient: (call: { body: object; headers: Headers }) => Promise<Client>
  }
}

/** The functions of its modules, as far as they are used here. */
interface Modules {
  readonly betterAuth: (options: object) => Server
  readonly jwt: () => unknown
  readonly oauthProvider: (options: object) => unknown
  readonly getMigrations: (options: object) => Promise<{ readonly runMigrations: () => Promise<void> }>
}

async function load(): Promise<Modules> {
  const load = await installPackages('better-auth', { 'better-auth': version, '@better-auth/oauth-provider': '1.7.5' })
  const names = ['better-auth', 'better-auth/plugins/jwt', '@better-auth/oauth-provider', 'better-auth/db/migration']
  return Object.assign({}, ...(await Promise.all(names.map(load))))
}

async function createServer(baseURL: string, database: DatabaseSync): Promise<Server> {
  const { betterAuth, jwt, oauthProvider, getMigrations } = await load()
  const server = betterAuth({
    baseURL,
    secret,
    database,
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    disabledPaths: ['/token'],
    plugins: [jwt(), oauthProvider({ loginPage: '/sign-in', consentPage: '/consent' })]
  })
  await (await getMigrations(server.options)).runMigrations()
  return server
}

async function createClient(server: Server, database: DatabaseSync, site: Addresses): Promise<Client> {
  const signedUp = await server.api.signUpEmail({ body: { ...account, name: 'Ada' }, asResponse: true })
  const cookie = signedUp.headers.getSetCookie().map((text) => text.replace(/;.*/, ''))
  const client = await server.api.adminCreateOAuthClient({
    headers: new Headers({ cookie: cookie.join('; ') }),
    body: {
      redirect_uris: ['https://app.test/'],
      post_logout_redirect_uris: ['https://app.test/'],
      enable_end_session: true,
      skip_consent: true,
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid profile email offline_access'
    }
  })
  // The server registers only addresses of the Internet, so that those of this application are written to its table.
  database
    .prepare('UPDATE oauthClient SET redirectUris = ?, postLogoutRedirectUris = ?, backchannelLogoutUri = ?')
    .run(JSON.stringify([site.redirectUri]), JSON.stringify([site.signOutUri]), site.backchannelLogoutUri)
  return client
}

/** What the script of a sign-in page sends. */
async function act(visitor: Visitor, { url, body }: BrowserResponse): Promise<BrowserResponse> {
  const { origin, pathname, search } = new URL(url)
  if (pathname !== '/sign-in') throw new Error(`better-auth: ${url}: ${body}`)
  const signedIn = await visitor.send('POST', `${origin}/api/auth/sign-in/email`, {
    ...account,
    oauth_query: search.slice(1)
  })
  return visitor.open(new URL(signedIn.json<{ url: string }>().url, origin).href)
}

declareTests({
  name: 'better-auth',
  version,
  user: { name: 'Ada', email: account.email },
  offers: { refresh: true, signOut: true, backchannelLogout: true, fresh: 'always' },
  start: async (t, site) => {
    const database = new DatabaseSync(':memory:')
    let client: Client | null = null
    const url = await serve(t, async (origin) => {
      const server = await createServer(origin, database)
      client = await createClient(server, database, site)
      return (request) =>
        new URL(request.url).pathname.startsWith('/api/auth/') ? server.handler(request) : new Response('Sign in')
    })
    const { client_id: clientId, client_secret: clientSecret } = Object(client)
    const authorization = { params: { scope: 'openid profile email offline_access' } }
    return {
      provider: { issuer: `${url}/api/auth`, clientId, clientSecret, authorization },
      act,
      leave: (visitor) => visitor.send('POST', `${url}/api/auth/sign-out`, {})
    }
  }
})
