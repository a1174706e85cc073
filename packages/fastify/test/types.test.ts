import type { DefaultSession, Postern, RevocationStore, Session, Token } from '@postern/core'
import type { GetTokenOptions } from '@postern/core/jwt'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import t from 'tap'
import type { PosternInterface, RequireSession } from '../src/index.ts'
import { signInByForm, start } from './start.ts'

declare module '@postern/core' {
  interface Session {
    user?: { role?: 'reader' | 'writer' } & DefaultSession['user']
  }
}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only where the two are one type. */
const same = <A, B>(..._proof: Equal<A, B> extends true ? [] : [never]): boolean => true

type Auth = FastifyRequest['auth']
type AuthUser = NonNullable<NonNullable<Auth>['user']>

t.test('declaration merging reaches the request, the guards and the callbacks', async (t) => {
  t.ok(same<Auth, Session | null>())
  t.ok(same<AuthUser['role'], 'reader' | 'writer' | undefined>())
  t.ok(same<AuthUser['name'], string | null | undefined>())
  t.ok(same<Session['expires'], string>())
  t.ok(same<ReturnType<FastifyRequest['getSession']>, Promise<Session | null>>())
  t.ok(same<FastifyInstance['postern'], PosternInterface>())
  t.ok(same<FastifyInstance['requireSession'], RequireSession>())
  t.ok(same<Token['sub'], string | undefined>())
  t.ok(same<ReturnType<PosternInterface['getToken']>, Promise<Token | null>>())
  t.ok(same<ReturnType<Postern['getToken']>, Promise<Token | null>>())
  t.ok(same<RevocationStore, Required<Extract<GetTokenOptions['revocations'], object>>>())
  t.ok(same<Extract<GetTokenOptions['revocations'], string>, 'unchecked'>())
})

/** What next-auth's types declare as the result of a callback. */
type NextAuthAwaitable<T> = T | PromiseLike<T>

t.test('callbacks may return a PromiseLike, as next-auth declares them', async (t) => {
  const later = <T>(value: T): NextAuthAwaitable<T> => Promise.resolve(value)
  const { browser } = await start(t, {
    session: { strategy: 'jwt' },
    callbacks: {
      signIn: () => later(true),
      redirect: ({ url }) => later(url),
      jwt: ({ token }) => later({ ...token, name: 'Lovelace' }),
      session: ({ session, token }) => later({ ...session, user: { name: token.name ?? null } })
    }
  })
  await signInByForm(browser)
  t.match(await browser.json('/api/auth/session'), { user: { name: 'Lovelace' } })
})

t.test('the declared types match the results of the callbacks', async (t) => {
  const { app, browser } = await start(t, {
    callbacks: {
      session: ({ session }) => ({ ...session, user: { ...session.user, role: 'writer' } })
    }
  })
  const authorized = ({ session }: { readonly session: Session }) => session.user?.role === 'writer'
  app.get('/write', { onRequest: app.requireSession.with({ authorized }) }, async (request) => {
    const role: 'reader' | 'writer' | undefined = request.auth?.user?.role
    return { role }
  })
  await signInByForm(browser)
  t.same(await browser.json('/write'), { role: 'writer' })
})
