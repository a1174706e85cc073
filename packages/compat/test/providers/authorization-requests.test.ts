import { createPostern } from '@postern/core'
import { createBrowser, fromFetch } from '@postern/testkit'
import t from 'tap'
import { origin, secret } from '../postern.ts'
import { filled, getModules, load, type Recorded, recorded } from './load.ts'

const discovered = 'https://discovered.test/authorize'

/** What follows Postern’s rule in any case: state and PKCE always, nonce with OpenID Connect. */
const postern = ['state', 'nonce', 'code_challenge', 'code_challenge_method']

/** The metadata document of any issuer; `issuer` is its URL, unless its name differs. */
function document(url: string): Response {
  const issuer = url.replace(/\/\.well-known\/openid-configuration(\?.*)?$/, '')
  const slashed = ['https://api.vipps.no/access-management-1.0/access', 'https://apis.roblox.com/oauth']
  return Response.json({
    issuer: slashed.includes(issuer) ? `${issuer}/` : issuer,
    authorization_endpoint: discovered,
    token_endpoint: 'https://discovered.test/token',
    userinfo_endpoint: 'https://discovered.test/userinfo',
    jwks_uri: 'https://discovered.test/keys'
  })
}

const implicit = 'an object of type oauth without a scope looks like one of next-auth v4, whose scope is openid'

/** Requests that differ from the recorded ones, and why. */
const differences: Readonly<
  Record<string, { readonly params: Readonly<Record<string, string>>; readonly reason: string }>
> = {
  ...Object.fromEntries(
    [
      ...[
        'box',
        'boxyhq-saml',
        'bungie',
        'click-up',
        'faceit',
        'foursquare',
        'freshbooks',
        'mailchimp',
        'mattermost',
        'naver'
      ],
      ...['nextcloud', 'notion', 'osso', 'pipedrive', 'workos']
    ].map((id) => [`@auth/core/providers/${id}`, { params: { scope: 'openid' }, reason: implicit }])
  ),
  '@auth/core/providers/dribbble': { params: { scope: 'openid' }, reason: 'the recorded scope is the text "undefined"' }
}

/** The message for a module that does not work with its own library either. */
const refused: Readonly<Record<string, RegExp>> = {
  'next-auth/providers/freshbooks': /providers\.freshbooks\.issuer: expected an issuer, or the URLs/,
  'next-auth/providers/twitter': /providers\.twitter\.version: OAuth 1\.0a is not supported/
}

async function startedAt(record: Recorded): Promise<URL> {
  const provider = await load(record)
  const auth = createPostern({
    url: origin,
    secret,
    providers: [provider],
    logger: { error: (code, metadata) => t.fail(`${record.module}: ${code}`, { metadata }) },
    runtime: { fetch: async (url) => document(url) }
  })
  const browser = createBrowser({ origin, send: fromFetch(auth.fetch) })
  const response = await browser.submit(`/api/auth/signin/${record.id}`, {})
  return new URL(response.location ?? '', origin)
}

t.test('every OAuth module of both libraries is recorded', async (t) => {
  for (const [library, count] of [
    ['next-auth', 63],
    ['@auth/core', 93]
  ] as const) {
    const modules = new Set(recorded.map(({ module }) => module).filter((module) => module.startsWith(`${library}/`)))
    t.equal(modules.size, count, library)
    const rest = getModules(library).filter((module) => !modules.has(module))
    t.same(
      rest.map((module) => module.slice(library.length + '/providers/'.length)),
      library === 'next-auth'
        ? ['credentials', 'email']
        : [
            'credentials',
            'email',
            'forwardemail',
            'loops',
            'mailgun',
            'nodemailer',
            'passkey',
            'postmark',
            'resend',
            'sendgrid',
            'webauthn'
          ]
    )
  }
})

for (const record of recorded) {
  const { module, id, endpoint, params, error } = record
  if (endpoint === undefined || params === undefined) {
    t.test(`${module} is refused (${error})`, async (t) => {
      const provider = await load(record)
      t.throws(() => createPostern({ url: origin, secret, providers: [provider] }), refused[module] ?? /^$/)
    })
    continue
  }
  t.test(`${module}${record.options.includes('version') ? ' 2.0' : ''}`, async (t) => {
    // Some of Auth.js call the global fetch themselves.
    t.intercept(globalThis, 'fetch', { value: async (input: string | URL) => document(String(input)) })
    const url = await startedAt(record)
    t.equal(url.origin + url.pathname, endpoint === 'discovery' ? discovered : filled(endpoint, record))
    const requested = Object.fromEntries(url.searchParams)
    const callback = `${origin}/api/auth/callback/${id}`
    const expected = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, filled(value, record).replace('<callback>', callback)])
    )
    for (const name of postern) {
      delete requested[name]
      delete expected[name]
    }
    const difference = differences[module]
    if (difference) t.notSame(requested, expected, 'the difference still is one')
    t.same(requested, { ...expected, ...difference?.params }, difference?.reason ?? 'the recorded request')
  })
}
