import { generateKeyPairSync } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import {
  createPostern,
  type OAuthConfig,
  type TokenRequestContext,
  type TokenSet,
  type UserinfoRequestContext
} from '@postern/core'
import { createIssuer, createMailbox } from '@postern/testkit'
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import t, { type Test } from 'tap'
import { createLog, origin, secret } from '../postern.ts'
import { type SignInMethods, startTestSite, type TestOptions } from '../ways.ts'

/** An option that has an effect, or one that is refused at registration. */
type Row = { readonly option: string } & (
  | { readonly works: (t: Test) => Promise<unknown> }
  | { readonly given: object; readonly message: RegExp }
)

const at = 'https://issuer.test'

type Request = (context: TokenRequestContext) => Promise<{ tokens: TokenSet }>

/** Without discovery, the signing algorithm of ID Tokens is unknown. */
const signed = { issuer: at, idToken: true, client: { id_token_signed_response_alg: 'ES256' } }
/** The issuer as an OAuth server without discovery. */
const plain: Partial<OAuthConfig> = {
  type: 'oauth',
  issuer: undefined,
  authorization: `${at}/authorize?scope=openid%20email%20profile`,
  token: `${at}/token`,
  userinfo: `${at}/userinfo`,
  idToken: false,
  profile: ({ sub, name, email }: Record<string, string>) => ({ id: sub ?? '', name, email })
}

/** Signs in, and returns the user. */
async function signIn(overrides: TestOptions) {
  const site = await startTestSite(t, overrides)
  const browser = site.browser()
  const response = await site.byIssuer(browser)
  const session = await browser.json<{ user?: Record<string, unknown> }>('/api/auth/session')
  return { ...site, reply: response, session, user: session.user ?? null }
}

/** The URL that a sign-in redirects to. */
async function requested(overrides: TestOptions): Promise<URL> {
  const site = await startTestSite(t, overrides)
  return new URL((await site.browser().submit('/api/auth/signin/demo', {})).location ?? '')
}

const sentTo = ({ issuer }: Pick<SignInMethods, 'issuer'>, path: string): readonly string[] =>
  issuer.requests
    .filter(({ url }) => url === at + path)
    .map(({ method, headers, body }) => `${method} ${headers['authorization'] ?? ''} ${body}`)

const rows: readonly Row[] = [
  {
    option: 'id',
    works: async (t) => {
      const site = await startTestSite(t, { oauth: { options: { id: 'other' } } })
      t.match(await site.browser().json('/api/auth/providers'), { other: { id: 'other', name: 'Demo' } })
    }
  },
  {
    option: 'name',
    works: async (t) => {
      const site = await startTestSite(t, { oauth: { name: 'Another' } })
      t.match(await site.browser().json('/api/auth/providers'), { demo: { name: 'Another' } })
    }
  },
  { option: 'type', given: { type: 'saml' }, message: /type: expected oauth, oidc, email or credentials/ },
  {
    option: 'options',
    works: async (t) => {
      const authorization = { url: `${at}/authorize`, params: { scope: 'openid', prompt: 'login', display: 'page' } }
      const options = { clientId: 'mine', authorization: { params: { prompt: 'consent' } }, checks: ['pkce'] }
      const url = await requested({
        oauth: { ...plain, authorization, clientId: 'factory', checks: ['none'], options }
      })
      t.match(Object.fromEntries(url.searchParams), {
        client_id: 'mine',
        prompt: 'consent',
        display: 'page',
        code_challenge: String
      })
    }
  },
  {
    option: 'wellKnown',
    works: async (t) => {
      const { user, issuer } = await signIn({
        instances: 1,
        oauth: {
          type: 'oauth',
          issuer: undefined,
          wellKnown: `${at}/.well-known/openid-configuration`,
          authorization: { params: { scope: 'openid email profile' } }
        }
      })
      t.match(user, { name: 'Ada Lovelace' })
      t.equal(sentTo({ issuer }, '/.well-known/openid-configuration').length, 1)
    }
  },
  {
    option: 'issuer',
    works: async (t) => {
      t.match((await signIn({})).user, { name: 'Ada Lovelace' })
      const { reply: response, user } = await signIn({
        oauth: { ...plain, issuer: 'https://another.test', jwks_endpoint: `${at}/jwks`, idToken: true }
      })
      t.match(response.location, /error=OAuthCallback/, 'and no other')
      t.equal(user, null)
    }
  },
  {
    option: 'jwks_endpoint',
    works: async (t) => {
      const { user, issuer } = await signIn({
        oauth: { ...plain, ...signed, jwks_endpoint: `${at}/jwks` }
      })
      t.match(user, { name: 'Ada Lovelace' })
      t.same(
        [sentTo({ issuer }, '/jwks').length, sentTo({ issuer }, '/.well-known/openid-configuration').length],
        [1, 0]
      )
    }
  },
  {
    option: 'jwks',
    works: async (t) => {
      const { jwks } = createIssuer()
      const { user, issuer } = await signIn({
        oauth: { ...plain, ...signed, jwks: { keys: jwks.keys.map((key) => ({ ...key, kty: key.kty ?? '' })) } }
      })
      t.match(user, { name: 'Ada Lovelace' })
      t.equal(sentTo({ issuer }, '/jwks').length, 0, 'nothing was fetched')
      const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
      const other = await signIn({ oauth: { ...plain, ...signed, jwks: { keys: [{ ...foreign, kty: 'EC' }] } } })
      t.match(other.reply.location, /error=OAuthCallback/, 'a key that did not sign')
    }
  },
  {
    option: 'jwks (of a wrong shape)',
    given: { jwks: { keys: ['text'] } },
    message: /jwks: expected \{keys: \[…\]\} with JSON Web Keys/
  },
  {
    option: 'authorization (text)',
    works: async (t) => {
      const url = await requested({ oauth: { ...plain, authorization: `${at}/authorize?scope=openid&prompt=login` } })
      t.match(Object.fromEntries(url.searchParams), { scope: 'openid', prompt: 'login' })
    }
  },
  {
    option: 'authorization.params',
    works: async (t) => {
      const claims = { id_token: { email: null } }
      const url = await requested({
        oauth: { authorization: { params: { scope: 'openid x', max_age: 5, claims, nothing: undefined } } }
      })
      t.match(Object.fromEntries(url.searchParams), { scope: 'openid x', max_age: '5', claims: JSON.stringify(claims) })
      t.notOk(url.searchParams.has('nothing'))
    }
  },
  {
    option: 'authorization.request',
    given: { authorization: { url: `${at}/authorize`, request: () => null } },
    message: /authorization\.request: unknown option/
  },
  {
    option: 'token.url',
    works: async (t) => {
      const { user } = await signIn({ oauth: { ...plain, token: { url: `${at}/token` } } })
      t.match(user, { name: 'Ada Lovelace' })
    }
  },
  {
    option: 'token.params',
    works: async (t) => {
      const methods = await signIn({ oauth: { ...plain, token: { url: `${at}/token`, params: { tenant: 'mine' } } } })
      t.match(sentTo(methods, '/token')[0], /tenant=mine/)
    }
  },
  {
    option: 'token.request',
    works: async (t) => {
      let context: unknown
      const request: Request = async (given) => {
        context = given
        const { client, provider, params, checks } = given
        return { tokens: await client.oauthCallback(provider.callbackUrl, params, checks) }
      }
      const { user } = await signIn({
        oauth: {
          ...plain,
          token: { url: `${at}/token`, params: { more: 'x' }, request },
          options: { ownTenant: 'x' }
        }
      })
      t.match(user, { name: 'Ada Lovelace' })
      t.match(context, {
        provider: {
          id: 'demo',
          clientId: 'client',
          clientSecret: 'secret',
          callbackUrl: `${origin}/api/auth/callback/demo`,
          signinUrl: `${origin}/api/auth/signin/demo`,
          ownTenant: 'x',
          token: { url: `${at}/token` }
        },
        params: { code: String, more: 'x' },
        checks: { code_verifier: String, state: String },
        client: { userinfo: Function, callback: Function, oauthCallback: Function, grant: Function }
      })
    }
  },
  {
    option: 'token.request (with an ID Token)',
    works: async (t) => {
      const request: Request = async ({ client, provider, params, checks }) => {
        return { tokens: await client.callback(provider.callbackUrl, params, checks) }
      }
      t.match((await signIn({ oauth: { token: { request } } })).user, { name: 'Ada Lovelace' })
      const forged: Request = async (given) => {
        const { tokens } = await request(given)
        const [head, , signature] = String(tokens.id_token).split('.')
        const payload = Buffer.from(JSON.stringify({ iss: at, aud: 'client', sub: 'eve', exp: 4e9, iat: 1 })).toString(
          'base64url'
        )
        return { tokens: { ...tokens, id_token: [head, payload, signature].join('.') } }
      }
      const { reply: response } = await signIn({ oauth: { token: { request: forged } } })
      t.match(response.location, /error=OAuthCallback/, 'one that the provider did not sign')
    }
  },
  {
    option: 'token.request (client.grant)',
    works: async (t) => {
      const request: Request = async ({ client, provider, params, checks }) => {
        const grant = {
          grant_type: 'authorization_code',
          code: String(params['code']),
          redirect_uri: provider.callbackUrl,
          code_verifier: checks['code_verifier'] ?? ''
        }
        return { tokens: await client.grant(grant) }
      }
      t.match((await signIn({ oauth: { ...plain, token: { url: `${at}/token`, request } } })).user, {
        name: 'Ada Lovelace'
      })
    }
  },
  {
    option: 'token.conform',
    works: async (t) => {
      const conform = async (response: Response): Promise<Response> =>
        Response.json({ ...Object(await response.json()), scope: ['a', 'b'] })
      const adapter = memoryAdapter()
      const { user } = await signIn({ adapter, oauth: { ...plain, token: { url: `${at}/token`, conform } } })
      const found = await adapter.getUserByEmail?.('ada@example.com')
      t.match(user, { name: 'Ada Lovelace' })
      t.match(await adapter.getAccounts?.(found?.id ?? ''), [{ scope: 'a b' }], 'a list of scopes is one text')
    }
  },
  {
    option: 'userinfo (text)',
    works: async (t) => {
      const methods = await signIn({ oauth: plain })
      t.match(methods.user, { name: 'Ada Lovelace' })
      t.match(sentTo(methods, '/userinfo'), [/^GET Bearer /])
    }
  },
  {
    option: 'userinfo.params',
    works: async (t) => {
      const methods = await signIn({
        oauth: { ...plain, userinfo: { url: `${at}/userinfo`, params: { fields: 'id,name' } } }
      })
      t.equal(sentTo(methods, '/userinfo?fields=id%2Cname').length, 1)
    }
  },
  {
    option: 'userinfo.request',
    works: async (t) => {
      let context: unknown
      const request = async (given: UserinfoRequestContext): Promise<Record<string, unknown>> => {
        context = given
        const { client, tokens } = given
        return {
          ...(await client.userinfo(tokens, { params: { a: 'b' } })),
          more: (await client.userinfo(tokens.access_token)).email
        }
      }
      const seen: unknown[] = []
      const profile = (raw: Record<string, string>, tokens: unknown): { id: string } => {
        seen.push(raw, tokens)
        return { id: raw['sub'] ?? '' }
      }
      const methods = await signIn({ oauth: { ...plain, userinfo: { url: `${at}/userinfo`, request }, profile } })
      t.match(context, {
        provider: { id: 'demo', userinfo: { url: `${at}/userinfo` } },
        tokens: { access_token: String, expires_at: Number }
      })
      t.match(seen, [
        { sub: 'ada', more: 'ada@example.com' },
        { access_token: String, token_type: 'Bearer' }
      ])
      t.equal(sentTo(methods, '/userinfo?a=b').length, 1)
    }
  },
  {
    option: 'userinfo.conform',
    given: { userinfo: { url: `${at}/userinfo`, conform: () => null } },
    message: /userinfo\.conform: unknown option/
  },
  {
    option: 'version (1.0a)',
    given: { version: '1.0A', accessTokenUrl: at, requestTokenUrl: at, profileUrl: at, encoding: 'HMAC-SHA1' },
    message: /version: OAuth 1\.0a is not supported/
  },
  {
    option: 'version (2.0)',
    works: async (t) => {
      t.match((await signIn({ oauth: { ...plain, version: '2.0' } })).user, { name: 'Ada Lovelace' })
    }
  },
  {
    option: 'profile',
    works: async (t) => {
      const profile = async (claims: Record<string, string>) => ({
        id: 7,
        name: claims['name']?.toUpperCase(),
        email: 'ADA@Example.com',
        image: null,
        role: 'admin'
      })
      const adapter = memoryAdapter()
      const { session } = await signIn({
        adapter,
        oauth: { profile },
        session: { strategy: 'jwt' },
        callbacks: {
          jwt: ({ token, user }) => ({ ...token, ...(user ? { stored: user } : {}) }),
          session: ({ session, token }) => ({ ...session, stored: token?.['stored'] })
        }
      })
      t.match(session, { user: { name: 'ADA LOVELACE', email: 'ada@example.com' } }, 'the address is in lower case')
      t.match(
        await adapter.getUserByAccount?.({ provider: 'demo', providerAccountId: '7' }),
        { name: 'ADA LOVELACE' },
        'a number is an id'
      )
    }
  },
  {
    option: 'account',
    works: async (t) => {
      const adapter = memoryAdapter()
      const account = ({ access_token }: TokenSet) => ({ access_token: access_token?.slice(0, 1), scope: 'mine' })
      await signIn({ adapter, oauth: { account } })
      const user = await adapter.getUserByEmail?.('ada@example.com')
      const [row] = (await adapter.getAccounts?.(user?.id ?? '')) ?? []
      t.match(row, { scope: 'mine', access_token: /^.$/, provider: 'demo', providerAccountId: 'ada' })
      t.notOk(row?.id_token)
    }
  },
  {
    option: 'checks',
    works: async (t) => {
      const parameters = async (checks: OAuthConfig['checks']) => [
        ...(await requested({ oauth: { ...plain, checks } })).searchParams.keys()
      ]
      const always = ['client_id', 'scope', 'response_type', 'redirect_uri', 'state']
      t.same(await parameters(undefined), [...always, 'code_challenge', 'code_challenge_method'], 'all that protects')
      t.same(await parameters('none'), always, 'state in any case')
      t.same(await parameters(['pkce', 'state', 'nonce']), [...always, 'code_challenge', 'code_challenge_method'])
      t.ok((await requested({})).searchParams.has('nonce'), 'nonce with OpenID Connect')
    }
  },
  {
    option: 'checks (of no such name)',
    given: { checks: ['pcke'] },
    message: /checks: expected pkce, state, nonce, none/
  },
  ...(['client_secret_basic', 'client_secret_post'] as const).map(
    (method): Row => ({
      option: `client.token_endpoint_auth_method (${method})`,
      works: async (t) => {
        const methods = await signIn({ oauth: { client: { token_endpoint_auth_method: method } } })
        t.match(methods.user, { name: 'Ada Lovelace' })
        t.match(sentTo(methods, '/token'), [method === 'client_secret_basic' ? /^POST Basic / : /client_secret=secret/])
      }
    })
  ),
  {
    option: 'client.token_endpoint_auth_method (none)',
    works: async (t) => {
      const oauth = { clientSecret: undefined, client: { token_endpoint_auth_method: 'none' } }
      const methods = await signIn({ issuer: { clientSecret: null }, oauth })
      t.match(methods.user, { name: 'Ada Lovelace' })
    }
  },
  ...(['private_key_jwt', 'client_secret_jwt'] as const).map(
    (method): Row => ({
      option: `client.token_endpoint_auth_method (${method})`,
      works: async (t) => {
        const issuer = createIssuer({ clientSecret: null })
        const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        const key = { ...pair.privateKey.export({ format: 'jwk' }), kty: 'EC', kid: 'ours', alg: 'ES256' }
        const shared = 'a secret that both sides know, long enough for HS256'
        const assertions: string[] = []
        const fetch = (url: string, init?: RequestInit): Promise<Response> => {
          const form = new URLSearchParams(String(init?.body ?? ''))
          const assertion = form.get('client_assertion')
          if (!url.endsWith('/token') || !assertion) return issuer.fetch(url, init)
          assertions.push(assertion)
          return issuer.fetch(url, { ...init, body: `${form}&client_id=client` })
        }
        const site = await startTestSite(t, {
          oauth: {
            clientSecret: method === 'client_secret_jwt' ? shared : undefined,
            client: { token_endpoint_auth_method: method },
            jwks: { keys: [key] }
          },
          runtime: { fetch }
        })
        const browser = site.browser()
        const firstResponse = await browser.submit('/api/auth/signin/demo', {})
        t.equal(
          (
            await browser.open(await issuer.authorize(firstResponse.location ?? ''), {
              headers: { 'sec-fetch-site': 'cross-site' }
            })
          ).location,
          origin
        )
        const verifying =
          method === 'private_key_jwt'
            ? await importJWK({ ...pair.publicKey.export({ format: 'jwk' }), kty: 'EC' }, 'ES256')
            : new TextEncoder().encode(shared)
        const { payload } = await jwtVerify(assertions[0] ?? '', verifying)
        t.match(payload, { iss: 'client', sub: 'client' })
        t.equal(decodeProtectedHeader(assertions[0] ?? '').kid, method === 'private_key_jwt' ? 'ours' : undefined)
      }
    })
  ),
  {
    option: 'client.token_endpoint_auth_method (of no such name)',
    given: { client: { token_endpoint_auth_method: 'tls_client_auth' } },
    message: /token_endpoint_auth_method: expected client_secret_basic, client_secret_post/
  },
  {
    option: 'client.token_endpoint_auth_method (without its key)',
    given: { client: { token_endpoint_auth_method: 'private_key_jwt' } },
    message: /client\.privateKey: expected the key/
  },
  {
    option: 'client.id_token_signed_response_alg',
    works: async (t) => {
      const clientSecret = 'a secret that both sides know, long enough for HS256'
      for (const [alg, isSigned] of [
        ['HS256', true],
        ['ES256', false]
      ] as const) {
        const site = await startTestSite(t, {
          issuer: { clientSecret },
          oauth: { client: { id_token_signed_response_alg: alg } }
        })
        site.issuer.faults.hs256 = true
        const response = await site.byIssuer(site.browser())
        t.equal(response.location === origin, isSigned, `registered for ${alg}, signed with the secret`)
      }
      const site = await startTestSite(t, { issuer: { clientSecret } })
      site.issuer.faults.hs256 = true
      t.match((await site.byIssuer(site.browser())).location, /error=OAuthCallback/, 'no token chooses it')
    }
  },
  {
    option: 'client.userinfo_signed_response_alg',
    works: async (t) => {
      const { user } = await signIn({ oauth: { client: { userinfo_signed_response_alg: 'ES256' } } })
      t.match(user, { name: 'Ada Lovelace' })
    }
  },
  {
    option: 'client.response_types',
    given: { client: { response_types: ['code id_token'] } },
    message: /client\.response_types: expected \['code'\]/
  },
  {
    option: 'client.client_id',
    given: { client: { client_id: 'x' } },
    message: /client\.client_id: set clientId instead/
  },
  {
    option: 'client.id_token_encrypted_response_alg',
    given: { client: { id_token_encrypted_response_alg: 'RSA-OAEP' } },
    message: /encrypted responses are not supported/
  },
  {
    option: 'client (of no such name)',
    given: { client: { token_endpoint_auth_metod: 'none' } },
    message: /did you mean providers\.demo\.client\.token_endpoint_auth_method\?/
  },
  {
    option: 'clientId',
    given: { clientId: undefined },
    message: /clientId: expected a string, got nothing; pass clientId or set AUTH_DEMO_ID/
  },
  {
    option: 'clientSecret',
    works: async (t) => {
      t.match((await signIn({ oauth: { clientSecret: 'wrong' } })).reply.location, /error=OAuthCallback/)
    }
  },
  {
    option: 'idToken',
    works: async (t) => {
      const methods = await signIn({ oauth: { idToken: false } })
      t.match(methods.user, { name: 'Ada Lovelace' })
      t.equal(sentTo(methods, '/userinfo').length, 1, 'the profile is userinfo')
      t.equal(sentTo(methods, '/jwks').length, 1, 'and the ID Token is verified anyway')
      const mixed = await startTestSite(t, { oauth: { idToken: false } })
      mixed.issuer.faults.userinfoWrongSub = true
      t.match((await mixed.byIssuer(mixed.browser())).location, /error=OAuthCallback/, 'of no other user')
    }
  },
  {
    option: 'region',
    works: async (t) => {
      t.match(
        (await signIn({ oauth: { options: { region: 'eu' } } })).user,
        { name: 'Ada Lovelace' },
        'is ignored, as in next-auth'
      )
    }
  },
  {
    option: 'httpOptions.timeout',
    works: async (t) => {
      const given: number[] = []
      const issuer = createIssuer()
      const fetch = (url: string, init: RequestInit, { timeout }: { timeout: number }): Promise<Response> => {
        given.push(timeout)
        return issuer.fetch(url, init)
      }
      for (const httpOptions of [{ timeout: 1234 }, undefined]) {
        const site = await startTestSite(t, { oauth: { httpOptions }, runtime: { fetch } })
        await site.browser().submit('/api/auth/signin/demo', {})
      }
      t.same(given, [1234, 5000], 'for each provider separately')
    }
  },
  {
    option: 'httpOptions.agent',
    given: { httpOptions: { agent: {} } },
    message: /httpOptions\.agent: an agent requires a custom fetch/
  },
  {
    option: 'customFetch',
    works: async (t) => {
      const urls: string[] = []
      const methods: { issuer?: SignInMethods['issuer'] } = {}
      const fetch = async (url: string, init: RequestInit): Promise<Response> => {
        urls.push(new URL(url).pathname)
        return methods.issuer?.fetch(url, init) ?? Response.error()
      }
      for (const oauth of [{ [Symbol('custom-fetch')]: fetch }, { options: { [Symbol('custom-fetch')]: fetch } }]) {
        const started = await startTestSite(t, {
          oauth,
          runtime: { fetch: () => Promise.reject(new Error('not through here')) }
        })
        methods.issuer = started.issuer
        t.equal((await started.byIssuer(started.browser())).location, origin)
      }
      t.same([...new Set(urls)], ['/.well-known/openid-configuration', '/token', '/jwks'])
    }
  },
  {
    option: 'style',
    works: async (t) => {
      for (const style of [
        { logo: '/github.svg', bg: '#24292f', text: '#fff', logoDark: '/x.svg', bgDark: '#000', textDark: '#fff' },
        {}
      ])
        t.equal((await (await startTestSite(t, { oauth: { style } })).browser().open('/api/auth/signin')).status, 200)
    }
  },
  {
    option: 'allowDangerousEmailAccountLinking',
    works: async (t) => {
      for (const [allowDangerousEmailAccountLinking, location] of [
        [true, /^https:\/\/app\.test$/],
        [false, /error=OAuthAccountNotLinked/]
      ] as const) {
        const adapter = memoryAdapter()
        const user = await adapter.createUser?.({ email: 'ada@example.com', emailVerified: new Date() })
        await adapter.linkAccount?.({
          userId: user?.id ?? '',
          provider: 'other',
          providerAccountId: '1',
          type: 'oauth'
        })
        const { reply: response } = await signIn({ adapter, oauth: { allowDangerousEmailAccountLinking } })
        t.match(response.location, location)
      }
    }
  },
  {
    option: 'allowInsecureRequests',
    works: async (t) => {
      const insecure = { ...plain, authorization: 'http://localhost:1/authorize?scope=openid' }
      const provider = (more: object) => ({
        id: 'demo',
        name: 'Demo',
        type: 'oauth' as const,
        clientId: 'x',
        clientSecret: 'y',
        ...insecure,
        ...more
      })
      const environment = { NODE_ENV: 'production' }
      t.throws(
        () => createPostern({ url: origin, secret, providers: [provider({})] }, environment),
        /authorization: expected an https address, got http; allowInsecureRequests: true allows it/
      )
      for (const more of [{ allowInsecureRequests: true }, { allowInsecure: true }])
        t.doesNotThrow(() => createPostern({ url: origin, secret, providers: [provider(more)] }, environment))
    }
  },
  {
    option: 'redirectProxyUrl',
    given: { redirectProxyUrl: at },
    message: /redirectProxyUrl: not supported; register the redirect URI of every deployment/
  },
  {
    option: 'signinUrl, callbackUrl',
    works: async (t) => {
      const url = await requested({ oauth: { options: { signinUrl: `${at}/x`, callbackUrl: `${at}/y` } } })
      t.equal(
        url.searchParams.get('redirect_uri'),
        `${origin}/api/auth/callback/demo`,
        'Postern’s in any case, as in next-auth'
      )
    }
  }
]

for (const row of rows) {
  t.test(`${row.option}${'message' in row ? ' is reported as invalid' : ''}`, async (t) => {
    if ('works' in row) return row.works(t)
    const provider = {
      id: 'demo',
      name: 'Demo',
      type: 'oidc' as const,
      issuer: at,
      clientId: 'client',
      clientSecret: 'secret',
      ...row.given
    }
    t.throws(
      () => createPostern({ url: origin, secret, providers: [provider], logger: createLog().logger }),
      row.message
    )
    return undefined
  })
}

t.test('every option of the reference is walked', async (t) => {
  const reference = [
    ...[
      'id',
      'name',
      'type',
      'options',
      'wellKnown',
      'issuer',
      'jwks_endpoint',
      'authorization',
      'token',
      'userinfo',
      'version'
    ],
    ...['profile', 'checks', 'client', 'jwks', 'clientId', 'clientSecret', 'idToken', 'region', 'httpOptions', 'style'],
    ...[
      'allowDangerousEmailAccountLinking',
      'signinUrl',
      'account',
      'customFetch',
      'allowInsecureRequests',
      'redirectProxyUrl'
    ]
  ]
  const walked = new Set(rows.map(({ option }) => option.split(/[. ,]/)[0] ?? ''))
  t.same([...walked].sort(), [...reference].sort())
  t.ok(createMailbox())
})

t.test(
  'callbacks receive the whole token response; the row has the standard fields, or the result of account',
  async (t) => {
    for (const account of [undefined, (tokens: TokenSet) => tokens]) {
      const logged: unknown[] = []
      const stored: unknown[] = []
      const { createUserWithAccount: _, transact: __, ...memory } = memoryAdapter()
      const linkAccount: typeof memory.linkAccount = async (row) => {
        stored.push(row)
        return memory.linkAccount(row)
      }
      const adapter = { ...memory, linkAccount }
      const conform = async (response: Response): Promise<Response> =>
        Response.json({ ...Object(await response.json()), refresh_token_expires_in: 7 })
      const events = { signIn: ({ account }: { account: object }) => void logged.push(account) }
      const { reply: response } = await signIn({
        adapter,
        events,
        oauth: { ...plain, account, token: { url: `${at}/token`, conform } }
      })
      t.equal(response.location, origin)
      t.match(logged, [{ refresh_token_expires_in: 7 }])
      t.equal(Object(stored[0]).refresh_token_expires_in, account ? 7 : undefined)
      t.match(stored, [{ access_token: String, provider: 'demo' }])
    }
  }
)
