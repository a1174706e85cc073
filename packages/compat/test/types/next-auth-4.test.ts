import { createPostern } from '@postern/core'
import postern from '@postern/fastify'
import { getCsrf } from '@postern/fastify/testing'
import Fastify from 'fastify'
import type { NextAuthOptions } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import GitHub from 'next-auth/providers/github'
import t from 'tap'

const called = new Set<string>()

/** Every callback and listener, and each reads what next-auth's types declare. */
const authOptions: NextAuthOptions = {
  secret: 'a secret of the tests, 32 characters or more',
  providers: [
    GitHub.default({ clientId: 'id', clientSecret: 'secret' }),
    Credentials.default({
      credentials: { username: { label: 'Name', type: 'text' } },
      authorize: async (given) => ({ id: '1', name: given?.username ?? null, email: 'ada@app.test' })
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
      return account ? { ...token, first: user.name, at: account.expires_at ?? null } : token
    },
    session: async ({ session, token, user }) => ({
      ...session,
      first: token['first'],
      user: { ...session.user, ...user }
    })
  },
  events: {
    signIn: ({ user, account, profile, isNewUser }) =>
      void called.add(`event ${user.id} ${account?.provider} ${profile?.name} ${isNewUser}`),
    signOut: ({ token }) => void called.add(`signOut ${token.sub}`),
    createUser: ({ user }) => void called.add(user.id),
    updateUser: ({ user }) => void called.add(user.id),
    linkAccount: ({ user, account, profile }) => void called.add(`${user.id} ${account.type} ${profile.email}`),
    session: ({ session, token }) => void called.add(`${session.expires} ${token.sub}`)
  },
  logger: {
    error: (code, metadata) => void called.add(`${code} ${metadata instanceof Error}`),
    warn: (code) => void called.add(code),
    debug: (code, metadata) => void called.add(`${code} ${String(metadata)}`)
  },
  theme: { colorScheme: 'auto', brandColor: '#123456' },
  cookies: { sessionToken: { name: 'own', options: { httpOnly: true, sameSite: 'lax', path: '/', secure: false } } },
  debug: false
}

t.test('an object of the type NextAuthOptions is passed as it is, with its callbacks', async (t) => {
  t.ok(createPostern({ ...authOptions, url: 'http://localhost:3000' }).basePath)
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(postern, authOptions)
  const { csrfToken, cookies } = await getCsrf(app)
  const payload = { csrfToken, username: 'Ada' }
  const signedIn = await app.inject({ method: 'POST', url: '/api/auth/callback/credentials', cookies, payload })
  t.equal(signedIn.statusCode, 302, signedIn.body)
  const own = signedIn.cookies.find(({ name }) => name === 'own')?.value ?? ''
  const session = await app.inject({ url: '/api/auth/session', cookies: { own } })
  t.match(session.json(), { first: 'Ada', user: { email: 'ada@app.test' } })
  t.ok(called.has('signIn credentials Ada undefined undefined'), [...called].join())
  t.ok(called.has('event 1 credentials undefined undefined') || [...called].some((one) => one.startsWith('event 1')))
})
