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
import { startWays, type Ways, type Wishes } from '../ways.ts'

/** An option that does something, or one that is told at registration to be none. */
type Row = { readonly option: string } & (
  | { readonly works: (t: Test) => Promise<unknown> }
  | { readonly given: object; readonly told: RegExp }
)

const at = 'https://issuer.test'

type Request = (context: TokenRequestContext) => Promise<{ tokens: TokenSet }>

/** Without discovery nothing says how ID Tokens are signed. */
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

/** Signs in, and tells who came of it. */
async function enter(wishes: Wishes) {
  const ways = await startWays(t, wishes)
  const browser = ways.browser()
  const answer = await ways.byIssuer(browser)
  const session = await browser.json<{ user?: Record<string, unknown> }>('/api/auth/session')
  return { ...ways, answer, session, user: session.user ?? null }
}

/** Where a sign-in is sent to. */
async function asked(wishes: Wishes): Promise<URL> {
  const ways = await startWays(t, wishes)
  return new URL((await ways.browser().submit('/api/auth/signin/demo', {})).location ?? '')
}

const sentTo = ({ issuer }: Pick<Ways, 'issuer'>, path: string): readonly string[] =>
  issuer.requests
    .filter(({ url }) => url === at + path)
    .map(({ method, headers, body }) => `${method} ${headers['authorization'] ?? ''} ${body}`)

const rows: readonly Row[] = [
  {
    option: 'id',
    works: async (t) => {
      const ways = await startWays(t, { oauth: { options: { id: 'other' } } })
      t.match(await ways.browser().json('/api/auth/providers'), { other: { id: 'other', name: 'Demo' } })
    }
  },
  {
    option: 'name',
    works: async (t) => {
      const ways = await startWays(t, { oauth: { name: 'Another' } })
      t.match(await ways.browser().json('/api/auth/providers'), { demo: { name: 'Another' } })
    }
  },
  { option: 'type', given: { type: 'saml' }, told: /type: expected oauth, oidc, email or credentials/ },
  {
    option: 'options',
    works: async (t) => {
      const authorization = { url: `${at}/authorize`, params: { scope: 'openid', prompt: 'login', display: 'page' } }
      const options = { clientId: 'mine', authorization: { params: { prompt: 'consent' } }, checks: ['pkce'] }
      const url = await asked({ oauth: { ...plain, authorization, clientId: 'factory', checks: ['none'], options } })
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
      const { user, issuer } = await enter({
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
      t.match((await enter({})).user, { name: 'Ada Lovelace' })
      const { answer, user } = await enter({
        oauth: { ...plain, issuer: 'https://another.test', jwks_endpoint: `${at}/jwks`, idToken: true }
      })
      t.match(answer.location, /error=OAuthCallback/, 'and no other')
      t.equal(user, null)
    }
  },
  {
    option: 'jwks_endpoint',
    works: async (t) => {
      const { user, issuer } = await enter({
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
      const { user, issuer } = await enter({
        oauth: { ...plain, ...signed, jwks: { keys: jwks.keys.map((key) => ({ ...key, kty: key.kty ?? '' })) } }
      })
      t.match(user, { name: 'Ada Lovelace' })
      t.equal(sentTo({ issuer }, '/jwks').length, 0, 'nothing was fetched')
      const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
      const other = await enter({ oauth: { ...plain, ...signed, jwks: { keys: [{ ...foreign, kty: 'EC' }] } } })
      t.match(other.answer.location, /error=OAuthCallback/, 'a key that did not sign')
    }
  },
  {
    option: 'jwks (of a wrong shape)',
    given: { jwks: { keys: ['text'] } },
    told: /jwks: expected \{keys: \[…\]\} with JSON Web Keys/
  },
  {
    option: 'authorization (text)',
    works: async (t) => {
      const url = await asked({ oauth: { ...plain, authorization: `${at}/authorize?scope=openid&prompt=login` } })
      t.match(Object.fromEntries(url.searchParams), { scope: 'openid', prompt: 'login' })
    }
  },
  {
    option: 'authorization.params',
    works: async (t) => {
      const claims = { id_token: { email: null } }
      const url = await asked({
        oauth: { authorization: { params: { scope: 'openid x', max_age: 5, claims, nothing: undefined } } }
      })
      t.match(Object.fromEntries(url.searchParams), { scope: 'openid x', max_age: '5', claims: JSON.stringify(claims) })
      t.notOk(url.searchParams.has('nothing'))
    }
  },
  {
    option: 'authorization.request',
    given: { authorization: { url: `${at}/authorize`, request: () => null } },
    told: /authorization\.request: there is no such option/
  },
  {
    option: 'token.url',
    works: async (t) => {
      const { user } = await enter({ oauth: { ...plain, token: { url: `${at}/token` } } })
      t.match(user, { name: 'Ada Lovelace' })
    }
  },
  {
    option: 'token.params',
    works: async (t) => {
      const ways = await enter({ oauth: { ...plain, token: { url: `${at}/token`, params: { tenant: 'mine' } } } })
      t.match(sentTo(ways, '/token')[0], /tenant=mine/)
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
      const { user } = await enter({
        oauth: {
          ...plain,
          token: { url: `${at}/token`, params: { more: 'x' }, request },
          options: { tenantOfOurs: 'x' }
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
          tenantOfOurs: 'x',
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
      t.match((await enter({ oauth: { token: { request } } })).user, { name: 'Ada Lovelace' })
      const forged: Request = async (given) => {
        const { tokens } = await request(given)
        const [head, , signature] = String(tokens.id_token).split('.')
        const payload = Buffer.from(JSON.stringify({ iss: at, aud: 'client', sub: 'eve', exp: 4e9, iat: 1 })).toString(
          'base64url'
        )
        return { tokens: { ...tokens, id_token: [head, payload, signature].join('.') } }
      }
      const { answer } = await enter({ oauth: { token: { request: forged } } })
      t.match(answer.location, /error=OAuthCallback/, 'one that the provider did not sign')
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
      t.match((await enter({ oauth: { ...plain, token: { url: `${at}/token`, request } } })).user, {
        name: 'Ada Lovelace'
      })
    }
  },
  {
    option: 'token.conform',
    works: async (t) => {
      const conform = async (answer: Response): Promise<Response> =>
        Response.json({ ...Object(await answer.json()), scope: ['a', 'b'] })
      const adapter = memoryAdapter()
      const { user } = await enter({ adapter, oauth: { ...plain, token: { url: `${at}/token`, conform } } })
      const found = await adapter.getUserByEmail?.('ada@example.com')
      t.match(user, { name: 'Ada Lovelace' })
      t.match(await adapter.getAccounts?.(found?.id ?? ''), [{ scope: 'a b' }], 'a list of scopes is one text')
    }
  },
  {
    option: 'userinfo (text)',
    works: async (t) => {
      const ways = await enter({ oauth: plain })
      t.match(ways.user, { name: 'Ada Lovelace' })
      t.match(sentTo(ways, '/userinfo'), [/^GET Bearer /])
    }
  },
  {
    option: 'userinfo.params',
    works: async (t) => {
      const ways = await enter({
        oauth: { ...plain, userinfo: { url: `${at}/userinfo`, params: { fields: 'id,name' } } }
      })
      t.equal(sentTo(ways, '/userinfo?fields=id%2Cname').length, 1)
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
      const ways = await enter({ oauth: { ...plain, userinfo: { url: `${at}/userinfo`, request }, profile } })
      t.match(context, {
        provider: { id: 'demo', userinfo: { url: `${at}/userinfo` } },
        tokens: { access_token: String, expires_at: Number }
      })
      t.match(seen, [
        { sub: 'ada', more: 'ada@example.com' },
        { access_token: String, token_type: 'Bearer' }
      ])
      t.equal(sentTo(ways, '/userinfo?a=b').length, 1)
    }
  },
  {
    option: 'userinfo.conform',
    given: { userinfo: { url: `${at}/userinfo`, conform: () => null } },
    told: /userinfo\.conform: there is no such option/
  },
  {
    option: 'version (1.0a)',
    given: { version: '1.0A', accessTokenUrl: at, requestTokenUrl: at, profileUrl: at, encoding: 'HMAC-SHA1' },
    told: /version: OAuth 1\.0a is not supported/
  },
  {
    option: 'version (2.0)',
    works: async (t) => {
      t.match((await enter({ oauth: { ...plain, version: '2.0' } })).user, { name: 'Ada Lovelace' })
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
      const { session } = await enter({
        adapter,
        oauth: { profile },
        session: { strategy: 'jwt' },
        callbacks: {
          jwt: ({ token, user }) => ({ ...token, ...(user ? { kept: user } : {}) }),
          session: ({ session, token }) => ({ ...session, kept: token?.['kept'] })
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
      await enter({ adapter, oauth: { account } })
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
        ...(await asked({ oauth: { ...plain, checks } })).searchParams.keys()
      ]
      const always = ['client_id', 'scope', 'response_type', 'redirect_uri', 'state']
      t.same(await parameters(undefined), [...always, 'code_challenge', 'code_challenge_method'], 'all that protects')
      t.same(await parameters('none'), always, 'state in any case')
      t.same(await parameters(['pkce', 'state', 'nonce']), [...always, 'code_challenge', 'code_challenge_method'])
      t.ok((await asked({})).searchParams.has('nonce'), 'nonce with OpenID Connect')
    }
  },
  {
    option: 'checks (of no such name)',
    given: { checks: ['pcke'] },
    told: /checks: expected pkce, state, nonce, none/
  },
  ...(['client_secret_basic', 'client_secret_post'] as const).map(
    (method): Row => ({
      option: `client.token_endpoint_auth_method (${method})`,
      works: async (t) => {
        const ways = await enter({ oauth: { client: { token_endpoint_auth_method: method } } })
        t.match(ways.user, { name: 'Ada Lovelace' })
        t.match(sentTo(ways, '/token'), [method === 'client_secret_basic' ? /^POST Basic / : /client_secret=secret/])
      }
    })
  ),
  {
    option: 'client.token_endpoint_auth_method (none)',
    works: async (t) => {
      const oauth = { clientSecret: undefined, client: { token_endpoint_auth_method: 'none' } }
      const ways = await enter({ issuer: { clientSecret: null }, oauth })
      t.match(ways.user, { name: 'Ada Lovelace' })
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
        const ways = await startWays(t, {
          oauth: {
            clientSecret: method === 'client_secret_jwt' ? shared : undefined,
            client: { token_endpoint_auth_method: method },
            jwks: { keys: [key] }
          },
          runtime: { fetch }
        })
        const browser = ways.browser()
        const begun = await browser.submit('/api/auth/signin/demo', {})
        t.equal(
          (
            await browser.open(await issuer.authorize(begun.location ?? ''), {
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
    told: /token_endpoint_auth_method: expected client_secret_basic, client_secret_post/
  },
  {
    option: 'client.token_endpoint_auth_method (without its key)',
    given: { client: { token_endpoint_auth_method: 'private_key_jwt' } },
    told: /client\.privateKey: expected the key/
  },
  {
    option: 'client.id_token_signed_response_alg',
    works: async (t) => {
      const clientSecret = 'a secret that both sides know, long enough for HS256'
      for (const [alg, isSigned] of [
        ['HS256', true],
        ['ES256', false]
      ] as const) {
        const ways = await startWays(t, {
          issuer: { clientSecret },
          oauth: { client: { id_token_signed_response_alg: alg } }
        })
        ways.issuer.faults.hs256 = true
        const answer = await ways.byIssuer(ways.browser())
        t.equal(answer.location === origin, isSigned, `registered for ${alg}, signed with the secret`)
      }
      const ways = await startWays(t, { issuer: { clientSecret } })
      ways.issuer.faults.hs256 = true
      t.match((await ways.byIssuer(ways.browser())).location, /error=OAuthCallback/, 'no token chooses it')
    }
  },
  {
    option: 'client.userinfo_signed_response_alg',
    works: async (t) => {
      const { user } = await enter({ oauth: { client: { userinfo_signed_response_alg: 'ES256' } } })
      t.match(user, { name: 'Ada Lovelace' })
    }
  },
  {
    option: 'client.response_types',
    given: { client: { response_types: ['code id_token'] } },
    told: /client\.response_types: expected \['code'\]/
  },
  {
    option: 'client.client_id',
    given: { client: { client_id: 'x' } },
    told: /client\.client_id: set clientId instead/
  },
  {
    option: 'client.id_token_encrypted_response_alg',
    given: { client: { id_token_encrypted_response_alg: 'RSA-OAEP' } },
    told: /encrypted answers are not supported/
  },
  {
    option: 'client (of no such name)',
    given: { client: { token_endpoint_auth_metod: 'none' } },
    told: /did you mean providers\.demo\.client\.token_endpoint_auth_method\?/
  },
  {
    option: 'clientId',
    given: { clientId: undefined },
    told: /clientId: expected text, got nothing; pass clientId or set AUTH_DEMO_ID/
  },
  {
    option: 'clientSecret',
    works: async (t) => {
      t.match((await enter({ oauth: { clientSecret: 'wrong' } })).answer.location, /error=OAuthCallback/)
    }
  },
  {
    option: 'idToken',
    works: async (t) => {
      const ways = await enter({ oauth: { idToken: false } })
      t.match(ways.user, { name: 'Ada Lovelace' })
      t.equal(sentTo(ways, '/userinfo').length, 1, 'the profile is userinfo')
      t.equal(sentTo(ways, '/jwks').length, 1, 'and the ID Token is verified all the same')
      const mixed = await startWays(t, { oauth: { idToken: false } })
      mixed.issuer.faults.userinfoWrongSub = true
      t.match((await mixed.byIssuer(mixed.browser())).location, /error=OAuthCallback/, 'of nobody else')
    }
  },
  {
    option: 'region',
    works: async (t) => {
      t.match(
        (await enter({ oauth: { options: { region: 'eu' } } })).user,
        { name: 'Ada Lovelace' },
        'says nothing, as in next-auth'
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
        const ways = await startWays(t, { oauth: { httpOptions }, runtime: { fetch } })
        await ways.browser().submit('/api/auth/signin/demo', {})
      }
      t.same(given, [1234, 5000], 'for each provider by itself')
    }
  },
  {
    option: 'httpOptions.agent',
    given: { httpOptions: { agent: {} } },
    told: /httpOptions\.agent: an agent belongs to a fetch of your own/
  },
  {
    option: 'customFetch',
    works: async (t) => {
      const urls: string[] = []
      const ways: { issuer?: Ways['issuer'] } = {}
      const fetch = async (url: string, init: RequestInit): Promise<Response> => {
        urls.push(new URL(url).pathname)
        return ways.issuer?.fetch(url, init) ?? Response.error()
      }
      for (const oauth of [{ [Symbol('custom-fetch')]: fetch }, { options: { [Symbol('custom-fetch')]: fetch } }]) {
        const started = await startWays(t, {
          oauth,
          runtime: { fetch: () => Promise.reject(new Error('not through here')) }
        })
        ways.issuer = started.issuer
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
        t.equal((await (await startWays(t, { oauth: { style } })).browser().open('/api/auth/signin')).status, 200)
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
        const { answer } = await enter({ adapter, oauth: { allowDangerousEmailAccountLinking } })
        t.match(answer.location, location)
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
    told: /redirectProxyUrl: not supported; register the redirect URI of every deployment/
  },
  {
    option: 'signinUrl, callbackUrl',
    works: async (t) => {
      const url = await asked({ oauth: { options: { signinUrl: `${at}/x`, callbackUrl: `${at}/y` } } })
      t.equal(
        url.searchParams.get('redirect_uri'),
        `${origin}/api/auth/callback/demo`,
        'ours in any case, as in next-auth'
      )
    }
  }
]

for (const row of rows) {
  t.test(`${row.option}${'told' in row ? ' is told to be wrong' : ''}`, async (t) => {
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
    t.throws(() => createPostern({ url: origin, secret, providers: [provider], logger: createLog().logger }), row.told)
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
  'callbacks hear of all that the provider answers; the row has what fits every table, or what account says',
  async (t) => {
    for (const account of [undefined, (tokens: TokenSet) => tokens]) {
      const told: unknown[] = []
      const kept: unknown[] = []
      const { createUserWithAccount: _, atomically: __, ...memory } = memoryAdapter()
      const adapter = { ...memory, linkAccount: async (row: object) => void kept.push(row) }
      const conform = async (answer: Response): Promise<Response> =>
        Response.json({ ...Object(await answer.json()), refresh_token_expires_in: 7 })
      const events = { signIn: ({ account }: { account: object }) => void told.push(account) }
      const { answer } = await enter({
        adapter,
        events,
        oauth: { ...plain, account, token: { url: `${at}/token`, conform } }
      })
      t.equal(answer.location, origin)
      t.match(told, [{ refresh_token_expires_in: 7 }])
      t.equal(Object(kept[0]).refresh_token_expires_in, account ? 7 : undefined)
      t.match(kept, [{ access_token: String, provider: 'demo' }])
    }
  }
)
