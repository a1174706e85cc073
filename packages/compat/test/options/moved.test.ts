import { createPostern } from '@postern/core'
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

t.test('getSession gives what callbacks.session returns', async (t) => {
  const auth = createPostern({
    ...given,
    callbacks: { session: ({ session, token }) => ({ ...session, role: 'admin' as const, id: token.sub }) }
  })
  const read = async (): Promise<'admin' | undefined> => (await auth.getSession(new Request(given.url)))?.role
  t.equal(await read(), undefined, 'nobody is signed in')
  const plain = createPostern(given)
  t.equal((await plain.getSession(new Request(given.url)))?.user?.name, undefined)
})
