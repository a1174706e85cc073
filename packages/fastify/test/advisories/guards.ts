import type { ConfigError } from '@postern/core'
import { createBrowser, fromInject } from '@postern/testkit'
import { some } from '@postern/testkit/long'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import postern, { type PosternPluginOptions, requireSession } from '../../src/index.ts'
import { origin, people, secret } from '../start.ts'
import type { Replay } from './replay.ts'

const options: PosternPluginOptions = { url: origin, secret, providers: [people] }

/** What became of an application: it did not start, or it replied with a status; and whether its handler ran. */
interface Result {
  readonly startError: string | null
  readonly status: number | null
  readonly isReached: boolean
}

type Private = (request: FastifyRequest, reply: FastifyReply) => Promise<object>

/** Builds an application with a private route, and requests that route without a session. */
async function attack(build: (app: FastifyInstance, handler: Private) => unknown, url = '/private'): Promise<Result> {
  const app = Fastify()
  let isReached = false
  const handler: Private = async () => {
    isReached = true
    return { secret: 7 }
  }
  try {
    await build(app, handler)
    const { statusCode } = await app.inject({ url, headers: { host: 'app.test' } })
    return { startError: null, status: statusCode, isReached }
  } catch (error) {
    const { code = 'none' } = error as ConfigError & { code?: string }
    return { startError: code, status: null, isReached }
  } finally {
    await app.close().catch(() => undefined)
  }
}

const notRegistered = { startError: 'POSTERN_NOT_REGISTERED', status: null, isReached: false }

export const guards: readonly Replay[] = [
  [
    'P5a',
    'app.requireSession is used without await before register',
    async (t) => {
      const early = await attack((app, handler) => {
        app.register(postern, options)
        app.get('/private', { onRequest: app.requireSession }, handler)
      })
      t.same(early, notRegistered)
      const optional = await attack((app, handler) => {
        app.register(postern, options)
        app.get('/private', { onRequest: [app.requireSession?.with({ freshWithin: 60 })] }, handler)
      })
      t.same(optional, notRegistered)
      const destructured = await attack((app, handler) => {
        const { requireSession } = app
        app.register(postern, options)
        app.get('/private', { preHandler: requireSession }, handler)
      })
      t.same(destructured, notRegistered)
      const child = await attack((app, handler) => {
        app.register(async (scope) => void scope.get('/private', { onRequest: scope.requireSession }, handler))
        app.register(postern, options)
      })
      t.same(child, notRegistered, 'in a scope that loads before the plugin')
    }
  ],
  [
    'P5b',
    'app.requireSession is used outside the scope that Postern is registered in',
    async (t) => {
      const around = await attack(async (app, handler) => {
        await app.register(async (scope) => void (await scope.register(postern, options)))
        app.get('/private', { onRequest: app.requireSession }, handler)
      })
      t.same(around, notRegistered)
      const parallel = await attack(async (app, handler) => {
        await app.register(async (scope) => void (await scope.register(postern, options)))
        await app.register(async (scope) => void scope.get('/private', { onRequest: scope.requireSession }, handler))
      })
      t.same(parallel, notRegistered)
      const never = await attack((app, handler) => {
        app.get('/private', { onRequest: app.requireSession }, handler)
      })
      t.same(never, notRegistered)
    }
  ],
  [
    'P5c',
    'the imported guard in an application without Postern, or outside its scope',
    async (t) => {
      const failed = { startError: null, status: 500, isReached: false }
      const guarded = (app: FastifyInstance, handler: Private): void => {
        app.get('/private', { onRequest: requireSession }, handler)
      }
      t.same(await attack(guarded), failed, 'never registered')
      const around = await attack(async (app, handler) => {
        await app.register(async (scope) => void (await scope.register(postern, options)))
        guarded(app, handler)
      })
      t.same(around, failed, 'registered in a scope inside')
      const leaked = await attack(async (app, handler) => {
        await app.register(async (scope) => {
          await scope.register(postern, options)
          app.get('/private', { onRequest: scope.requireSession }, handler)
        })
      })
      t.same(leaked, failed, 'app.requireSession of another scope')
      const ignored = await attack((app, handler) => {
        app.setErrorHandler((_error, _request, reply) => reply.code(503).send())
        app.get('/private', { onRequest: [requireSession.with({ freshWithin: 60 }), async () => undefined] }, handler)
      })
      t.same(ignored, { ...failed, status: 503 }, 'followed by other hooks, with an error handler')
      const app = Fastify()
      app.get('/private', { onRequest: requireSession }, async () => ({}))
      t.match((await app.inject('/private')).json(), {
        code: 'POSTERN_NOT_REGISTERED',
        message: /await app\.register\(postern/
      })
    }
  ],
  [
    'P5d',
    'the imported guard before register, in every kind of hook',
    async (t) => {
      const refused = { startError: null, status: 401, isReached: false }
      const guards = { alone: requireSession, 'with options': requireSession.with({ authorized: () => true }) }
      const cases = (['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const).flatMap((hook) =>
        (['route', 'nested', 'scope'] as const).flatMap((place) =>
          Object.entries(guards).map(([name, guard]) => ({ hook, place, name, guard }))
        )
      )
      for (const { hook, place, guard } of some(cases, ({ hook, place, name }) => [hook, place, name])) {
        if (place === 'route') {
          const route = await attack((app, handler) => {
            app.get('/private', { [hook]: guard }, handler)
            app.register(postern, options)
          })
          t.same(route, refused, `${hook} of a route`)
        }
        if (place === 'nested') {
          const nested = await attack((app, handler) => {
            app.register(async (scope) => void scope.get('/private', { [hook]: guard }, handler))
            app.register(postern, options)
          })
          t.same(nested, refused, `${hook} of a route in a scope that loads before the plugin`)
        }
        if (place === 'scope') {
          const scope = await attack((app, handler) => {
            app.addHook(hook, guard)
            app.register(postern, options)
            app.get('/private', handler)
          })
          t.same(scope, refused, `${hook} of the application`)
        }
      }
      const head = await attack((app, handler) => {
        app.register(postern, options)
        app.head('/private', { onRequest: requireSession }, handler)
        app.setNotFoundHandler({ preHandler: requireSession }, handler)
      }, '/nowhere')
      t.same(head, refused, 'the handler of unknown paths')
    }
  ],
  [
    'P5e',
    'a session of one scope at the guard of a sibling scope',
    async (t) => {
      const app = Fastify()
      t.teardown(() => app.close())
      const admins = requireSession.with({ authorized: ({ session }) => session.user?.name === 'ada' })
      for (const name of ['staff', 'guests']) {
        app.register(
          async (scope) => {
            scope.get('/', { onRequest: requireSession }, async (request) => ({ name: request.auth?.user?.name }))
            scope.register(async (inner) => void inner.get('/admin', { preHandler: admins }, async () => ({ name })))
            const cookie = { httpOnly: true, sameSite: 'lax', path: '/', secure: true } as const
            const cookies = { sessionToken: { name: `__Secure-${name}`, options: cookie } }
            scope.register(postern, { ...options, cookies, secret: `the secret of ${name}, 32 characters or more` })
          },
          { prefix: `/${name}` }
        )
      }
      await app.ready()
      for (const [own, other] of [
        ['staff', 'guests'],
        ['guests', 'staff']
      ] as const) {
        const browser = createBrowser({ origin, send: fromInject(app), basePath: `/${own}/api/auth` })
        t.equal((await browser.request('HEAD', `/${own}/`)).status, 401)
        await browser.submit(`/${own}/api/auth/callback/credentials`, { username: 'ada', password: 'lovelace' })
        t.same(await browser.json(`/${own}/`), { name: 'ada' })
        t.same(await browser.json(`/${own}/admin`), { name: own })
        t.equal((await browser.request('HEAD', `/${own}/`)).status, 200)
        const token = browser.cookies.get(`__Secure-${own}`) ?? ''
        t.ok(token)
        for (const path of [`/${other}/`, `/${other}/admin`]) {
          browser.cookies.set(`__Secure-${other}`, token, { secure: true })
          t.equal((await browser.request('GET', path)).status, 401)
        }
      }
    }
  ]
]
