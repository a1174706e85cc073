import { mistakesWith, production, secret, withoutMistake } from '@postern/testkit/mistakes'
import t from 'tap'
import type { PosternOptions } from '../../src/config/options.ts'
import { ConfigError, type Problem } from '../../src/errors/config-error.ts'
import { createPostern } from '../../src/postern.ts'
import credentials from '../../src/providers/credentials.ts'
import email from '../../src/providers/email.ts'
import github from '../../src/providers/github.ts'
import oidc from '../../src/providers/oidc.ts'

const form = credentials({ credentials: { name: {} }, authorize: () => null })
const hub = github({ clientId: 'a', clientSecret: 'b' })
const mail = email({ server: 'smtp://mail.test', from: 'a@app.test' })
const good = withoutMistake({ form })
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined }

/** Options as somebody without TypeScript writes them. */
function problemsOf(options: object, environment: Readonly<Record<string, string>> = {}): readonly Problem[] {
  try {
    createPostern({ logger: silent, ...good, ...options } as PosternOptions, environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const cases = mistakesWith({ hub, form, mail, github, email, oidc })

for (const { what, options, option, message, environment } of cases) {
  t.test(`${what}: ${option}`, async (t) => {
    const found = problemsOf(options, environment).filter((problem) => problem.option === option)
    t.equal(found.length, 1, 'told once')
    t.match(found[0]?.message, message)
  })
}

t.test('each message says what was expected, or what there is, and what to do', async (t) => {
  t.ok(cases.length >= 60, `${cases.length} mistakes`)
  for (const { what, options, option, environment } of cases) {
    const [{ message = '' } = {}] = problemsOf(options, environment).filter((problem) => problem.option === option)
    t.match(
      message,
      /expected .+|no such option|two .+ have|needs |not supported|does not go with|allowedOrigins/,
      what
    )
  }
})

t.test('every mistake is told at once, of whatever kind, and each once', async (t) => {
  const problems = problemsOf(
    {
      ...{
        url: 'ftp://app.test',
        secret: 'short',
        sesion: {},
        basePath: 'auth/',
        debug: 1,
        session: { strategy: 'redis' }
      },
      ...{ pages: { signIn: 'data:,' }, cookies: { state: { name: 'a b' } }, allowedOrigins: ['www'] },
      providers: [
        github(),
        github(),
        { id: 'a', name: 'A', type: 'saml' },
        mail,
        { id: 'form', name: 'Form', type: 'credentials' }
      ]
    },
    production
  )
  const options = problems.map(({ option }) => option)
  for (const option of [
    'url',
    'secret',
    'sesion',
    'basePath',
    'debug',
    'session.strategy',
    'pages.signIn',
    'cookies.state',
    'allowedOrigins',
    'providers.github',
    'providers.a.type',
    'providers.form.authorize',
    'adapter'
  ]) {
    t.equal(options.filter((name) => name === option).length, 1, option)
  }
  t.equal(options.filter((name) => name === 'providers.github.clientId').length, 2)
})

t.test('a message holds no secret and no value that was given', async (t) => {
  const problems = problemsOf(
    {
      secret: 'canary-1',
      url: 'canary-2',
      jwt: { secret: 'canary-3' },
      debug: 'canary-4',
      pages: { error: 'data:canary-5' },
      providers: [{ ...hub, options: { clientSecret: 7, clientId: { canary: 6 } } }]
    },
    production
  )
  t.ok(problems.length >= 6)
  t.notMatch(JSON.stringify(problems), /canary/)
})

t.test('what browsers and mail servers take is taken', async (t) => {
  const cookie = (options: object) => ({ cookies: { sessionToken: { name: 'sid', options } } })
  for (const domain of ['app.test', '.app.test', 'APP.test', '']) t.same(problemsOf(cookie({ domain, path: '/' })), [])
  const localhost = { url: 'http://localhost:3000' }
  t.same(problemsOf({ ...localhost, ...cookie({ domain: 'localhost', path: '' }) }), [])
  t.same(problemsOf({ url: 'http://intranet', ...cookie({ domain: 'intranet' }) }), [])
  t.same(problemsOf({ url: undefined, trustHost: ['intranet:8080'], ...cookie({ domain: 'intranet' }) }), [])
  t.same(problemsOf({ url: undefined, trustHost: ['a.app.test', 'b.app.test'], ...cookie({ domain: 'app.test' }) }), [])
  t.same(problemsOf({ url: undefined, trustHost: true, ...cookie({ domain: 'anything' }) }), [])
  t.same(problemsOf({ url: 'https://a.b.app.test', ...cookie({ domain: 'app.test' }) }), [])
  t.same(problemsOf({ pages: { error: '/api/auth/signin', newUser: '/api/authors/welcome', signIn: '/signin' } }), [])
  t.same(problemsOf({ pages: { signIn: 'https://www.app.test/api/auth/signin' } }), [], 'another application')
  const servers = [
    ...['smtp://mail.test', 'smtps://user:p%40ss@mail.test:465/?pool=true', 'SMTP://mail.test'],
    ...[
      { host: 'mail.test', port: 25 },
      { port: 25 },
      { service: 'gmail' },
      { jsonTransport: true },
      { sendmail: true }
    ],
    ...[
      { streamTransport: true },
      { send: () => undefined, hostname: 'mine' },
      { url: 'smtp://mail.test' },
      { SES: {} }
    ]
  ]
  const mistakesOf = (options: object): readonly Problem[] =>
    problemsOf({ providers: [email(options)] }).filter(({ option }) => option.startsWith('providers'))
  for (const server of servers) t.same(mistakesOf({ server, from: 'a@app.test' }), [], JSON.stringify(server))
  for (const from of ['a@app.test', 'App <a@app.test>', '"App, Inc." <no-reply@localhost>'])
    t.same(mistakesOf({ server: 'smtp://mail.test', from }), [], from)
  const own = { sendVerificationRequest: () => undefined, server: 'mailer', from: 'me' }
  t.same(mistakesOf(own), [], 'who sends mails himself knows what he needs')
})

t.test('a mistake is told where it was made', async (t) => {
  const optionsOf = (options: object): readonly string[] => problemsOf(options).map(({ option }) => option)
  t.same(optionsOf({ basePath: 'auth' }), ['basePath'])
  const session = (options: object) => ({ cookies: { sessionToken: { name: 'sid', options } } })
  t.same(optionsOf(session({ domain: 'a:1' })), ['cookies.sessionToken.options.domain'])
  t.same(optionsOf(session({ sameSite: 'none' })), ['cookies.sessionToken'])
  t.same(optionsOf({ cookies: { state: { name: '__Secure-postern.email', options: { secure: true } } } }), [
    'cookies.state'
  ])
})

t.test('options that are none are refused as a mistake', async (t) => {
  for (const [given, told] of [
    ['x', 'text'],
    [undefined, 'nothing'],
    [null, 'null'],
    [42, 'a number'],
    [[], 'a list of 0']
  ] as const) {
    const { problems } = t.throws(() => createPostern(Object(given) === given ? Object(given) : given)) as ConfigError
    t.same(problems, [{ option: 'options', message: `expected an object like { providers: [] }, got ${told}` }])
  }
})

t.test('the address of an issuer does for wellKnown, as in next-auth v4', async (t) => {
  const wellKnownOf = (wellKnown: string): unknown => {
    const provider = { id: 'a', name: 'A', type: 'oauth', clientId: 'b', clientSecret: 'c', wellKnown } as const
    const found = createPostern({ ...good, providers: [provider] }, {})
      .configFor(good.url)
      ?.providers.get('a')
    return found?.kind === 'oauth' ? found.wellKnown : null
  }
  const document = 'https://issuer.test/realm/.well-known/openid-configuration'
  t.equal(wellKnownOf('https://issuer.test/realm'), document)
  t.equal(wellKnownOf('https://issuer.test/realm/'), document)
  t.equal(wellKnownOf(document), document)
  t.equal(wellKnownOf('https://issuer.test/.well-known/other?a=b'), 'https://issuer.test/.well-known/other?a=b')
})

t.test('options without a mistake, undefined ones and a short secret in development are taken', async (t) => {
  t.same(problemsOf({}), [])
  t.same(
    problemsOf(
      { providers: [hub, form], session: undefined, basePath: undefined, callbacks: { jwt: undefined } },
      production
    ),
    []
  )
  t.same(problemsOf({ secret: 'short' }), [])
  t.same(problemsOf({ secret: undefined }), [])
  t.same(problemsOf({ secret: [secret, 'short'] }, production), [], 'a secret that only reads may be short')
  t.same(problemsOf({ url: 'http://localhost:3000' }, production), [])
  t.same(problemsOf({ url: 'http://intranet.test', useSecureCookies: false }, production), [])
  t.same(problemsOf({ url: undefined, trustHost: ['app.test', '[::1]:3000', 'localhost:3000'] }, production), [])
  t.same(
    problemsOf({ pages: { signIn: '/login', error: 'https://www.app.test/oops', newUser: true, signOut: '' } }),
    []
  )
  t.same(problemsOf({ providers: [github] }, { AUTH_GITHUB_ID: 'a', AUTH_GITHUB_SECRET: 'b' }), [])
})

t.test('what is unwise but works is a warning', async (t) => {
  const warnings = (options: object, environment: Record<string, string>): readonly unknown[] => {
    const told: unknown[] = []
    const logger = { ...silent, warn: (code: string, text: unknown) => void told.push(`${code}: ${String(text)}`) }
    createPostern({ ...good, logger, ...options }, environment)
    return told
  }
  t.same(warnings({}, production), [])
  t.match(warnings({ secret: undefined }, {}), [
    /CONFIGURATION: no secret is set: sessions end when the server restarts/
  ])
  t.match(warnings({ secret: [secret, 'short'] }, production), [
    /a secret that is only read is shorter than 32 characters/
  ])
  t.match(warnings({ url: undefined, trustHost: true }, production), [/trustHost: true lets every request say/])
  t.same(warnings({ url: undefined, trustHost: true }, {}), [])
  const day = 86_400
  t.same(warnings({ session: { maxAge: 400 * day, updateAge: 400 * day, absoluteMaxAge: 800 * day } }, production), [])
  t.match(warnings({ session: { maxAge: 30 * day * 1000 } }, production), [
    /CONFIGURATION: session\.maxAge: expected at most 34560000 seconds .*, got 2592000000; divide by 1000/
  ])
  t.match(warnings({ session: { maxAge: 3600, updateAge: day } }, production), [
    /CONFIGURATION: session\.updateAge: expected at most the 3600 seconds of session\.maxAge, got 86400; .*lower updateAge/
  ])
  t.match(warnings({ session: { updateAge: day * 1000 } }, production), [/session\.updateAge: .*got 86400000/])
  t.match(warnings({ jwt: { maxAge: day * 1000 } }, production), [/jwt\.maxAge: expected at most 34560000 seconds/])
  t.match(warnings({ session: { absoluteMaxAge: 30 * day * 1000 } }, production), [
    /session\.absoluteMaxAge: expected at most 315360000 seconds \(ten years\), got 2592000000; divide by 1000/
  ])
  t.match(warnings({ rateLimit: { callbackPerClient: { points: 60, seconds: 900_000 } } }, production), [
    /rateLimit\.callbackPerClient\.seconds: expected at most 86400 \(a day\), got 900000; divide by 1000/
  ])
  t.same(
    warnings({ rateLimit: { limiter: { take: () => 0, giveBack: () => undefined }, mailPerClient: undefined } }, {}),
    []
  )
  const coded = { encode: async () => 'a', decode: async () => null }
  t.same(warnings({ jwt: coded }, production), [])
  t.match(warnings({ jwt: { encode: coded.encode } }, production), [
    /jwt\.encode: expected jwt\.decode beside it; .*both/
  ])
  t.match(warnings({ jwt: { decode: coded.decode } }, production), [/jwt\.decode: expected jwt\.encode beside it/])
  const cookie = { httpOnly: true, secure: true, path: '/', sameSite: 'strict', maxAge: 400 * day }
  const cookies = { sessionToken: { name: 'sid', options: cookie }, state: { name: 'st', options: cookie } }
  t.same(warnings({ cookies: { ...cookies, nonce: undefined, csrfToken: { name: 'csrf' } } }, production), [])
  t.match(warnings({ cookies, providers: [hub] }, production), [
    /cookies\.state\.options\.sameSite: 'strict' keeps this cookie from the answer of a provider .*write 'lax'/
  ])
  t.match(warnings({ cookies: { sessionToken: { options: { ...cookie, httpOnly: false } } } }, production), [
    /cookies\.sessionToken\.options\.httpOnly: scripts .*; write httpOnly: true/
  ])
  t.match(warnings({ cookies: { sessionToken: { options: { ...cookie, maxAge: day * 1000 } } } }, production), [
    /cookies\.sessionToken\.options\.maxAge: expected at most 34560000 seconds .*got 86400000; divide by 1000/
  ])
  for (const logo of ['/logo.svg', 'https://cdn.test/logo.svg', 'data:image/png;base64,', ''])
    t.same(warnings({ theme: { logo } }, production), [], logo)
  for (const logo of ['logo.svg', '//cdn.test/logo.svg', 'javascript:alert(1)'])
    t.match(warnings({ theme: { logo } }, production), [/theme\.logo: expected a path like \/logo\.svg/], logo)
  for (const color of ['#0a7', '#0A7755CC', 'rgb(1 2 3)', 'hsla(20, 90%, 50%, 40%)', ' RebeccaPurple ', 'tan', ''])
    t.same(warnings({ theme: { brandColor: color, buttonText: color } }, production), [], color)
  for (const color of ['bleu', 'blue red', '#12345', 'var(--brand)', 'r.d'])
    t.match(warnings({ theme: { brandColor: color } }, production), [/theme\.brandColor: expected a color: /], color)
  t.match(warnings({ theme: { buttonText: 'whit' } }, production), [/theme\.buttonText: .*; ours is shown/])
  const scoped = (scope: unknown) => ({ providers: [{ ...hub, options: { ...hub.options, scope } }] })
  t.match(warnings(scoped('repo'), production), [/providers\.github\.scope: nothing reads it; write authorization/])
  t.match(warnings(scoped(['read:user']), production), [/providers\.github\.scope: nothing reads it/])
  t.same(warnings(scoped('read:user'), production), [])
  for (const url of ['https://app.test/?a=b', 'https://app.test/#a', 'https://ada:lovelace@app.test']) {
    const told = warnings({ url }, production)
    t.match(told, [/CONFIGURATION: url: what it has of query, fragment, user and password counts for nothing/], url)
    t.notMatch(told.join(), /lovelace/)
  }
  const shared = { sessionToken: { options: { ...cookie, domain: '.example.com' } } }
  t.match(warnings({ url: 'http://localhost:3000', cookies: shared }, {}), [
    /cookies\.sessionToken\.options\.domain: expected the host of url, or a domain above it/
  ])
})

class OwnLogger {
  readonly level = 'warn'
  error(): void {}
  warn(): void {}
}

const accepted: readonly (readonly [what: string, options: object])[] = [
  ['a page of the application below the base path', { basePath: '/auth', pages: { signIn: '/auth/login' } }],
  ['a page beside the one of a provider', { pages: { signIn: '/api/auth/signin/custom' } }],
  ['some levels of another logger', { logger: { error: () => undefined, info: () => undefined } }],
  ['the instance of a class that logs', { logger: new OwnLogger() }]
]

for (const [what, options] of accepted)
  t.test(`no mistake: ${what}`, async (t) => {
    t.same(problemsOf(options), [])
  })

t.test('both secrets of the environment are read, next-auth’s first', async (t) => {
  const one = { NEXTAUTH_SECRET: 'n'.repeat(32), AUTH_SECRET: 'a'.repeat(32) }
  const secretsOf = (environment: Record<string, string>, given?: string | string[]): readonly string[] | undefined =>
    createPostern({ ...good, logger: silent, secret: given }, environment).configFor(good.url)?.secrets
  t.same(secretsOf(one), [one.NEXTAUTH_SECRET, one.AUTH_SECRET])
  t.same(secretsOf({ ...one, NEXTAUTH_SECRET: one.AUTH_SECRET }), [one.AUTH_SECRET])
  t.same(secretsOf(one, secret), [secret])
  t.same(secretsOf(one, [secret, 'old', '']), [secret, 'old'])
})

t.test('a logger may be more than one, as console is; what is misspelt in one is told', async (t) => {
  t.doesNotThrow(() => createPostern({ ...good, logger: console }))
  const misspelt: object = { logger: { eror: () => undefined } }
  t.throws(() => createPostern({ ...good, ...misspelt }), { message: /did you mean logger\.error\?/ })
})
