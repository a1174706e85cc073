import { constantsShape } from './constants-shape.ts'
import { type Kind, longestTime, type OneOf, type Shape } from './kinds.ts'

const cookie: Shape = {
  name: 'text',
  options: {
    httpOnly: 'flag',
    sameSite: ['lax', 'strict', 'none'],
    path: 'text',
    secure: 'flag',
    domain: 'text',
    maxAge: 'seconds'
  }
}

const rule: Kind = { every: { points: { least: 1 }, seconds: { least: 1, most: longestTime } } }

/** Some of a logger, or all; the levels that other loggers have besides are not asked for. */
export const loggerShape: OneOf = {
  oneOf: [
    'logger',
    {
      ...{ error: 'function', warn: 'function', debug: 'function' },
      ...{ fatal: 'any', info: 'any', log: 'any', trace: 'any', silent: 'any', level: 'any', child: 'any' }
    }
  ]
}

/** Every option there is, with what it may be. */
export const optionsShape: Shape = {
  providers: 'list',
  secret: { oneOf: ['text', 'texts'] },
  url: 'text',
  basePath: 'text',
  trustHost: { oneOf: ['flag', 'texts'] },
  adapter: 'object',
  session: {
    strategy: ['jwt', 'database'],
    maxAge: 'seconds',
    updateAge: 'count',
    absoluteMaxAge: 'seconds',
    remember: { oneOf: ['flag', 'function'] },
    storage: ['hashed', 'both', 'plain'],
    readAuthJsCookies: 'flag',
    generateSessionToken: 'function',
    revocations: { oneOf: [[false], 'object'] }
  },
  jwt: { secret: { oneOf: ['text', 'texts'] }, maxAge: 'seconds', encode: 'function', decode: 'function' },
  pages: {
    signIn: 'text',
    signOut: 'text',
    error: 'text',
    verifyRequest: 'text',
    newUser: { oneOf: ['text', [true]] }
  },
  callbacks: { signIn: 'function', redirect: 'function', jwt: 'function', session: 'function' },
  events: {
    signIn: 'function',
    signOut: 'function',
    createUser: 'function',
    updateUser: 'function',
    linkAccount: 'function',
    session: 'function'
  },
  cookies: {
    sessionToken: cookie,
    callbackUrl: cookie,
    csrfToken: cookie,
    pkceCodeVerifier: cookie,
    state: cookie,
    nonce: cookie
  },
  useSecureCookies: 'flag',
  contentSecurityPolicy: { oneOf: ['text', 'function'] },
  headers: 'object',
  theme: {
    colorScheme: ['auto', 'dark', 'light'],
    logo: 'text',
    brandColor: 'text',
    buttonText: 'text',
    name: 'text',
    radius: 'text',
    font: 'text'
  },
  logger: loggerShape,
  debug: 'flag',
  errors: ['message', 'code'],
  account: { encryptTokens: 'flag', revokeAtSignOut: 'flag' },
  linking: { unproven: ['unlink', 'keep'] },
  allowedOrigins: 'texts',
  rateLimit: {
    oneOf: [
      [false],
      {
        limiter: {
          methods: ['take', 'giveBack'],
          mend: 'limiterOn of @postern/fastify makes one of a store of rate-limiter-flexible'
        },
        mailPerIdentifier: rule,
        mailPerClient: rule,
        credentialsPerIdentifierAndClient: rule,
        credentialsPerIdentifier: rule,
        callbackPerClient: rule
      }
    ]
  },
  clientLog: 'flag',
  skipCSRFCheck: { refused: 'a form is always held against its token; list further origins in allowedOrigins' },
  redirectProxyUrl: { refused: 'not supported; register the redirect URI of every deployment with the provider' },
  experimental: { refused: 'there is nothing experimental to switch on' },
  renderer: 'object',
  languages: { refused: 'part of the renderer; pass it to createRenderer of @postern/pages' },
  texts: { refused: 'part of the renderer; pass it to createRenderer of @postern/pages' },
  screens: { refused: 'part of the renderer; pass it to createRenderer of @postern/pages' },
  script: { refused: 'part of the renderer; pass it to createRenderer of @postern/pages' },
  runtime: { now: 'function', randomBytes: 'function', fetch: 'function', sendMail: 'function', kill: 'function' },
  constants: constantsShape
}
