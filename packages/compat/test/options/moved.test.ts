import google from '@auth/core/providers/google'
import { createPostern } from '@postern/core'
import nextAuthCredentials from 'next-auth/providers/credentials'
import t from 'tap'

const given = { secret: 'a secret of this test, 32 characters', url: 'https://app.test', providers: [] }

t.test("callbacks in the words of next-auth's documentation compile as they are", (t) => {
  const auth = createPostern({
    ...given,
    callbacks: {
      async signIn({ user, account, profile, email, credentials }) {
        if (account?.provider === 'google') return profile?.['email_verified'] === true
        return email?.verificationRequest === true || credentials !== undefined || user.email !== null
      },
      async redirect({ url, baseUrl }) {
        if (url.startsWith('/')) return `${baseUrl}${url}`
        return new URL(url).origin === baseUrl ? url : baseUrl
      },
      async jwt({ token, user, account, profile, trigger, session, isNewUser }) {
        if (account) {
          token['accessToken'] = account.access_token
          token['id'] = profile?.['id']
        }
        if (user) token.sub = user.id
        if (trigger === 'update' && session?.name) token.name = session.name
        if (isNewUser) token['isNew'] = true
        return token
      },
      async session({ session, token, user, newSession, trigger }) {
        const name: string = trigger === 'update' ? newSession.name : ''
        return {
          ...session,
          user: { ...session.user, id: token.sub ?? user.id, name },
          accessToken: token['accessToken']
        }
      }
    }
  })
  t.type(auth.getSession, 'function')
  t.end()
})

t.test('getSession returns what callbacks.session returns', async (t) => {
  const auth = createPostern({
    ...given,
    callbacks: { session: ({ session, token }) => ({ ...session, role: 'admin' as const, id: token.sub }) }
  })
  const read = async (): Promise<'admin' | undefined> => (await auth.getSession(new Request(given.url)))?.role
  t.equal(await read(), undefined, 'no user is signed in')
  const plain = createPostern(given)
  t.equal((await plain.getSession(new Request(given.url)))?.user?.name, undefined)
})

t.test('providers compile in every form that the libraries write them in', async (t) => {
  const auth = createPostern(
    {
      ...given,
      providers: [
        google,
        nextAuthCredentials.default({
          credentials: { username: { label: 'Name' } },
          authorize: async (sent) => (sent ? { id: sent.username.trim() } : null)
        }),
        {
          id: 'plain',
          name: 'Plain',
          type: 'credentials',
          credentials: { username: { label: 'Name' } },
          authorize: async ({ username }, { body }) => (body ? { id: username.trim() } : null)
        },
        {
          id: 'typed',
          name: 'Typed',
          type: 'credentials',
          authorize: async (sent: Record<'username', string> | undefined) => (sent ? { id: sent.username } : null)
        }
      ]
    },
    { AUTH_GOOGLE_ID: 'client', AUTH_GOOGLE_SECRET: 'secret' }
  )
  const response = await auth.fetch(new Request(`${given.url}/api/auth/providers`))
  t.same(Object.keys(Object(await response.json())), ['google', 'credentials', 'plain', 'typed'])
})
