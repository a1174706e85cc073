import { type Feature, type FeatureRequest, text } from '@postern/core/feature'
import Fastify from 'fastify'
import t from 'tap'
import postern from '../src/index.ts'

const answer = ({ path, params }: FeatureRequest) => text(`${path} ${JSON.stringify(params)}`, 200)

/** A feature with an account page, and one with a section of it. */
const createFeatures = (accountPath: string): readonly Feature[] => [
  {
    id: 'account',
    setup: () => ({ accountPath, routes: [{ method: 'GET', path: '/account', run: answer }] })
  },
  {
    id: 'notes',
    setup: () => ({
      texts: { en: { title: 'Notes' } },
      accountSections: [{ id: 'notes', order: 1, title: 'title', path: '/notes' }],
      routes: [
        { method: 'GET', path: '/notes', run: answer },
        { method: 'GET', path: '/notes/:id', run: answer },
        { method: 'POST', path: '/notes/:id', run: answer },
        { method: 'GET', path: '/notes/new', access: 'anyone', run: answer }
      ]
    })
  }
]

t.test('pages of the account are at a path of the application, also in a scope with a prefix', async (t) => {
  for (const prefix of ['', '/app']) {
    const app = Fastify()
    t.teardown(() => app.close())
    const url = 'http://localhost:80'
    const features = createFeatures(`${prefix}/settings`)
    await app.register(
      async (scope) => {
        await scope.register(postern, { url, providers: [], features })
      },
      { prefix }
    )
    const get = async (path: string, accept: string = 'text/html') => {
      const { statusCode, headers, body } = await app.inject({ url: prefix + path, headers: { accept } })
      return [statusCode, headers.location ?? body]
    }
    const signIn = [302, /\/signin\?error=SessionRequired/]
    for (const path of ['/settings', '/settings/notes', '/settings/notes/7']) t.match(await get(path), signIn, path)
    t.match(await get('/settings/notes/7', 'application/json'), [401, /SessionRequired/])
    t.equal((await get('/settings/notes/7/8'))[0], 404)
    t.same(await get('/api/auth/account?done=saved'), [302, `http://localhost${prefix}/settings?done=saved`])
    t.same(await get('/api/auth/notes/a%20b'), [302, `http://localhost${prefix}/settings/notes/a%20b`])
    t.match(await get('/api/auth/notes/7', 'application/json'), [401, /SessionRequired/], 'clients get JSON at both')
    const posted = await app.inject({ method: 'POST', url: `${prefix}/settings/notes/7` })
    t.equal(posted.statusCode, 400, 'a form without a token')
  }
})
