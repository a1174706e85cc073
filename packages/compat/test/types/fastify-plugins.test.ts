import cookie from '@fastify/cookie'
import jwt from '@fastify/jwt'
import passport, { Strategy } from '@fastify/passport'
import secureSession from '@fastify/secure-session'
import session from '@fastify/session'
import type { Session } from '@postern/core'
import postern, { requireSession } from '@postern/fastify'
import { signInAs } from '@postern/fastify/testing'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'

declare module '@fastify/secure-session' {
  interface SessionData {
    visits: number
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: { readonly device: string }
  }
}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only where the two are one type. */
const same = <A, B>(..._proof: Equal<A, B> extends true ? [] : [never]): boolean => true

const secret = 'a secret of the tests, 32 characters or more'

/** A strategy of passport that accepts everyone. */
class Everyone extends Strategy {
  override authenticate(): void {
    this.success({ name: 'a user of passport' })
  }
}

/** An application with the session plugins of Fastify, before or after Postern. */
async function createApp(t: Test, isFirst: boolean): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const register = () => app.register(postern, { url: 'http://localhost', secret, providers: [] })
  if (isFirst) await register()
  await app.register(cookie)
  await app.register(session, { secret, cookie: { secure: false } })
  await app.register(secureSession, { key: Buffer.alloc(32), sessionName: 'secured', cookieName: 'secured' })
  // `user` is the property of passport.
  await app.register(jwt, { secret, decoratorName: 'device' })
  await app.register(passport.default.initialize())
  if (!isFirst) await register()
  passport.default.use('everyone', new Everyone('everyone'))

  app.get('/count', async (request) => {
    // Both session plugins have these two methods, and TypeScript takes the types of one of them.
    const visits = (request.session.get('visits') ?? 0) + 1
    request.session.set('visits', visits)
    const ours: Session | null = await request.getSession()
    return { visits, name: ours?.user?.name }
  })
  app.get('/token', async (request) => (await request.jwtVerify<{ readonly device: string }>()).device)
  app.get('/passport', { preValidation: passport.default.authenticate('everyone', { session: false }) }, (request) =>
    Promise.resolve({ theirs: request.user, ours: request.auth })
  )
  app.get('/me', { onRequest: requireSession }, async (request) => request.auth?.user)
  return app
}

t.test('the request has the properties of every plugin, each with its own type', async (t) => {
  t.ok(same<FastifyRequest['auth'], Session | null>())
  t.ok(same<ReturnType<FastifyRequest['getSession']>, Promise<Session | null>>())
  t.ok(same<Awaited<ReturnType<typeof signInAs>>, Record<string, string>>())
})

for (const isFirst of [true, false]) {
  t.test(`session plugins of Fastify ${isFirst ? 'after' : 'before'} Postern work beside it`, async (t) => {
    const app = await createApp(t, isFirst)
    const ours = await signInAs(app, { id: '1', name: 'Ada' })
    const first = await app.inject({ url: '/count', cookies: ours })
    t.match(first.json(), { visits: 1, name: 'Ada' })
    const theirs = Object.fromEntries(first.cookies.map(({ name, value }) => [name, value]))
    t.match((await app.inject({ url: '/count', cookies: { ...theirs, ...ours } })).json(), { visits: 2 })
    t.match((await app.inject({ url: '/me', cookies: { ...theirs, ...ours } })).json(), { name: 'Ada' })
    t.equal((await app.inject({ url: '/me', cookies: theirs })).statusCode, 401, 'their session is not ours')

    const authorization = `Bearer ${app.jwt.sign({ device: 'printer' })}`
    t.equal((await app.inject({ url: '/token', headers: { authorization } })).body, 'printer')
    t.equal((await app.inject({ url: '/me', headers: { authorization } })).statusCode, 401)
    const both = await app.inject({ url: '/passport', cookies: { ...theirs, ...ours } })
    t.match(both.json(), { theirs: { name: 'a user of passport' } })
  })
}
