import t from 'tap'
import type { PosternOptions } from '../../src/config/options.ts'
import { originFor, readsProtocol, resolveOrigins } from '../../src/config/origins.ts'
import { createPostern } from '../../src/postern.ts'
import credentials from '../../src/providers/credentials.ts'

type Given = Pick<PosternOptions, 'url' | 'trustHost' | 'useSecureCookies'>

const fixed = (origin: string): object => ({ kind: 'fixed', origin })
const cases: readonly (readonly [
  what: string,
  given: Given,
  environment: Record<string, string>,
  sites: object,
  path?: string
])[] = [
  ['url', { url: 'https://app.test' }, {}, fixed('https://app.test')],
  ['url with a slash', { url: 'https://app.test/' }, {}, fixed('https://app.test')],
  ['url with a port', { url: 'https://app.test:8443' }, {}, fixed('https://app.test:8443')],
  ['url with a path', { url: 'https://app.test/auth/' }, {}, fixed('https://app.test'), '/auth'],
  ['url in upper case', { url: 'HTTPS://APP.TEST' }, {}, fixed('https://app.test')],
  [
    'url before the environment',
    { url: 'https://app.test' },
    { AUTH_URL: 'https://a.test', NEXTAUTH_URL: 'https://n.test' },
    fixed('https://app.test')
  ],
  ['url before trusted hosts', { url: 'https://app.test', trustHost: true }, {}, fixed('https://app.test')],
  [
    'AUTH_URL before NEXTAUTH_URL',
    {},
    { AUTH_URL: 'https://a.test', NEXTAUTH_URL: 'https://n.test' },
    fixed('https://a.test')
  ],
  ['NEXTAUTH_URL', {}, { NEXTAUTH_URL: 'https://n.test' }, fixed('https://n.test')],
  [
    'NEXTAUTH_URL with a path, which is the base path',
    {},
    { NEXTAUTH_URL: 'https://n.test/api/auth' },
    fixed('https://n.test'),
    '/api/auth'
  ],
  ['NEXTAUTH_URL without a scheme', {}, { NEXTAUTH_URL: 'n.test' }, fixed('https://n.test')],
  [
    'NEXTAUTH_URL without a scheme, with port and path',
    {},
    { NEXTAUTH_URL: 'n.test:8443/auth' },
    fixed('https://n.test:8443'),
    '/auth'
  ],
  ['http on loopback', { url: 'http://localhost:3000' }, { NODE_ENV: 'production' }, fixed('http://localhost:3000')],
  [
    'a list of hosts',
    { trustHost: ['App.test', 'b.test:8443'] },
    {},
    { kind: 'listed', hosts: ['app.test', 'b.test:8443'] }
  ],
  [
    'a list of hosts with schemes',
    { trustHost: ['HTTPS://App.test', 'http://localhost:3000'] },
    { NODE_ENV: 'production' },
    { kind: 'listed', hosts: ['https://app.test', 'http://localhost:3000'] }
  ],
  [
    'http for a listed host, if it is configured',
    { trustHost: ['http://app.test'], useSecureCookies: false },
    { NODE_ENV: 'production' },
    { kind: 'listed', hosts: ['http://app.test'] }
  ],
  ['every host', { trustHost: true }, {}, { kind: 'any' }],
  ['AUTH_TRUST_HOST', {}, { AUTH_TRUST_HOST: 'true' }, { kind: 'any' }],
  ['VERCEL', {}, { VERCEL: '1' }, { kind: 'any' }],
  ['VERCEL with an address', {}, { VERCEL: '1', NEXTAUTH_URL: 'https://n.test' }, fixed('https://n.test')],
  ...['false', '0', 'no', 'OFF', ''].map((text): (typeof cases)[number] => [
    `AUTH_TRUST_HOST=${text}`,
    {},
    { AUTH_TRUST_HOST: text },
    { kind: 'loopback' }
  ]),
  ['nothing, in development', {}, {}, { kind: 'loopback' }],
  ['trustHost: false, in development', { trustHost: false }, {}, { kind: 'loopback' }],
  ['empty texts, in development', { url: '' }, { AUTH_URL: '', NEXTAUTH_URL: '' }, { kind: 'loopback' }]
]

for (const [title, given, environment, sites, path = null] of cases) {
  t.test(`the origin of the application: ${title}`, async (t) => {
    const options = { providers: [], ...given }
    const location = resolveOrigins(options, environment, environment['NODE_ENV'] === 'production')
    t.match(location, { sites, path, problems: [], warnings: [] })
  })
}

t.test('a loopback address without a scheme is https, which is said', async (t) => {
  for (const url of ['localhost:3000', '127.0.0.1/auth', '[::1]:3000']) {
    const { sites, warnings } = resolveOrigins({ providers: [], url }, {}, false)
    t.match(sites, { kind: 'fixed', origin: /^https:/ }, url)
    t.match(
      warnings,
      [/^url: the address has no scheme, so https is assumed; write http:\/\/\S+ or https:\/\/\S+$/],
      url
    )
    t.equal(warnings.length, 1)
  }
  for (const url of ['http://localhost:3000', 'https://localhost:3000', 'app.test'])
    t.same(resolveOrigins({ providers: [], url }, {}, false).warnings, [], url)
})

t.test('origin-1: in production there are no defaults', async (t) => {
  t.match(resolveOrigins({ providers: [] }, {}, true).problems, [
    { option: 'url', message: /set AUTH_URL, pass url, or list the hosts/ }
  ])
  t.match(resolveOrigins({ providers: [], trustHost: false }, {}, true).problems, [{ option: 'url' }])
})

const listed = { kind: 'listed', hosts: ['app.test', 'b.test:8443', 'c.test:443', 'd.test:80', '[::1]:3000'] } as const
const withSchemes = { kind: 'listed', hosts: ['https://app.test', 'http://b.test:8080', 'https://[::1]:3000'] } as const
const secureList = {
  kind: 'listed',
  hosts: ['app.test', 'd.test:80', 'localhost:3000'],
  requiresHttps: true
} as const
const claims: readonly (readonly [sites: Parameters<typeof originFor>[1], claimed: string, then: string | null])[] = [
  [{ kind: 'fixed', origin: 'https://app.test' }, 'https://evil.test', 'https://app.test'],
  [{ kind: 'fixed', origin: 'https://app.test' }, 'nonsense', 'https://app.test'],
  [listed, 'https://app.test', 'https://app.test'],
  [listed, 'http://app.test', 'http://app.test'],
  [listed, 'https://APP.TEST', 'https://app.test'],
  [listed, 'https://app.test:443', 'https://app.test'],
  [listed, 'https://app.test:8443', null],
  [listed, 'https://b.test:8443', 'https://b.test:8443'],
  [listed, 'https://b.test', null],
  [listed, 'https://c.test', 'https://c.test'],
  [listed, 'http://c.test', null],
  [listed, 'http://d.test', 'http://d.test'],
  [listed, 'http://[::1]:3000', 'http://[::1]:3000'],
  [listed, 'https://evil.test', null],
  [listed, 'https://app.test.evil.test', null],
  [listed, 'https://evil.test/app.test', null],
  [listed, 'https://app.test@evil.test', null],
  [listed, 'https://user@app.test', null],
  [listed, 'https://evil.test@app.test', null],
  [listed, 'https://app.test/', null],
  [listed, 'https://app.test?a', null],
  [listed, 'ftp://app.test', null],
  [listed, 'https://', null],
  [listed, '', null],
  [withSchemes, 'http://app.test', 'https://app.test'],
  [withSchemes, 'https://APP.test', 'https://app.test'],
  [withSchemes, 'http://app.test:443', 'https://app.test'],
  [withSchemes, 'http://app.test:80', null],
  [withSchemes, 'https://b.test:8080', 'http://b.test:8080'],
  [withSchemes, 'http://b.test', null],
  [withSchemes, 'http://[::1]:3000', 'https://[::1]:3000'],
  [withSchemes, 'http://evil.test', null],
  [withSchemes, 'http://app.test@evil.test', null],
  [withSchemes, 'http://app.test:99999', null],
  [{ kind: 'loopback' }, 'http://localhost:3000', 'http://localhost:3000'],
  [{ kind: 'loopback' }, 'http://127.0.0.1', 'http://127.0.0.1'],
  [{ kind: 'loopback' }, 'http://127.1.2.3:80', 'http://127.1.2.3'],
  [{ kind: 'loopback' }, 'http://[::1]:3000', 'http://[::1]:3000'],
  [{ kind: 'loopback' }, 'http://app.localhost:3000', 'http://app.localhost:3000'],
  [{ kind: 'loopback' }, 'http://192.168.0.1', null],
  [{ kind: 'loopback' }, 'http://localhost.evil.test', null],
  [{ kind: 'loopback' }, 'http://evil.test', null],
  [{ kind: 'any' }, 'https://whatever.test:1', 'https://whatever.test:1'],
  [{ kind: 'any' }, 'nonsense', null],
  [secureList, 'https://app.test', 'https://app.test'],
  [secureList, 'http://app.test', null],
  [secureList, 'http://d.test', null],
  [secureList, 'http://localhost:3000', 'http://localhost:3000'],
  [{ kind: 'any', requiresHttps: true }, 'http://whatever.test', null],
  [{ kind: 'any', requiresHttps: true }, 'http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  [{ kind: 'any', requiresHttps: true }, 'https://whatever.test', 'https://whatever.test']
]

for (const [sites, claimed, then] of claims) {
  t.test(`origin-1: ${sites.kind}: ${claimed || 'nothing'} is ${then ?? 'not ours'}`, async (t) => {
    t.equal(originFor(claimed, sites), then)
  })
}

t.test('requests set the protocol in production if no scheme is configured', async (t) => {
  const production = { NODE_ENV: 'production' }
  const asks = (given: object, environment: Record<string, string> = production) =>
    readsProtocol({ providers: [], ...given }, environment)
  for (const trustHost of [['app.test'], ['https://a.test', 'app.test'], true]) t.ok(asks({ trustHost }))
  t.ok(asks({}, { ...production, AUTH_TRUST_HOST: 'true' }))
  t.ok(asks({ trustHost: ['app.test'], useSecureCookies: true }))
  t.notOk(asks({ trustHost: ['app.test'] }, {}), 'in development')
  t.notOk(asks({ trustHost: ['app.test'], useSecureCookies: false }), 'http is intended')
  t.notOk(asks({ trustHost: ['app.test'], url: 'https://app.test' }))
  t.notOk(asks({ trustHost: true }, { ...production, AUTH_URL: 'https://app.test' }))
  t.notOk(asks({ trustHost: ['https://app.test', 'localhost:3000', '127.0.0.1', '[::1]:80', 'http://localhost'] }))
  for (const trustHost of ['app.test', 5, null, [5]]) t.notOk(asks({ trustHost }), 'another error is reported')
  t.notOk(asks({}))
})

const options = {
  secret: 'a secret of the tests, 32 characters or more',
  providers: [credentials({ credentials: {}, authorize: () => null })]
}

t.test('the address decides the base path, unless that is given', async (t) => {
  const getBasePath = (given: object, environment: Record<string, string> = {}): string =>
    createPostern({ ...options, ...given }, environment).basePath
  t.equal(getBasePath({ url: 'https://app.test' }), '/api/auth')
  t.equal(getBasePath({}, { NEXTAUTH_URL: 'https://app.test/auth' }), '/auth')
  t.equal(getBasePath({ basePath: '/login' }, { NEXTAUTH_URL: 'https://app.test/auth' }), '/login')
})

t.test('a host that we do not respond for gets 400 and learns nothing', async (t) => {
  const auth = createPostern({ ...options, trustHost: ['app.test'] }, { NODE_ENV: 'production' })
  const response = await auth.fetch(new Request('https://evil.test/api/auth/signin'))
  t.equal(response.status, 400)
  t.notMatch(await response.text(), /evil/)
  t.same(response.headers.getSetCookie(), [])
  t.equal(await auth.getSession(new Request('https://evil.test/')), null)
  t.equal(auth.configFor('https://evil.test'), null)
  t.equal((await auth.fetch(new Request('https://app.test/api/auth/csrf'))).status, 200)
})

t.test('origin-1: in production, http requests get 400 and one line in the log', async (t) => {
  for (const trustHost of [['app.test', 'localhost'], true]) {
    const lines: unknown[] = []
    const logger = { error: (...line: readonly unknown[]) => void lines.push(line), warn: () => undefined }
    const auth = createPostern({ ...options, trustHost, logger }, { NODE_ENV: 'production' })
    for (let count = 0; count < 3; count++)
      t.equal((await auth.fetch(new Request('http://app.test/api/auth/csrf'))).status, 400)
    t.equal(lines.length, 1)
    t.match(lines[0], ['HTTPS_REQUIRED', /trustProxy.*X-Forwarded-Proto/])
    t.equal((await auth.fetch(new Request('http://localhost/api/auth/csrf'))).status, 200)
    const plain = createPostern({ ...options, trustHost, useSecureCookies: false }, { NODE_ENV: 'production' })
    t.equal((await plain.fetch(new Request('http://app.test/api/auth/csrf'))).status, 200, 'http is intended')
  }
})

t.test('each origin has its own cookies, and a flood of hosts is answered', async (t) => {
  const auth = createPostern({ ...options, trustHost: true }, {})
  t.equal(auth.redirectUris, null)
  t.equal(auth.configFor('https://a.test')?.cookies.sessionToken.name, '__Secure-next-auth.session-token')
  t.equal(auth.configFor('http://a.test')?.cookies.sessionToken.name, 'next-auth.session-token')
  t.equal(auth.configFor('https://a.test'), auth.configFor('https://a.test'), 'made once')
  const flood = Array.from({ length: 1000 }, (_, host) => auth.configFor(`https://host-${host}.test`)?.origin)
  t.same(flood.slice(-1), ['https://host-999.test'])
  t.equal(new Set(flood).size, 1000)
})
