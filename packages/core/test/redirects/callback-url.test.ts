import t from 'tap'
import type { Hooks } from '../../src/hooks/hooks.ts'
import { CallbackUrls } from '../../src/redirects/callback-url.ts'

const origin = 'https://app.test'
const cookie = { name: 'callback', options: { path: '/' } }

function createUrls(redirect: Hooks['redirect'] = null, log: string[] = []): CallbackUrls {
  const logger = { error: (code: string) => void log.push(code), warn: () => undefined, debug: () => undefined }
  const settings = { origin, home: origin, basePath: '/api/auth', cookie, maxLength: 2048 }
  return new CallbackUrls(settings, redirect, (path) => path === '/account', logger)
}

const valid: readonly (readonly [requested: string, then: string])[] = [
  ['/', ''],
  ['/me', '/me'],
  ['/me?a=b&c=d#e', '/me?a=b&c=d#e'],
  ['me', '/me'],
  ['?a=b', '/?a=b'],
  ['#a', '/#a'],
  ['.', ''],
  ['/a/../me', '/me'],
  ['/../../me', '/me'],
  ['/ä', '/%C3%A4'],
  ['/a b', '/a%20b'],
  ['/%2F%2Fevil.test', '/%2F%2Fevil.test'],
  ['/?to=https://evil.test', '/?to=https://evil.test'],
  ['/@evil.test', '/@evil.test'],
  ['/me:80', '/me:80'],
  [origin, ''],
  [`${origin}/`, ''],
  [`${origin}/me`, '/me'],
  [`${origin}:443/me`, '/me'],
  ['HTTPS://APP.TEST/me', '/me'],
  [' https://app.test/me ', '/me'],
  ['https:/me', '/me'],
  ['https:me', '/me'],
  ['/api/authors', '/api/authors'],
  ['/api', '/api'],
  ['/api/auth/account', '/api/auth/account'],
  ['/api/auth/account?section=1', '/api/auth/account?section=1']
]

for (const [requested, then] of valid) {
  t.test(`allowed: ${requested}`, async (t) => {
    t.equal(await createUrls().toSafeUrl(requested), origin + then)
  })
}

const ownRoutes = [
  '/api/auth',
  '/api/auth/',
  '/api/auth/signin',
  '/api/auth/signin?callbackUrl=/me',
  '/api/auth/account/',
  '/api/auth/account/../signin',
  '/api/auth#a',
  '/x/../api/auth/signin',
  '/api/./auth/error',
  `${origin}/api/auth/callback/github?code=1`,
  'api/auth/signout',
  '/api%5c../api/auth/signin'.replace('%5c', '\\')
]

for (const requested of ownRoutes) {
  t.test(`a circle is the default: ${requested}`, async (t) => {
    t.equal(await createUrls().toSafeUrl(requested), origin)
  })
}

const hosts = [
  'evil.test',
  'app.test.evil.test',
  'app.testevil.test',
  'app.test@evil.test',
  'evil.test#app.test',
  'evil.test?app.test',
  'evil.test\\@app.test',
  'evil.test%00.app.test',
  'app。test.evil.test',
  'аpp.test',
  'app.test:444',
  'app.test.',
  '[::1]',
  '127.0.0.1',
  '0x7f.1',
  'evil.test:443',
  'user:word@evil.test'
]
const starts = [
  '//',
  '///',
  '/\\',
  '\\\\',
  '\\/',
  '/\t/',
  '\t//',
  '/\n/',
  '/\r\n/',
  '\u0000//',
  ' //',
  '/\\/',
  'https://',
  'http://',
  'https:/\\',
  'https:\\\\',
  'HtTpS://',
  'ht\ntps://',
  'https:////',
  'ftp://',
  'ws://'
]
const others = [
  ...[
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)'
  ],
  ...[
    'javascript://app.test/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'blob:https://app.test/1'
  ],
  ...[
    'file:///etc/passwd',
    'mailto:a@evil.test',
    'about:blank',
    'view-source:https://app.test',
    'filesystem:https://app.test/a',
    'intent://evil.test'
  ],
  ...[
    'http://app.test',
    'http://app.test/me',
    'https://app.test@evil.test',
    'https://user@app.test/',
    'https://:word@app.test/me',
    'https://app.test:0/'
  ],
  ...[
    'https://',
    'https://[',
    'http://[::1',
    'https://%',
    'https://app.test:99999',
    'https://a b',
    'https://\u0000',
    '//',
    '///',
    '/\\',
    '\\\\',
    'https:',
    '//@',
    '//:80'
  ],
  ...[
    '/\ud800'.repeat(700),
    `/${'a'.repeat(2048)}`,
    `/${'漢'.repeat(400)}`,
    `//${'a'.repeat(100_000)}`,
    '%'.repeat(3000)
  ]
]
const hostile = [...starts.flatMap((start) => hosts.map((host) => start + host)), ...others]

/** The redirect callback that next-auth v4's documentation shows. */
const documented: Hooks['redirect'] = async ({ url, baseUrl }) => {
  if (url.startsWith('/')) return `${baseUrl}${url}`
  return new URL(url).origin === baseUrl ? url : baseUrl
}

for (const [name, redirect] of [
  ['built in', null],
  ['as next-auth documents it', documented]
] as const) {
  t.test(
    `redirect-1: ${hostile.length} hostile URLs all end on the application’s origin, the callback ${name}`,
    async (t) => {
      t.ok(hostile.length > 300)
      for (const requested of hostile) {
        const text = await createUrls(redirect).toSafeUrl(requested)
        const isOurs = new URL(text).origin === origin && (text === origin || text.startsWith(`${origin}/`))
        if (!isOurs || text.length > 2048)
          t.fail(JSON.stringify({ requested: requested.slice(0, 80), text: text.slice(0, 80) }))
        // What a browser makes of the Location is what we made of it.
        if (new URL(text, `${origin}/api/auth/signin`).origin !== origin) t.fail(JSON.stringify(requested))
      }
    }
  )
}

t.test('redirect-1: a hostile URL falls back to the default in every parameter, and is never an error', async (t) => {
  for (const requested of ['https://evil.test', '//evil.test', 'javascript:alert(1)', '%', 'https://[', '\u0000']) {
    for (const location of ['body', 'query', 'cookie'] as const) {
      const request = {
        body: location === 'body' ? { callbackUrl: requested } : {},
        query: location === 'query' ? { callbackUrl: requested } : {},
        cookies: new Map(location === 'cookie' ? [['callback', requested]] : [])
      }
      const { callbackUrl } = await createUrls().resolve(request)
      t.match(callbackUrl, /^https:\/\/app\.test(\/%(00)?)?$/, `${location}: ${requested}`)
    }
  }
})

t.test('body, then query, then cookie; a list or an object is ignored', async (t) => {
  const from = async (body: object, query: object, held?: string): Promise<string> =>
    (
      await createUrls().resolve({
        body: { ...body },
        query: { ...query },
        cookies: new Map(held ? [['callback', held]] : [])
      })
    ).callbackUrl
  t.equal(await from({ callbackUrl: '/body' }, { callbackUrl: '/query' }, '/cookie'), `${origin}/body`)
  t.equal(await from({}, { callbackUrl: '/query' }, '/cookie'), `${origin}/query`)
  t.equal(await from({}, {}, '/cookie'), `${origin}/cookie`)
  t.equal(await from({}, {}), origin)
  t.equal(await from({ callbackUrl: ['/a', '/b'] }, {}, '/cookie'), `${origin}/cookie`)
  t.equal(await from({ callbackUrl: { toString: '/a' } }, {}), origin)
  t.equal(await from({ callbackUrl: '' }, {}, '/cookie'), origin, 'an empty value is the default')
})

t.test('the cookie is only written if it changes', async (t) => {
  const due = async (requested: string | null, held: string | null): Promise<string | null> => {
    const request = {
      body: {},
      query: requested === null ? {} : { callbackUrl: requested },
      cookies: new Map(held === null ? [] : [['callback', held]])
    }
    return (await createUrls().resolve(request)).cookies.get('callback')?.value ?? null
  }
  t.equal(await due(null, null), null)
  t.equal(await due('/', null), null)
  t.equal(await due('/me', null), `${origin}/me`)
  t.equal(await due('/me', `${origin}/me`), null)
  t.equal(await due(null, `${origin}/me`), null)
  t.equal(await due('/', `${origin}/me`), origin)
  t.equal(await due(null, 'https://evil.test/'), origin, 'a planted address is replaced')
})

const results: readonly (readonly [title: string, redirect: () => unknown, then: string])[] = [
  ['a path', () => '/a', `${origin}/a`],
  ['an address of Postern', () => `${origin}/a`, `${origin}/a`],
  ['another origin that it allows', () => 'https://other.test/a?b', 'https://other.test/a?b'],
  ['the root of another origin', () => 'https://other.test/', 'https://other.test'],
  ['no http address', () => 'javascript:alert(1)', origin],
  ['an app’s own scheme', () => 'myapp://home', origin],
  ['a name and a password', () => 'https://a:b@other.test/', origin],
  ['something unparsable', () => 'https://[', origin],
  ['nothing', () => undefined, origin],
  ['null', () => null, origin],
  ['a number', () => 1, origin],
  ['an address that grows beyond the limit', () => `/${'漢'.repeat(1000)}`, origin]
]

for (const [title, redirect, then] of results) {
  t.test(`the redirect callback answers ${title}`, async (t) => {
    t.equal(await createUrls(async () => redirect() as string).toSafeUrl('/me'), then)
  })
}

t.test('a redirect callback that throws means the default, and is logged', async (t) => {
  for (const redirect of [
    () => Promise.reject(new Error('mistake')),
    () => {
      throw new Error('mistake')
    }
  ]) {
    const log: string[] = []
    t.equal(await createUrls(redirect, log).toSafeUrl('/me'), origin)
    t.same(log, ['REDIRECT_CALLBACK_ERROR'])
  }
})

t.test('the redirect callback receives a path unchanged and everything else as a URL', async (t) => {
  const seen: unknown[] = []
  const see: Hooks['redirect'] = (question) => {
    seen.push(question)
    return question.baseUrl
  }
  for (const requested of ['/me?a#b', 'me', '//evil.test', 'https://EVIL.test', '/\\evil.test', '%'])
    await createUrls(see).toSafeUrl(requested)
  t.same(seen, [
    { url: '/me?a#b', baseUrl: origin },
    { url: `${origin}/me`, baseUrl: origin },
    { url: 'https://evil.test/', baseUrl: origin },
    { url: 'https://evil.test/', baseUrl: origin },
    { url: 'https://evil.test/', baseUrl: origin },
    { url: `${origin}/%`, baseUrl: origin }
  ])
})

t.test('what cannot be an address never reaches the redirect callback', async (t) => {
  const see: Hooks['redirect'] = () => {
    t.fail('asked')
    return origin
  }
  for (const requested of [
    'https://[',
    'javascript:alert(1)',
    'https://a:b@app.test/',
    '/api/auth/signin',
    `/${'a'.repeat(2048)}`
  ]) {
    t.equal(await createUrls(see).toSafeUrl(requested), origin)
  }
})
