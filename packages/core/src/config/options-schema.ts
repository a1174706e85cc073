import { type Kind, maxSeconds, maxTimerMilliseconds, type OneOf, type Shape } from '../schema/schema.ts'
import type { defaults } from './defaults.ts'

/** The maximum time for which a device is known, in seconds: 400 days, as browsers limit cookies. */
const maxDeviceAge = 400 * 24 * 60 * 60

const cookie: Shape = {
  name: 'string',
  options: {
    httpOnly: 'boolean',
    sameSite: ['lax', 'strict', 'none', true, false],
    path: 'string',
    secure: 'boolean',
    domain: 'string',
    maxAge: 'seconds'
  }
}

const rule: Kind = { allRequired: { points: { min: 1 }, seconds: { min: 1, max: maxSeconds } } }

/** A logger, complete or partial; additional levels of other loggers are allowed. */
export const loggerShape: OneOf = {
  oneOf: [
    'logger',
    {
      error: 'function',
      warn: 'function',
      debug: 'function',
      fatal: 'any',
      info: 'any',
      log: 'any',
      trace: 'any',
      silent: 'any',
      level: 'any',
      child: 'any'
    }
  ]
}

/** A duration in seconds, not 0. */
const time: Kind = { min: 1, max: maxSeconds }
/** A duration in seconds, or 0. */
const timeOrNone: Kind = { min: 0, max: maxSeconds }
const timer: Kind = { min: 1, max: maxTimerMilliseconds }
/** The lower limit cannot be guessed; the upper one fits in a link and a cookie. */
const randomBytes: Kind = { min: 16, max: 256 }

/** The range of each constant: 0 is allowed if it has a meaning. */
const constantsShape: { readonly [K in keyof typeof defaults]: Kind } = {
  basePath: 'string',
  sessionMaxAge: time,
  sessionUpdateAge: timeOrNone,
  verificationMaxAge: { min: 1, max: 86_400 },
  verificationTokenBytes: randomBytes,
  csrfTokenBytes: randomBytes,
  checksMaxAge: time,
  // Ten fill their cookie.
  maxAttempts: { min: 1, max: 10 },
  // A smaller size needs more cookies than a session may have; browsers drop larger cookies.
  cookieChunkSize: { min: 256, max: 4096 },
  // At least one cookie for the session; at most fifty chunks are read.
  cookieBudget: { min: 6000, max: 190_000 },
  clockTolerance: { min: 0, max: 3600 },
  keySetMaxAge: time,
  keySetThrottle: time,
  keySetCooldown: time,
  staleIfError: timeOrNone,
  // A repaired provider works again within this time.
  providerRetryAfter: { min: 0, max: 60 },
  maxIssuers: { min: 1 },
  metadataMaxAge: time,
  tokenRenewBefore: timeOrNone,
  outboundTimeoutMilliseconds: timer,
  outboundMaxBytes: { min: 1024 },
  callbackTimeoutMilliseconds: timer,
  mailTimeoutMilliseconds: timer,
  limiterTimeoutMilliseconds: timer,
  // The alphabet has twenty letters: six letters are 64 million codes. At most 64 typed characters are read, including
  // spaces.
  codeLength: { min: 6, max: 32 },
  maxCodeTries: { min: 1, max: 100 },
  // A provider with `response_mode=form_post` sends up to a few thousand bytes.
  bodyLimitBytes: { min: 4096 },
  callbackUrlLength: { min: 256, max: 3800 },
  secretLength: { min: 32 },
  revocationRefresh: timeOrNone,
  revocationStale: time,
  maxRevocations: { min: 0 },
  cleaningInterval: time,
  cleaningGrace: timeOrNone,
  eventMaxAge: time,
  cleaningBatch: { min: 1 },
  linkFreshWithin: time,
  deviceMaxAge: { min: 1, max: maxDeviceAge }
}

/** All options, with their types. */
export const optionsShape: Shape = {
  providers: 'list',
  features: 'list',
  secret: { oneOf: ['string', 'strings'] },
  dataSecret: { oneOf: ['string', 'strings'] },
  url: 'string',
  basePath: 'string',
  pathPrefix: 'string',
  applicationId: 'string',
  acceptUnbound: 'boolean',
  trustHost: { oneOf: ['boolean', 'strings'] },
  adapter: 'object',
  session: {
    strategy: ['jwt', 'database'],
    maxAge: 'seconds',
    updateAge: 'nonNegativeInteger',
    absoluteMaxAge: 'seconds',
    idleTimeout: { min: 60, max: maxSeconds },
    maxPerUser: { min: 1 },
    remember: { oneOf: ['boolean', 'function'] },
    storage: ['hashed', 'both', 'plain'],
    readAuthJsCookies: 'boolean',
    format: ['next-auth', 'auth-js'],
    generateSessionToken: 'function',
    revocations: { oneOf: [[false], 'object'] }
  },
  jwt: { secret: { oneOf: ['string', 'strings'] }, maxAge: 'seconds', encode: 'function', decode: 'function' },
  pages: {
    signIn: 'string',
    signOut: 'string',
    error: 'string',
    verifyRequest: 'string',
    newUser: { oneOf: ['string', [true]] },
    account: 'string'
  },
  callbacks: { signIn: 'function', redirect: 'function', jwt: 'function', session: 'function', language: 'function' },
  events: {
    signIn: 'function',
    signOut: 'function',
    createUser: 'function',
    updateUser: 'function',
    reclaimUser: 'function',
    deleteUser: 'function',
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
  useSecureCookies: 'boolean',
  contentSecurityPolicy: { oneOf: ['string', 'function'] },
  headers: 'object',
  theme: {
    colorScheme: ['auto', 'dark', 'light'],
    logo: 'string',
    brandColor: 'string',
    buttonText: 'string',
    name: 'string',
    radius: 'string',
    font: 'string',
    links: { support: 'string' }
  },
  logger: loggerShape,
  debug: 'boolean',
  errors: ['message', 'code'],
  account: { encryptTokens: 'boolean', revokeAtSignOut: 'boolean' },
  linking: {
    freshWithin: { oneOf: [[false], 'seconds'] },
    signedIn: ['confirm', 'link'],
    concealUsers: 'boolean'
  },
  mailer: 'object',
  hiddenProviders: 'strings',
  identifierFirst: 'boolean',
  allowedOrigins: 'strings',
  rateLimit: {
    oneOf: [
      [false],
      {
        limiter: {
          methods: ['consume', 'refund'],
          hint: 'limiterOn of @postern/fastify makes one of a store of rate-limiter-flexible'
        },
        mailPerIdentifier: rule,
        mailPerClient: rule,
        mailPerApplication: rule,
        credentialsPerIdentifierAndClient: rule,
        credentialsPerIdentifier: rule,
        credentialsPerClient: rule,
        callbackPerClient: rule
      }
    ]
  },
  clientLog: 'boolean',
  skipCSRFCheck: { refused: 'the CSRF token is always checked; list additional origins in allowedOrigins' },
  // The names of better-auth.
  baseURL: { refused: 'not an option; write url' },
  database: { refused: 'not an option; pass an adapter, such as sqliteAdapter of @postern/adapters/sqlite' },
  emailAndPassword: { refused: 'not an option; add password() of @postern/account/password to providers' },
  socialProviders: { refused: 'not an option; add the modules of @postern/core/providers to providers' },
  plugins: { refused: 'not an option; add features to features' },
  trustedOrigins: { refused: 'not an option; write allowedOrigins' },
  redirectProxyUrl: { refused: 'not supported; register the redirect URI of every deployment with the provider' },
  experimental: { refused: 'there are no experimental features' },
  renderer: 'object',
  languages: { refused: 'part of the renderer; pass it to createRenderer of @postern/pages' },
  texts: { refused: 'part of the renderer; pass it to createRenderer of @postern/pages' },
  screens: { refused: 'part of the renderer; pass it to createRenderer of @postern/pages' },
  script: { refused: 'part of the renderer; pass it to createRenderer of @postern/pages' },
  runtime: {
    now: 'function',
    randomBytes: 'function',
    fetch: 'function',
    sendMail: 'function',
    loadMailer: 'function'
  },
  constants: constantsShape
}
