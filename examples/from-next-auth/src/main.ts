// The options of a next-auth v4 application, migrated to Postern.
//
//   pnpm start                in this folder
//   open http://localhost:3200
//
// Everything inside `authOptions` is unchanged from next-auth v4. All changes are below it, in `buildApp`.

import type { DefaultSession } from '@postern/core'
import postern, { type PosternPluginOptions, requireSession } from '@postern/fastify'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'

type Environment = Readonly<Record<string, string | undefined>>

// Was `declare module 'next-auth'`; the interfaces keep their names.
declare module '@postern/core' {
  interface User {
    role?: string
  }
  interface Session {
    user?: DefaultSession['user'] & { role?: string }
  }
}

const people = new Map([
  ['ada', { id: '1', name: 'Ada Lovelace', email: 'ada@example.com', role: 'admin', password: 'lovelace' }],
  ['mallory', { id: '2', name: 'Mallory', email: 'mallory@example.com', role: 'guest', password: 'mallory' }]
])

// Providers are the objects that `next-auth/providers/*` create; those factories and plain objects also work.
const form = {
  id: 'credentials',
  name: 'Password',
  type: 'credentials' as const,
  credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
  authorize: async ({ username = '', password }: Readonly<Record<string, string>>) => {
    const person = people.get(username)
    return person?.password === password ? person : null
  }
}

const github = (environment: Environment) => ({
  id: 'github',
  name: 'GitHub',
  type: 'oauth' as const,
  clientId: environment['GITHUB_ID'],
  clientSecret: environment['GITHUB_SECRET'],
  authorization: { url: 'https://github.com/login/oauth/authorize', params: { scope: 'read:user user:email' } },
  token: 'https://github.com/login/oauth/access_token',
  userinfo: 'https://api.github.com/user',
  profile: (
    profile: Readonly<Record<'name' | 'login' | 'email' | 'avatar_url', string>> & { readonly id: number }
  ) => ({
    id: String(profile.id),
    name: profile.name ?? profile.login,
    email: profile.email,
    image: profile.avatar_url,
    role: 'guest'
  })
})

const authOptions = (environment: Environment, log: FastifyBaseLogger) =>
  ({
    secret: environment['NEXTAUTH_SECRET'],
    providers: environment['GITHUB_ID'] ? [form, github(environment)] : [form],
    session: { strategy: 'jwt', maxAge: 30 * 24 * 60 * 60 },
    pages: { error: '/oops' },
    callbacks: {
      async signIn({ user }) {
        return user.email !== 'mallory@example.com'
      },
      async redirect({ url, baseUrl }) {
        if (url.startsWith('/')) return `${baseUrl}${url}`
        return new URL(url).origin === baseUrl ? url : baseUrl
      },
      async jwt({ token, user }) {
        if (user) token['role'] = user.role
        return token
      },
      async session({ session, token }) {
        if (session.user && typeof token?.['role'] === 'string') session.user.role = token['role']
        return session
      }
    },
    events: {
      signIn: ({ user, account }) => log.info(`${user.email} signed in with ${account.provider}`)
    }
  }) satisfies PosternPluginOptions

/** The application, ready to listen or to be injected into. */
export async function buildApp(environment: Environment): Promise<FastifyInstance> {
  const app = Fastify({ logger: { level: environment['LOG_LEVEL'] ?? 'warn' } })

  // Was the API route `NextAuth(authOptions)`. Without `url` the plugin reads NEXTAUTH_URL itself.
  await app.register(postern, {
    ...authOptions(environment, app.log),
    url: environment['NEXTAUTH_URL'] ?? `http://localhost:${environment['PORT'] ?? 3200}`
  })

  // Was `getServerSession(request, response, authOptions)`.
  app.get('/', async (request, reply) => {
    const name = (await request.getSession())?.user?.name
    const [path, label] = name ? ['/api/auth/signout', 'Sign out'] : ['/api/auth/signin', 'Sign in']
    reply.type('text/html; charset=utf-8')
    return `<!doctype html><title>Moved</title><p>${name ? 'You are signed in.' : 'Hello.'} <a href="${path}">${label}</a>`
  })

  // Was `if (!session) return response.status(401)`.
  app.get('/me', { onRequest: requireSession }, async (request) => request.auth?.user)

  // Was the middleware `withAuth({ callbacks: { authorized } })`.
  const admins = requireSession.with({ authorized: ({ session }) => session.user?.role === 'admin' })
  app.get('/admin', { onRequest: admins }, async () => ({ secrets: 'none' }))

  // The page that `pages.error` names; it receives the same codes in the same query parameter.
  app.get<{ Querystring: { error?: string } }>('/oops', async ({ query }, reply) =>
    reply.type('text/plain').send(query.error === 'AccessDenied' ? 'Access denied.' : 'That did not work.')
  )
  return app
}

if (import.meta.main) {
  const port = Number(process.env['PORT'] ?? 3200)
  const app = await buildApp(process.env)
  await app.listen({ port })
  console.log(`http://localhost:${port}: ada / lovelace, and mallory / mallory, who is refused`)
}
