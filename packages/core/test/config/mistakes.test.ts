import t from 'tap'
import type { PosternOptions } from '../../src/config/options.ts'
import { ConfigError, type Problem } from '../../src/errors/config-error.ts'
import { createPostern } from '../../src/postern.ts'
import credentials from '../../src/providers/credentials.ts'
import email from '../../src/providers/email.ts'
import github from '../../src/providers/github.ts'
import oidc from '../../src/providers/oidc.ts'

const secret = 'a secret of the tests, 32 characters or more'
const form = credentials({ credentials: { name: {} }, authorize: () => null })
const hub = github({ clientId: 'a', clientSecret: 'b' })
const mail = email({ server: 'smtp://mail.test', from: 'a@app.test' })
const good = { url: 'https://app.test', secret, providers: [form] }
const production = { NODE_ENV: 'production' }
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

type Case = readonly [
  what: string,
  options: object,
  option: string,
  message: RegExp,
  environment?: Record<string, string>
]

const cases: readonly Case[] = [
  [
    'no secret in production',
    { secret: undefined },
    'secret',
    /expected a secret, got nothing; set AUTH_SECRET/,
    production
  ],
  [
    'a store of revocations without its methods',
    { session: { revocations: { revoke: () => 1 } } },
    'session.revocations',
    /expected a store with these methods, which it does not have: getRevocations, listRevocations/
  ],
  [
    'revocations that are no store',
    { session: { revocations: true } },
    'session.revocations',
    /expected false or an object/
  ],
  [
    'a misspelt option of sessions',
    { session: { revocation: false } },
    'session.revocation',
    /did you mean session.revocations/
  ],
  ['an empty secret in production', { secret: '' }, 'secret', /expected a secret, got nothing/, production],
  [
    'a short secret in production',
    { secret: 'too short' },
    'secret',
    /at least 32 characters, got 9; make one with openssl/,
    production
  ],
  [
    'a short writing secret before a long one',
    { secret: ['short', secret] },
    'secret',
    /at least 32 characters, got 5/,
    production
  ],
  [
    'a short AUTH_SECRET',
    { secret: undefined },
    'secret',
    /at least 32 characters, got 5/,
    { ...production, AUTH_SECRET: 'short' }
  ],
  ['a secret that is a number', { secret: 42 }, 'secret', /expected text or a list of texts, got a number/],
  [
    'an empty secret for session tokens',
    { jwt: { secret: '' } },
    'jwt.secret',
    /expected a secret, got nothing; leave it out/
  ],
  ['no secret for session tokens in a list', { jwt: { secret: [] } }, 'jwt.secret', /expected a secret, got nothing/],
  [
    'a short secret for session tokens',
    { jwt: { secret: 'short' } },
    'jwt.secret',
    /at least 32 characters, got 5/,
    production
  ],
  [
    'no address in production',
    { url: undefined },
    'url',
    /expected the address of the application, got nothing; set AUTH_URL/,
    production
  ],
  [
    'http in production',
    { url: 'http://app.test' },
    'url',
    /expected an https address in production, got http; write https, or set useSecureCookies: false/,
    production
  ],
  [
    'an address of another scheme',
    { url: 'ftp://app.test' },
    'url',
    /expected an address like https:\/\/app\.example\.com/
  ],
  ['an address with a query', { url: 'https://app.test/?a=b' }, 'url', /expected an address without query, fragment/],
  ['an address with a fragment', { url: 'https://app.test/#a' }, 'url', /expected an address without query, fragment/],
  [
    'an address with a password',
    { url: 'https://ada:lovelace@app.test' },
    'url',
    /expected an address without .*user and password, like https:\/\/app\.example\.com; leave them out$/
  ],
  [
    'a base path that goes up',
    { basePath: '/api/../auth' },
    'basePath',
    /expected a path like \/api\/auth.*; write \/api\/auth$/
  ],
  [
    'a base path with two slashes',
    { basePath: '/api//auth' },
    'basePath',
    /expected a path like.*; write \/api\/auth$/
  ],
  ['a base path with a query', { basePath: '/auth?a' }, 'basePath', /expected a path like/],
  ['a base path with a fragment', { basePath: '/auth#a' }, 'basePath', /expected a path like/],
  [
    'a sign-in page that sends to itself',
    { pages: { signIn: '/api/auth/signin' } },
    'pages.signIn',
    /expected a page of the application, got one of our own routes, .*; leave it out for the built-in page$/
  ],
  [
    'a sign-in page below ours',
    { pages: { signIn: '/api/auth/signin/github?a=b' } },
    'pages.signIn',
    /got one of our own routes/
  ],
  [
    'a sign-in page that is ours, as an address',
    { pages: { signIn: 'https://app.test/api/auth/signin/' } },
    'pages.signIn',
    /got one of our own routes/
  ],
  [
    'a sign-out page that sends to itself',
    { pages: { signOut: '/api/auth/signout' } },
    'pages.signOut',
    /got one of our own routes/
  ],
  [
    'an error page that sends to itself',
    { basePath: '/auth', pages: { error: '/auth/error' } },
    'pages.error',
    /got one of our own routes/
  ],
  [
    'a page for mails under way that sends to itself',
    { pages: { verifyRequest: '/api/auth/verify-request' } },
    'pages.verifyRequest',
    /got one of our own routes/
  ],
  [
    'a welcome page that is ours',
    { pages: { newUser: '/api/auth/welcome' } },
    'pages.newUser',
    /got one of our own routes, .*; write true for the built-in page$/
  ],
  [
    'a domain with a scheme',
    { cookies: { sessionToken: { options: { domain: 'https://app.test' } } } },
    'cookies.sessionToken.options.domain',
    /expected a domain like example\.com, without scheme, port and path/
  ],
  [
    'a domain with a port',
    { cookies: { sessionToken: { options: { domain: 'app.test:3000' } } } },
    'cookies.sessionToken.options.domain',
    /expected a domain like example\.com, without scheme, port and path/
  ],
  [
    'a domain that is a top-level one',
    { cookies: { sessionToken: { options: { domain: 'test' } } } },
    'cookies.sessionToken.options.domain',
    /expected a domain like example\.com, got a top-level domain; no browser keeps/
  ],
  [
    'a domain of another site',
    { cookies: { csrfToken: { options: { domain: '.other.test' } } } },
    'cookies.csrfToken.options.domain',
    /expected the host of url, or a domain above it; .*; leave it out/
  ],
  [
    'a domain below the site',
    { cookies: { csrfToken: { options: { domain: 'www.app.test' } } } },
    'cookies.csrfToken.options.domain',
    /expected the host of url, or a domain above it/
  ],
  [
    'a domain that only ends like the site',
    { cookies: { csrfToken: { options: { domain: 'pp.test' } } } },
    'cookies.csrfToken.options.domain',
    /expected the host of url, or a domain above it/
  ],
  [
    'a path without its slash',
    { cookies: { sessionToken: { options: { path: 'app' } } } },
    'cookies.sessionToken.options.path',
    /expected a path like \/, which begins with a slash/
  ],
  [
    'a name that leaves a cookie no room',
    { cookies: { sessionToken: { name: 's'.repeat(200) } } },
    'constants.cookieChunkSize',
    /expected at most 3893 beside the name of the session cookie, got 3933; browsers drop/
  ],
  [
    'an issuer that is the address of its document',
    { providers: [oidc({ id: 'a', issuer: 'https://i.test/.well-known/openid-configuration', clientId: 'b' })] },
    'providers.a.issuer',
    /expected an issuer, got the address of its document; leave \/\.well-known\/openid-configuration out$/
  ],
  [
    'scopes in a list',
    { providers: [{ ...hub, options: { clientId: 'a', clientSecret: 'b', scope: ['a', 'b'] } }] },
    'providers.github.scope',
    /expected text, got a list of 2; write authorization: \{ params: \{ scope: 'one two' \} \}$/
  ],
  [
    'a mail server without its scheme',
    { providers: [email({ server: 'localhost:1025', from: 'a@app.test' })] },
    'providers.email.server',
    /expected an address like smtp:\/\/localhost:1025, got another text; write smtp:\/\/ before it$/
  ],
  [
    'a mail server of the web',
    { providers: [email({ server: 'http://mail.test', from: 'a@app.test' })] },
    'providers.email.server',
    /expected an address like smtp:\/\/localhost:1025, got another text$/
  ],
  [
    'a mail server of the environment without its scheme',
    { providers: [email({ from: 'a@app.test' })] },
    'providers.email.server',
    /write smtp:\/\/ before it$/,
    { EMAIL_SERVER: 'mail.test' }
  ],
  [
    'a mail server whose host has another name',
    { providers: [email({ server: { hostname: 'mail.test', port: 25 }, from: 'a@app.test' })] },
    'providers.email.server',
    /there is no such option hostname; did you mean host\?$/
  ],
  [
    'a sender without an address',
    { providers: [email({ server: 'smtp://mail.test', from: 'me' })] },
    'providers.email.from',
    /expected an address like App <sign-in@app\.example\.com>, got another text; write/
  ],
  ['an address that is none', { url: 'https://[' }, 'url', /expected an address like/],
  ['an address that is no text', { url: new URL('https://app.test') }, 'url', /expected text, got an object/],
  [
    'a trusted host with a scheme',
    { url: undefined, trustHost: ['https://app.test'] },
    'trustHost',
    /expected hosts like app\.example\.com/
  ],
  ['no trusted host', { url: undefined, trustHost: [] }, 'trustHost', /expected hosts like/],
  [
    'a trusted host that is a text',
    { trustHost: 'app.test' },
    'trustHost',
    /expected true or false or a list of texts, got another text/
  ],
  [
    'every host trusted, with e-mail',
    { url: undefined, trustHost: true, providers: [mail] },
    'trustHost',
    /does not go with sign-in by e-mail.*list the hosts/
  ],
  [
    'a base path with a slash at its end',
    { basePath: '/api/auth/' },
    'basePath',
    /none at the end.*; write \/api\/auth$/
  ],
  ['a base path without a slash', { basePath: 'auth' }, 'basePath', /expected a path like.*; write \/auth$/],
  ['a base path that is the root', { basePath: '/' }, 'basePath', /expected a path like \/api\/auth/],
  [
    'no adapter for e-mail',
    { providers: [mail] },
    'adapter',
    /expected an adapter, got nothing: sign-in by e-mail.*; pass one, such as sqliteAdapter/
  ],
  [
    'no adapter for database sessions',
    { session: { strategy: 'database' } },
    'adapter',
    /expected an adapter, got nothing: session\.strategy/
  ],
  [
    'an adapter without methods',
    { adapter: {} },
    'adapter',
    /expected these methods.*getUserByAccount.*deleteSession; add them/
  ],
  [
    'an adapter that was not called',
    { adapter: () => ({}) },
    'adapter',
    /expected an object, got a function; call it$/
  ],
  ['an adapter that was not waited for', { adapter: Promise.resolve({}) }, 'adapter', /got a promise; await it$/],
  ['an option that there is not', { sesion: {} }, 'sesion', /there is no such option; did you mean session\?/],
  ['an option in another case', { basepath: '/auth' }, 'basepath', /did you mean basePath\?/],
  ['an option like no other', { wallpaper: true }, 'wallpaper', /^there is no such option$/],
  ['a nested option that there is not', { session: { maxage: 1 } }, 'session.maxage', /did you mean session\.maxAge\?/],
  [
    'a callback that there is not',
    { callbacks: { sign_in: () => true } },
    'callbacks.sign_in',
    /did you mean callbacks\.signIn\?/
  ],
  [
    'a cookie that there is not',
    { cookies: { session: {} } },
    'cookies.session',
    /no such option; there are sessionToken, callbackUrl/
  ],
  [
    'a constant that there is not',
    { constants: { clockTollerance: 1 } },
    'constants.clockTollerance',
    /did you mean constants\.clockTolerance\?/
  ],
  [
    'a strategy that there is not',
    { session: { strategy: 'redis' } },
    'session.strategy',
    /expected "jwt" or "database", got another text/
  ],
  ['an age of no time', { session: { maxAge: 0 } }, 'session.maxAge', /expected a number of seconds above 0, got 0$/],
  [
    'an age that is a text',
    { session: { maxAge: '30d' } },
    'session.maxAge',
    /expected a number of seconds above 0, got text/
  ],
  [
    'an age that never ends',
    { jwt: { maxAge: Number.POSITIVE_INFINITY } },
    'jwt.maxAge',
    /expected a number of seconds above 0/
  ],
  ['a callback that is no function', { callbacks: { jwt: 'jwt' } }, 'callbacks.jwt', /expected a function, got text/],
  ['a flag that is a text', { debug: 'false' }, 'debug', /expected true or false, got text; write it without quotes$/],
  ['a number that is a text', { session: { maxAge: '3600' } }, 'session.maxAge', /got text; write it without quotes$/],
  [
    'half a count',
    { constants: { mostAttempts: 2.5 } },
    'constants.mostAttempts',
    /a whole number from 1 to 10, got 2.5$/
  ],
  [
    'a link that anybody can write',
    { constants: { verificationTokenBytes: 0 } },
    'constants.verificationTokenBytes',
    /expected a whole number from 16 to 256, got 0$/
  ],
  [
    'an anti-forgery token that anybody can guess',
    { constants: { csrfTokenBytes: 15 } },
    'constants.csrfTokenBytes',
    /expected a whole number from 16 to 256, got 15$/
  ],
  [
    'cookies without room',
    { constants: { cookieChunkSize: 0 } },
    'constants.cookieChunkSize',
    /expected a whole number from 256 to 4096, got 0$/
  ],
  [
    'cookies that browsers drop',
    { constants: { cookieChunkSize: 100_000 } },
    'constants.cookieChunkSize',
    /expected a whole number from 256 to 4096, got 100000$/
  ],
  [
    'codes that are guessed',
    { constants: { codeLength: 4 } },
    'constants.codeLength',
    /expected a whole number from 6 to 32, got 4$/
  ],
  [
    'links that last longer than a day, all of them',
    { constants: { verificationMaxAge: 86_401 } },
    'constants.verificationMaxAge',
    /expected a whole number from 1 to 86400, got 86401$/
  ],
  [
    'a bound that lets nothing through',
    { constants: { outboundMaxBytes: 0 } },
    'constants.outboundMaxBytes',
    /expected a whole number, 1024 or more, got 0$/
  ],
  [
    'a time without end',
    { constants: { keySetMaxAge: Number.POSITIVE_INFINITY } },
    'constants.keySetMaxAge',
    /expected a whole number from 1 to 100000000000, got Infinity$/
  ],
  [
    'a timer that would be over at once',
    { constants: { outboundTimeoutMilliseconds: 2 ** 31 } },
    'constants.outboundTimeoutMilliseconds',
    /expected a whole number from 1 to 2147483647, got 2147483648$/
  ],
  [
    'a lower bound for secrets than the default',
    { constants: { secretLength: 8 } },
    'constants.secretLength',
    /expected a whole number, 32 or more, got 8$/
  ],
  [
    'a secret below the bound of the application',
    { constants: { secretLength: 100 } },
    'secret',
    /expected at least 100 characters, got 44; make one with openssl rand -hex 50$/,
    production
  ],
  [
    'an age without a date',
    { session: { maxAge: 1e15 } },
    'session.maxAge',
    /expected a number of seconds above 0, got 1000000000000000; write at most 100000000000/
  ],
  [
    'a cookie that lasts longer than any date',
    { cookies: { sessionToken: { options: { maxAge: 1e15 } } } },
    'cookies.sessionToken.options.maxAge',
    /expected a number of seconds above 0, got 1000000000000000; write at most 100000000000/
  ],
  [
    'a wait that no timer can wait',
    { providers: [github({ clientId: 'a', clientSecret: 'b', httpOptions: { timeout: 1e10 } })] },
    'providers.github.httpOptions.timeout',
    /expected a number of milliseconds above 0, got 10000000000; write at most 2147483647/
  ],
  [
    'a limit without seconds',
    { rateLimit: { callbackPerClient: { points: 60 } } },
    'rateLimit.callbackPerClient.seconds',
    /expected a whole number from 1 to 100000000000, got nothing; pass seconds too$/
  ],
  [
    'a limit without points',
    { rateLimit: { mailPerClient: { seconds: 60 } } },
    'rateLimit.mailPerClient.points',
    /expected a whole number, 1 or more, got nothing; pass points too$/
  ],
  [
    'a limit that refuses all',
    { rateLimit: { callbackPerClient: { points: 0, seconds: 60 } } },
    'rateLimit.callbackPerClient.points',
    /expected a whole number, 1 or more, got 0$/
  ],
  [
    'a limiter that cannot count',
    { rateLimit: { limiter: {} } },
    'rateLimit.limiter',
    /expected an object with take\(\) and giveBack\(\), got an object; limiterOn of @postern\/fastify makes one/
  ],
  [
    'a limit without its time',
    { rateLimit: { mailPerClient: { points: 1, second: 2 } } },
    'rateLimit.mailPerClient.second',
    /did you mean rateLimit\.mailPerClient\.seconds\?/
  ],
  ['limits that are on', { rateLimit: true }, 'rateLimit', /expected false or an object, got a boolean/],
  [
    'an option of Auth.js that there is not',
    { skipCSRFCheck: true },
    'skipCSRFCheck',
    /list further origins in allowedOrigins/
  ],
  [
    'a theme that there is not',
    { theme: { colorScheme: 'night' } },
    'theme.colorScheme',
    /expected "auto" or "dark" or "light"/
  ],
  ['a logger that is a function', { logger: console.log }, 'logger', /expected an object, got a function/],
  ['a group that is a list', { session: [] }, 'session', /expected an object, got a list of 0/],
  [
    'a page that no browser opens',
    { pages: { signIn: 'javascript:alert(1)' } },
    'pages.signIn',
    /expected a path like \/signin, or an address/
  ],
  ['a page whose address is none', { pages: { error: 'https://[' } }, 'pages.error', /expected a path like/],
  [
    'an origin with a path',
    { allowedOrigins: ['https://www.app.test/'] },
    'allowedOrigins',
    /expected origins like https:\/\/www\.example\.com/
  ],
  [
    '__Host- with a domain',
    { cookies: { csrfToken: { name: '__Host-csrf', options: { secure: true, path: '/', domain: 'app.test' } } } },
    'cookies.csrfToken',
    /the prefix __Host- needs .* no domain/
  ],
  [
    '__Secure- without secure',
    { cookies: { sessionToken: { name: '__Secure-sid', options: { path: '/' } } } },
    'cookies.sessionToken',
    /the prefix __Secure- needs options\.secure: true/
  ],
  [
    'SameSite=None without secure',
    { cookies: { state: { name: 'st', options: { sameSite: 'none' } } } },
    'cookies.state',
    /sameSite: 'none' needs options\.secure: true/
  ],
  [
    'a cookie with a space in its name',
    { cookies: { nonce: { name: 'a b' } } },
    'cookies.nonce',
    /expected a name without spaces/
  ],
  [
    'two cookies of one name',
    { cookies: { state: { name: 'a' }, nonce: { name: 'a' } } },
    'cookies.nonce',
    /two cookies have this name; give one of them another/
  ],
  ['cookies without secure on https', { useSecureCookies: 'yes' }, 'useSecureCookies', /expected true or false/],
  ['no providers', { providers: undefined }, 'providers', /expected a list of providers, got nothing; pass providers/],
  ['providers by name', { providers: { github: hub } }, 'providers', /expected a list, got an object/],
  [
    'a provider that is none',
    { providers: ['github'] },
    'providers[0]',
    /expected a provider, got another text; import it from @postern\/core\/providers/
  ],
  ['a provider that was not imported', { providers: [undefined] }, 'providers[0]', /expected a provider, got nothing/],
  ['providers in a list of their own', { providers: [[hub]] }, 'providers[0]', /expected a provider, got a list/],
  [
    'a provider that was not waited for',
    { providers: [Promise.resolve(hub)] },
    'providers[0]',
    /expected a provider, got a promise; await it/
  ],
  [
    'a provider of an unknown type',
    { providers: [{ id: 'a', name: 'A', type: 'saml' }] },
    'providers.a.type',
    /expected oauth, oidc, email or credentials/
  ],
  [
    'a provider without an id',
    { providers: [{ ...hub, id: undefined }] },
    'providers[0].id',
    /expected up to 64 letters/
  ],
  ['an id with a slash', { providers: [{ ...hub, id: 'a/b' }] }, 'providers[0].id', /expected up to 64 letters/],
  [
    'two providers of one id',
    { providers: [hub, { ...hub, name: 'Other' }] },
    'providers.github',
    /two providers have this id; give one of them another id/
  ],
  [
    'a provider without a client id',
    { providers: [github()] },
    'providers.github.clientId',
    /expected text, got nothing; pass clientId or set AUTH_GITHUB_ID/
  ],
  [
    'a provider with a misspelt option',
    { providers: [{ ...hub, options: { clientID: 'a', clientSecret: 'b' } }] },
    'providers.github.clientID',
    /did you mean providers\.github\.clientId\?/
  ],
  [
    'a provider without endpoints',
    { providers: [{ id: 'a', name: 'A', type: 'oauth', clientId: 'b' }] },
    'providers.a.issuer',
    /expected an issuer|expected issuer/
  ],
  [
    'an issuer over http in production',
    { providers: [oidc({ id: 'a', issuer: 'http://issuer.test', clientId: 'b' })] },
    'providers.a.issuer',
    /expected an https address, got http; allowInsecureRequests: true allows it/,
    production
  ],
  [
    'an issuer that is no address',
    { providers: [oidc({ id: 'a', issuer: 'issuer.test', clientId: 'b' })] },
    'providers.a.issuer',
    /expected an https address/
  ],
  [
    'OAuth 1.0a',
    { providers: [{ ...hub, version: '1.0A' }] },
    'providers.github.version',
    /OAuth 1\.0a is not supported; use/
  ],
  [
    'an unknown client authentication',
    { providers: [{ ...hub, client: { token_endpoint_auth_method: 'basic' } }] },
    'providers.github.client.token_endpoint_auth_method',
    /expected .*client_secret_post/
  ],
  [
    'e-mail without a server',
    { providers: [email({ from: 'a@app.test' })] },
    'providers.email.server',
    /expected .* mail server, got nothing; set EMAIL_SERVER or pass server/
  ],
  [
    'e-mail without a sender',
    { providers: [email({ server: 'smtp://mail.test' })] },
    'providers.email.from',
    /expected an address, got nothing; set EMAIL_FROM or pass from/
  ],
  [
    'links that last longer than a day',
    { providers: [email({ server: 'smtp://mail.test', from: 'a', maxAge: 86_401 })] },
    'providers.email.maxAge',
    /expected at most 86400 seconds, got 86401$/
  ],
  [
    'a form without authorize',
    { providers: [{ id: 'form', name: 'Form', type: 'credentials' }] },
    'providers.form.authorize',
    /expected a function that returns a user or null, got nothing/
  ],
  [
    'no options at all',
    { ...Object.fromEntries(Object.keys(good).map((name) => [name, undefined])) },
    'providers',
    /expected a list of providers/
  ]
]

for (const [what, options, option, message, environment] of cases) {
  t.test(`${what}: ${option}`, async (t) => {
    const found = problemsOf(options, environment).filter((problem) => problem.option === option)
    t.equal(found.length, 1, 'told once')
    t.match(found[0]?.message, message)
  })
}

t.test('each message says what was expected, or what there is, and what to do', async (t) => {
  t.ok(cases.length >= 60, `${cases.length} mistakes`)
  for (const [what, options, option, , environment] of cases) {
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
  const scoped = (scope: string) => ({ providers: [{ ...hub, options: { ...hub.options, scope } }] })
  t.match(warnings(scoped('repo'), production), [/providers\.github\.scope: nothing reads it; write authorization/])
  t.same(warnings(scoped('read:user'), production), [])
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
