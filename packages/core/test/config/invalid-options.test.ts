import { invalidOptionsWith, production, secret, validOptions } from '@postern/testkit/invalid-options'
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
const good = validOptions({ form })
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined }

/** Options as a user without TypeScript writes them. */
function getProblems(options: object, environment: Readonly<Record<string, string>> = {}): readonly Problem[] {
  try {
    createPostern({ logger: silent, ...good, ...options } as PosternOptions, environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const cases = invalidOptionsWith({ hub, form, mail, github, email, oidc })

for (const { title, options, option, code, message, environment } of cases) {
  t.test(`${title}: ${option}`, async (t) => {
    const found = getProblems(options, environment).filter((problem) => problem.option === option)
    t.equal(found.length, 1, 'returned once')
    t.equal(found[0]?.code, code)
    t.match(found[0]?.message, message)
  })
}

t.test('each message contains the expected value, or the available ones, and a fix', async (t) => {
  t.ok(cases.length >= 60, `${cases.length} mistakes`)
  for (const { title, options, option, environment } of cases) {
    const [{ message = '' } = {}] = getProblems(options, environment).filter((problem) => problem.option === option)
    t.match(message, /expected .+|unknown option|two .+ have|needs |not supported|allowedOrigins/, title)
  }
})

t.test('every error is reported at once, of whatever kind, and each once', async (t) => {
  const problems = getProblems(
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
  const problems = getProblems(
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
  for (const domain of ['app.test', '.app.test', 'APP.test', '']) t.same(getProblems(cookie({ domain, path: '/' })), [])
  const localhost = { url: 'http://localhost:3000' }
  t.same(getProblems({ ...localhost, ...cookie({ domain: 'localhost', path: '' }) }), [])
  t.same(getProblems({ url: 'http://intranet', ...cookie({ domain: 'intranet' }) }), [])
  t.same(getProblems({ url: undefined, trustHost: ['intranet:8080'], ...cookie({ domain: 'intranet' }) }), [])
  t.same(
    getProblems({ url: undefined, trustHost: ['a.app.test', 'b.app.test'], ...cookie({ domain: 'app.test' }) }),
    []
  )
  t.same(getProblems({ url: undefined, trustHost: true, ...cookie({ domain: 'anything' }) }), [])
  t.same(getProblems({ url: 'https://a.b.app.test', ...cookie({ domain: 'app.test' }) }), [])
  t.same(getProblems({ pages: { error: '/api/auth/signin', newUser: '/api/authors/welcome', signIn: '/signin' } }), [])
  t.same(getProblems({ pages: { signIn: 'https://www.app.test/api/auth/signin' } }), [], 'another application')
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
  const findMistakes = (options: object): readonly Problem[] =>
    getProblems({ providers: [email(options)] }).filter(({ option }) => option.startsWith('providers'))
  for (const server of servers) t.same(findMistakes({ server, from: 'a@app.test' }), [], JSON.stringify(server))
  for (const from of ['a@app.test', 'App <a@app.test>', '"App, Inc." <no-reply@localhost>'])
    t.same(findMistakes({ server: 'smtp://mail.test', from }), [], from)
  const own = { sendVerificationRequest: () => undefined, server: 'mailer', from: 'me' }
  t.same(findMistakes(own), [], 'who sends mails himself knows what he needs')
})

t.test('an error names the option', async (t) => {
  const getOptions = (options: object): readonly string[] => getProblems(options).map(({ option }) => option)
  t.same(getOptions({ basePath: 'auth' }), ['basePath'])
  const session = (options: object) => ({ cookies: { sessionToken: { name: 'sid', options } } })
  t.same(getOptions(session({ domain: 'a:1' })), ['cookies.sessionToken.options.domain'])
  t.same(getOptions(session({ sameSite: 'none' })), ['cookies.sessionToken'])
  t.same(getOptions({ cookies: { state: { name: '__Secure-postern.email', options: { secure: true } } } }), [
    'cookies.state'
  ])
})

t.test('options that are none are refused as a mistake', async (t) => {
  for (const [given, expectedMessage] of [
    ['x', 'a string'],
    [undefined, 'nothing'],
    [null, 'null'],
    [42, 'a number'],
    [[], 'a list of 0']
  ] as const) {
    const { problems } = t.throws(() => createPostern(Object(given) === given ? Object(given) : given)) as ConfigError
    const message = `expected an object like { providers: [] }, got ${expectedMessage}`
    t.same(problems, [{ option: 'options', code: 'INVALID_TYPE', message }])
  }
})

t.test('the address of an issuer does for wellKnown, as in next-auth v4', async (t) => {
  const getWellKnown = (wellKnown: string): unknown => {
    const provider = { id: 'a', name: 'A', type: 'oauth', clientId: 'b', clientSecret: 'c', wellKnown } as const
    const found = createPostern({ ...good, providers: [provider] }, {})
      .configFor(good.url)
      ?.providers.get('a')
    return found?.kind === 'oauth' ? found.wellKnown : null
  }
  const document = 'https://issuer.test/realm/.well-known/openid-configuration'
  t.equal(getWellKnown('https://issuer.test/realm'), document)
  t.equal(getWellKnown('https://issuer.test/realm/'), document)
  t.equal(getWellKnown(document), document)
  t.equal(getWellKnown('https://issuer.test/.well-known/other?a=b'), 'https://issuer.test/.well-known/other?a=b')
})

t.test('options without a mistake, undefined ones and a short secret in development are taken', async (t) => {
  t.same(getProblems({}), [])
  t.same(
    getProblems(
      { providers: [hub, form], session: undefined, basePath: undefined, callbacks: { jwt: undefined } },
      production
    ),
    []
  )
  t.same(getProblems({ secret: 'short' }), [])
  t.same(getProblems({ secret: undefined }), [])
  t.same(getProblems({ secret: [secret, 'short'] }, production), [], 'a secret that only reads may be short')
  t.same(getProblems({ url: 'http://localhost:3000' }, production), [])
  t.same(getProblems({ url: 'http://intranet.test', useSecureCookies: false }, production), [])
  t.same(getProblems({ url: undefined, trustHost: ['app.test', '[::1]:3000', 'localhost:3000'] }, production), [])
  t.same(
    getProblems({ pages: { signIn: '/login', error: 'https://www.app.test/oops', newUser: true, signOut: '' } }),
    []
  )
  t.same(getProblems({ providers: [github] }, { AUTH_GITHUB_ID: 'a', AUTH_GITHUB_SECRET: 'b' }), [])
})

t.test('an unwise but working option is a warning', async (t) => {
  const warnings = (options: object, environment: Record<string, string>): readonly unknown[] => {
    const reported: unknown[] = []
    const logger = { ...silent, warn: (code: string, text: unknown) => void reported.push(`${code}: ${String(text)}`) }
    createPostern({ ...good, logger, ...options }, environment)
    return reported
  }
  t.same(warnings({}, production), [])
  t.match(warnings({ secret: undefined }, {}), [
    /CONFIGURATION: no secret is set: sessions end when the server restarts/
  ])
  t.match(warnings({ secret: [secret, 'short'] }, production), [
    /a secret that only decrypts is shorter than 32 characters/
  ])
  t.match(warnings({ url: undefined, trustHost: true }, production), [/trustHost: true lets every request determine/])
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
  t.same(warnings({ session: { idleTimeout: 600 } }, production), [])
  t.match(warnings({ session: { maxAge: 3600, idleTimeout: 3601 } }, production), [
    /session\.idleTimeout: expected at most the 3600 seconds of session\.maxAge, got 3601; sessions end before it/
  ])
  t.match(warnings({ rateLimit: { callbackPerClient: { points: 60, seconds: 900_000 } } }, production), [
    /rateLimit\.callbackPerClient\.seconds: expected at most 86400 \(a day\), got 900000; divide by 1000/
  ])
  t.same(
    warnings({ rateLimit: { limiter: { consume: () => 0, refund: () => undefined }, mailPerClient: undefined } }, {}),
    []
  )
  const coded = { encode: async () => 'a', decode: async () => null }
  t.same(warnings({ jwt: coded }, production), [])
  t.match(warnings({ jwt: { encode: coded.encode } }, production), [/jwt\.encode: expected jwt\.decode too; .*both/])
  t.match(warnings({ jwt: { decode: coded.decode } }, production), [/jwt\.decode: expected jwt\.encode too/])
  const cookie = { httpOnly: true, secure: true, path: '/', sameSite: 'strict', maxAge: 400 * day }
  const cookies = { sessionToken: { name: 'sid', options: cookie }, state: { name: 'st', options: cookie } }
  t.same(warnings({ cookies: { ...cookies, nonce: undefined, csrfToken: { name: 'csrf' } } }, production), [])
  t.match(warnings({ cookies, providers: [hub] }, production), [
    /cookies\.state\.options\.sameSite: 'strict' excludes this cookie from the response of a provider .*write 'lax'/
  ])
  t.match(warnings({ cookies: { sessionToken: { options: { ...cookie, httpOnly: false } } } }, production), [
    /cookies\.sessionToken\.options\.httpOnly: scripts .*; write httpOnly: true/
  ])
  t.match(warnings({ cookies: { sessionToken: { options: { ...cookie, maxAge: day * 1000 } } } }, production), [
    /cookies\.sessionToken\.options\.maxAge: expected at most 34560000 seconds .*got 86400000; divide by 1000/
  ])
  for (const logo of ['/logo.svg', 'https://cdn.test/logo.svg', 'data:image/png;base64,', ''])
    t.same(warnings({ theme: { logo } }, production), [], logo)
  for (const logo of ['logo.svg', '//cdn.test/logo.svg', 'javascript:alert(1)', 'http://cdn.test/logo.svg'])
    t.match(warnings({ theme: { logo } }, production), [/theme\.logo: expected a path like \/logo\.svg/], logo)
  for (const color of ['#0a7', '#0A7755CC', 'rgb(1 2 3)', 'hsla(20, 90%, 50%, 40%)', ' RebeccaPurple ', 'tan', ''])
    t.same(warnings({ theme: { brandColor: color, buttonText: color } }, production), [], color)
  for (const color of ['bleu', 'blue red', '#12345', 'var(--brand)', 'r.d'])
    t.match(warnings({ theme: { brandColor: color } }, production), [/theme\.brandColor: expected a color: /], color)
  t.match(warnings({ theme: { buttonText: 'whit' } }, production), [/theme\.buttonText: .*; the default is shown/])
  const getForm = (credentials: object, options: object = {}) => ({
    providers: [{ id: 'form', name: 'Form', type: 'credentials', authorize: () => null, credentials, ...options }]
  })
  const password = { type: 'password' }
  for (const fields of [
    {},
    { username: {}, password },
    { a: {}, b: { autocomplete: 'username' } },
    { a: {}, Email: {} }
  ])
    t.same(warnings(getForm(fields), production), [], JSON.stringify(fields))
  t.match(warnings(getForm({ tenant: {}, account: {}, password }), production), [
    /providers\.form\.identifier: the password limits count tenant; name the field with the username/
  ])
  t.match(warnings(getForm({ password }), production), [/the password limits count clients only; name the field/])
  t.same(warnings(getForm({ tenant: {}, account: {} }, { identifier: 'account' }), production), [])
  t.same(warnings({ ...getForm({ tenant: {}, account: {} }), rateLimit: false }, production), [])
  const scoped = (scope: unknown) => ({ providers: [{ ...hub, options: { ...hub.options, scope } }] })
  t.match(warnings(scoped('repo'), production), [/providers\.github\.scope: it has no effect; write authorization/])
  t.match(warnings(scoped(['read:user']), production), [/providers\.github\.scope: it has no effect/])
  t.same(warnings(scoped('read:user'), production), [])
  const keyed = (client: object, clientSecret: string) => ({
    providers: [{ ...hub, options: { ...hub.options, clientSecret, client } }]
  })
  // RFC 7518 §3.2: a key has at least the size of the hash.
  for (const [option, value, size] of [
    ['id_token_signed_response_alg', 'HS256', 32],
    ['id_token_signed_response_alg', 'HS384', 48],
    ['userinfo_signed_response_alg', 'HS512', 64],
    ['token_endpoint_auth_method', 'client_secret_jwt', 32]
  ] as const) {
    const expected = `CONFIGURATION: providers.github.clientSecret: expected at least ${size} bytes for client.${option}: '${value}', got`
    t.same(warnings(keyed({ [option]: value }, 'a'.repeat(size)), production), [], value)
    t.same(warnings(keyed({ [option]: value }, `ä${'a'.repeat(size - 2)}`), production), [], 'bytes, not characters')
    t.same(warnings(keyed({ [option]: value }, 'a'.repeat(size - 1)), production), [
      `${expected} ${size - 1} (RFC 7518 §3.2)`
    ])
  }
  t.same(warnings(keyed({ id_token_signed_response_alg: 'RS256' }, 'short'), production), [])
  for (const url of ['https://app.test/?a=b', 'https://app.test/#a', 'https://ada:lovelace@app.test']) {
    const reported = warnings({ url }, production)
    t.match(reported, [/CONFIGURATION: url: query, fragment, user and password are ignored/], url)
    t.notMatch(reported.join(), /lovelace/)
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

const accepted: readonly (readonly [title: string, options: object])[] = [
  ['a page of the application below the base path', { basePath: '/auth', pages: { signIn: '/auth/login' } }],
  ['a page next to the one of a provider', { pages: { signIn: '/api/auth/signin/custom' } }],
  ['some levels of another logger', { logger: { error: () => undefined, info: () => undefined } }],
  ['the instance of a class that logs', { logger: new OwnLogger() }]
]

for (const [title, options] of accepted)
  t.test(`no mistake: ${title}`, async (t) => {
    t.same(getProblems(options), [])
  })

t.test('both secrets of the environment are read, next-auth’s first', async (t) => {
  const one = { NEXTAUTH_SECRET: 'n'.repeat(32), AUTH_SECRET: 'a'.repeat(32) }
  const getSecrets = (environment: Record<string, string>, given?: string | string[]): readonly string[] | undefined =>
    createPostern({ ...good, logger: silent, secret: given }, environment).configFor(good.url)?.secrets
  t.same(getSecrets(one), [one.NEXTAUTH_SECRET, one.AUTH_SECRET])
  t.same(getSecrets({ ...one, NEXTAUTH_SECRET: one.AUTH_SECRET }), [one.AUTH_SECRET])
  t.same(getSecrets(one, secret), [secret])
  t.same(getSecrets(one, [secret, 'old', '']), [secret, 'old'])
})

t.test('a logger may have more methods, as console does; a misspelled one is reported', async (t) => {
  t.doesNotThrow(() => createPostern({ ...good, logger: console }))
  const misspelled: object = { logger: { eror: () => undefined } }
  t.throws(() => createPostern({ ...good, ...misspelled }), { message: /did you mean logger\.error\?/ })
})
