import type { OAuthConfig } from '@postern/core'
import type { Test } from 'tap'
import { fewInTurn } from '../selections.ts'
import { getSession, type Started, signInAtIssuer, start } from '../start.ts'
import type { Replay } from './replay.ts'

type Parameters = Readonly<Record<string, string>>

/** What a provider's entry may hold in these tests. */
type Demo = Partial<OAuthConfig> & { readonly allowedAuthorizationParams?: readonly string[] }

const authorize = 'https://issuer.test/authorize'
const scope = 'openid email profile'

/** The authorization request that a browser is sent with, after POST `/signin/demo` with this query. */
async function requestWith(
  t: Test,
  demo: Demo,
  query: Parameters | string,
  endpoint?: string
): Promise<URLSearchParams> {
  const started = await start(t, { demo, session: { strategy: 'jwt' } })
  if (endpoint) started.issuer.faults.metadata = (metadata) => ({ ...metadata, authorization_endpoint: endpoint })
  return requestAt(t, started, query)
}

/** The authorization request of a new browser, with this query. */
async function requestAt(t: Test, { newBrowser }: Started, query: Parameters | string): Promise<URLSearchParams> {
  const browser = newBrowser()
  const response = await browser.submit(`/api/auth/signin/demo?${new URLSearchParams(query)}`, {})
  t.equal(response.status, 302)
  t.ok(response.location?.startsWith(`${authorize}?`), 'the flow starts')
  return new URL(response.location ?? '').searchParams
}

/** The ways to configure a parameter. */
const someMethods = fewInTurn(1)

const protocol = [
  ...[
    'client_id',
    'client_secret',
    'redirect_uri',
    'response_type',
    'response_mode',
    'state',
    'nonce',
    'code_challenge'
  ],
  ...[
    'code_challenge_method',
    'request',
    'request_uri',
    'registration',
    'claims',
    'dpop_jkt',
    'iss',
    'id_token_hint',
    '__proto__'
  ]
]

/** Parameters that restrict who may sign in, and how: what the operator sets, and what an attacker asks for. */
const policies: readonly (readonly [name: string, configured: string, asked: string])[] = [
  ['acr_values', 'urn:example:mfa', 'urn:example:pwd'],
  ['hd', 'example.com', '*'],
  ['organization', 'org_1', 'org_2'],
  ['prompt', 'login', 'none'],
  ['max_age', '0', '99999999'],
  ['connection', 'corporate', 'social'],
  ['login_hint', 'ada@example.com', 'mallory@example.com'],
  ['ui_locales', 'de', 'fr'],
  ['claims', '{"id_token":{"acr":{"essential":true}}}', '{}']
]

export const authorizationParams: readonly Replay[] = [
  [
    'P8a',
    'the query replaces a parameter that the operator configured',
    async (t) => {
      for (const [name, configured, requested] of policies) {
        const query = { [name]: requested }
        const allowedAuthorizationParams = name === 'claims' ? [] : [name]
        const params = { scope, [name]: configured }
        const url = `${authorize}?${new URLSearchParams({ scope, [name]: configured })}`
        const methods: readonly (readonly [where: string, demo: Demo, endpoint?: string])[] = [
          ['params', { authorization: { params } }],
          ['params of an allowed parameter', { authorization: { params }, allowedAuthorizationParams }],
          ['the URL', { authorization: url, allowedAuthorizationParams }],
          ['the URL of an object', { authorization: { url }, allowedAuthorizationParams }],
          ['the discovery document', { allowedAuthorizationParams }, url]
        ]
        for (const [where, demo, endpoint] of someMethods(methods)) {
          const sent = await requestWith(t, demo, query, endpoint)
          t.same(sent.getAll(name), [configured], `${name} in ${where}`)
        }
        const twice = await requestWith(t, { authorization: { params } }, `${name}=${requested}&${name}=${configured}`)
        t.same(twice.getAll(name), [configured], `${name} twice in the query`)
      }
    }
  ],
  [
    'P8b',
    'the query adds a parameter that the operator did not allow',
    async (t) => {
      const requested = Object.fromEntries(policies.map(([name, , value]) => [name, value]))
      const more = {
        scope: 'admin',
        audience: 'evil',
        screen_hint: 'signup',
        resource: 'evil',
        ACR_VALUES: 'a',
        ['Prompt']: 'a'
      }
      const expected = [
        'client_id',
        'code_challenge',
        'code_challenge_method',
        'nonce',
        'redirect_uri',
        'response_type'
      ]
      const sent = await requestWith(t, {}, { ...requested, ...more })
      t.same([...sent.keys()].sort(), [...expected, 'scope', 'state', 'login_hint', 'prompt', 'ui_locales'].sort())
      t.match(Object.fromEntries(sent), { prompt: 'none', ui_locales: 'fr', login_hint: 'mallory@example.com' })
      const none = await requestWith(t, { allowedAuthorizationParams: [] }, { ...requested, ...more })
      t.same([...none.keys()].sort(), [...expected, 'scope', 'state'].sort())
      const listed = await requestWith(
        t,
        { allowedAuthorizationParams: ['screen_hint', 'hd'] },
        { ...requested, ...more }
      )
      t.same(
        [...listed.keys()].sort(),
        [...expected, 'scope', 'state', 'screen_hint', 'hd'].sort(),
        'a list replaces the default'
      )
    }
  ],
  [
    'P8c',
    'the query changes the scope',
    async (t) => {
      const requests = ['admin', '', 'email', 'openid', 'profile', ' ', 'a b openid a']
      const started = await start(t, { session: { strategy: 'jwt' } })
      for (const value of requests)
        t.equal(
          (await requestAt(t, started, { scope: value })).get('scope'),
          'openid email profile',
          `not allowed: ${value}`
        )
      const added: Parameters = {
        admin: `${scope} admin`,
        '': scope,
        'email openid': scope,
        ' calendar  email calendar ': `${scope} calendar`
      }
      const demo = { authorization: { params: { scope } }, allowedAuthorizationParams: ['scope'] }
      const adding = await start(t, { demo, session: { strategy: 'jwt' } })
      for (const [value, expected] of Object.entries(added)) {
        const sent = await requestAt(t, adding, { scope: value })
        t.equal(sent.get('scope'), expected, `allowed: ${value}`)
      }
      const inUrl = { authorization: { url: `${authorize}?scope=openid+read` }, allowedAuthorizationParams: ['scope'] }
      t.equal((await requestWith(t, inUrl, { scope: 'write' })).get('scope'), 'openid read write')
      const twice = await requestWith(t, { allowedAuthorizationParams: ['scope'] }, 'scope=admin&scope=root')
      t.notMatch(twice.get('scope'), /admin|root/)
    }
  ],
  [
    'P8d',
    'the query replaces a parameter of the protocol',
    async (t) => {
      const query = Object.fromEntries(protocol.map((name) => [name, 'evil']))
      const started = await start(t, { session: { strategy: 'jwt' } })
      const { browser, issuer } = started
      const { location } = await browser.submit(`/api/auth/signin/demo?${new URLSearchParams(query)}`, {})
      t.notMatch(location, /evil/)
      await browser.open(await issuer.authorize(location ?? ''), { headers: { 'sec-fetch-site': 'cross-site' } })
      t.match(await getSession(browser), { user: { email: 'ada@example.com' } }, 'and the sign-in completes')
      const other = started.newBrowser()
      await signInAtIssuer(started, other, undefined, query)
      t.match(await getSession(other), { user: { email: 'ada@example.com' } }, 'fields of the body are no parameters')
      for (const name of [...protocol.slice(0, -1), 'STATE', ' redirect_uri']) {
        const refused = start(t, { demo: { ...{ allowedAuthorizationParams: ['login_hint', name] } } })
        await t.rejects(refused, /providers\.demo\.allowedAuthorizationParams: .*which Postern sets/, name)
      }
    }
  ]
]
