import { defaults } from './defaults.ts'
import type { Shape } from './shape.ts'

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

const rule: Shape = { points: 'count', seconds: 'seconds' }

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
    storage: ['hashed', 'both', 'plain'],
    generateSessionToken: 'function'
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
  theme: { colorScheme: ['auto', 'dark', 'light'], logo: 'text', brandColor: 'text', buttonText: 'text', name: 'text' },
  logger: { error: 'function', warn: 'function', debug: 'function' },
  debug: 'flag',
  errors: ['message', 'code'],
  linking: { unproven: ['unlink', 'keep'] },
  allowedOrigins: 'texts',
  rateLimit: {
    oneOf: [
      [false],
      {
        limiter: 'object',
        mailPerIdentifier: rule,
        mailPerClient: rule,
        credentialsPerIdentifierAndClient: rule,
        credentialsPerIdentifier: rule,
        callbackPerClient: rule
      }
    ]
  },
  clientLog: 'flag',
  renderer: 'object',
  runtime: { now: 'function', randomBytes: 'function', fetch: 'function', sendMail: 'function' },
  constants: { ...Object.fromEntries(Object.keys(defaults).map((name) => [name, 'count' as const])), basePath: 'text' }
}

const common: Shape = {
  id: 'text',
  name: 'text',
  type: 'text',
  options: 'object',
  signinUrl: 'text',
  callbackUrl: 'text'
}
const endpoint: Shape[string] = {
  oneOf: ['text', { url: 'text', params: 'object', request: 'function', conform: 'function' }]
}

/** The options of each kind of provider; those of next-auth v4 and Auth.js that say nothing to us are taken in silence. */
export const providerShapes: Readonly<Record<'oauth' | 'email' | 'credentials', Shape>> = {
  oauth: {
    ...common,
    clientId: 'text',
    clientSecret: 'text',
    wellKnown: 'text',
    issuer: 'text',
    authorization: endpoint,
    token: endpoint,
    userinfo: endpoint,
    jwks_endpoint: 'text',
    checks: { oneOf: ['text', 'texts'] },
    client: 'object',
    idToken: 'flag',
    profile: 'function',
    style: { oneOf: ['object', 'text'] },
    allowDangerousEmailAccountLinking: 'flag',
    verifiesEmail: 'flag',
    allowInsecureRequests: 'flag',
    httpOptions: 'object',
    hooks: 'object',
    version: 'text',
    jwks: 'object',
    region: 'text',
    account: 'function',
    redirectProxyUrl: 'text',
    allowInsecure: 'flag'
  },
  email: {
    ...common,
    server: { oneOf: ['text', 'object'] },
    from: 'text',
    maxAge: 'seconds',
    confirm: ['auto', 'always', 'never'],
    code: [true, false, 'only'],
    sendVerificationRequest: 'function',
    generateVerificationToken: 'function',
    normalizeIdentifier: 'function',
    secret: 'text'
  },
  credentials: { ...common, credentials: 'object', authorize: 'function' }
}
