import { createPostern } from '@postern/core'
import postern from '@postern/fastify'
import { getCsrf } from '@postern/fastify/testing'
import Fastify from 'fastify'
import type { NextAuthConfig } from 'next-auth-5'
import t from 'tap'

const called = new Set<string>()

/** Providers of Auth.js; those of next-auth 5 are the same. */
const { default: GitHub } = await import('@auth/core/providers/github')
const { default: Credentials } = await import('@auth/core/providers/credentials')

/** Every callback and listener, and each reads what the types of Auth.js declare. */
const config: NextAuthConfig = {
  secret: ['a secret of the tests, 32 characters or more'],
  trustHost: true,
  providers: [
    GitHub({ clientId: 'id', clientSecret: 'secret' }),
    Credentials({
      credentials: { username: { label: 'Name', type: 'text' } },
      authorize: async ({ username }) => ({ id: '1', name: String(username), email: 'ada@app.test' })
    })
  ],
  session: { strategy: 'jwt', maxAge: 3600, updateAge: 60 },
  jwt: { maxAge: 3600 },
  pages: { error: '/error' },
  callbacks: {
    signIn: async ({ user, account, profile, email, credentials }) => {
      called.add(`signIn ${account?.type} ${credentials?.['username']} ${profile?.sub} ${email?.verificationRequest}`)
      return user.email?.endsWith('@app.test') ?? false
    },
    redirect: async ({ url, baseUrl }) => (url.startsWith(baseUrl) ? url : baseUrl),
    jwt: async ({ token, user, account, trigger, session }) => {
      if (trigger === 'update') token.name = session.name
      if (token.name === 'Mallory') return null
      return account ? { ...token, first: user.name, at: account.expires_at ?? null } : token
    },
    session: async ({ session, token }) => Object.assign(session, { first: token['first'] })
  },
  events: {
    signIn: ({ user, account, profile, isNewUser }) =>
      void called.add(`event ${user.id} ${account?.provider} ${profile?.name} ${isNewUser}`),
    signOut: (message) => void called.add('token' in message ? `signOut ${message.token?.sub}` : 'signOut'),
    createUser: ({ user }) => void called.add(String(user.id)),
    linkAccount: ({ user, account, profile }) => void called.add(`${user.id} ${account.type} ${profile.email}`),
    session: ({ session, token }) => void called.add(`${session.expires} ${token.sub}`)
  },
  logger: {
    error: (error) => void called.add(String(error)),
    warn: (code) => void called.add(code),
    debug: (message, metadata) => void called.add(`${message} ${String(metadata)}`)
  },
  theme: { colorScheme: 'auto', brandColor: '#123456' },
  cookies: { sessionToken: { name: 'own', options: { httpOnly: true, sameSite: true, path: '/', secure: false } } },
  debug: false
}

t.test('an object of the type NextAuthConfig is passed as it is, with its callbacks', async (t) => {
  t.ok(createPostern({ ...config, url: 'http://localhost:3000' }).basePath)
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(postern, config)
  const { csrfToken, cookies } = await getCsrf(app)
  const signIn = (username: string) =>
    app.inject({
      ...{ method: 'POST', url: '/api/auth/callback/credentials', cookies },
      payload: { csrfToken, username }
    })
  const signedIn = await signIn('Ada')
  t.equal(signedIn.statusCode, 302, signedIn.body)
  const { value: own = '', sameSite } = signedIn.cookies.find(({ name }) => name === 'own') ?? {}
  t.equal(sameSite, 'Strict', 'sameSite: true is strict')
  t.match((await app.inject({ url: '/api/auth/session', cookies: { own } })).json(), { first: 'Ada' })
  t.ok(called.has('signIn credentials Ada undefined undefined'), [...called].join())
})

t.test('jwt.encode and jwt.decode of Auth.js receive the salt that they need', async (t) => {
  const salts: string[] = []
  const { decode, encode } = await import('@auth/core/jwt')
  const jwt: NextAuthConfig['jwt'] = {
    encode: (parameters) => {
      salts.push(parameters.salt)
      return encode(parameters)
    },
    decode: (parameters) => decode(parameters)
  }
  const app = Fastify()
  t.teardown(() => app.close())
  const { cookies: _, ...others } = config
  const cookies = { sessionToken: { name: 'authjs.session-token' } }
  await app.register(postern, { ...others, cookies, jwt, session: { strategy: 'jwt', format: 'auth-js' } })
  const { csrfToken, cookies: browser } = await getCsrf(app)
  const url = '/api/auth/callback/credentials'
  const signedIn = await app.inject({ method: 'POST', url, cookies: browser, payload: { csrfToken, username: 'Ada' } })
  const token = signedIn.cookies.find(({ name }) => name === 'authjs.session-token')?.value ?? ''
  t.same(salts, ['authjs.session-token'])
  const secret = 'a secret of the tests, 32 characters or more'
  t.match(await decode({ token, secret, salt: 'authjs.session-token' }), { name: 'Ada' }, 'Auth.js reads the session')
})
