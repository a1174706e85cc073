import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import postern from '../src/index.ts'
import { cookieNames, origin, people, secret, signInByForm, start } from './start.ts'

type Metadata = { readonly name: string; readonly fastify: string; readonly dependencies: readonly string[] }

t.test('the plugin declares its name, its Fastify version, as in the package, and no dependencies', async (t) => {
  const metadata = (postern as unknown as Record<symbol, Metadata>)[Symbol.for('plugin-meta')]
  const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly peerDependencies: { readonly fastify: string }
  }
  t.match(metadata, { name: '@postern/fastify', fastify: peerDependencies.fastify })
  t.same(metadata?.dependencies, [])
})

interface Operation {
  readonly summary?: string
  readonly responses: Readonly<Record<string, unknown>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

async function documented(t: Test): Promise<{ readonly app: FastifyInstance; readonly document: Document }> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'an application', version: '1' } } })
  await app.register(postern, { url: origin, secret, providers: [people] })
  await app.ready()
  return { app, document: app.swagger() as unknown as Document }
}

interface Test {
  teardown(work: () => unknown): unknown
}

t.test('@fastify/swagger makes an OpenAPI document of the routes, which holds', async (t) => {
  const { document } = await documented(t)
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  t.ok(valid, JSON.stringify(errors))
  t.same(Object.keys(document.paths).sort(), [
    '/api/auth/backchannel-logout/{provider}',
    '/api/auth/callback/{provider}',
    '/api/auth/csrf',
    '/api/auth/error',
    '/api/auth/providers',
    '/api/auth/session',
    '/api/auth/signin',
    '/api/auth/signin/{provider}',
    '/api/auth/signout',
    '/api/auth/verify-request'
  ])
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  t.ok(operations.every(({ summary }) => summary))
  t.match(document.paths['/api/auth/session']?.['get']?.responses, {
    200: { content: { 'application/json': { schema: { additionalProperties: true } } } }
  })
})

t.test('schemas describe: they drop nothing, add nothing and refuse nothing', async (t) => {
  const { browser } = await start(t, {
    store: 'none',
    callbacks: {
      session: ({ session }) =>
        Object.assign(session, { user: { ...session.user, roles: ['admin'] }, tenant: { id: 7 } })
    }
  })
  t.equal((await browser.open('/api/auth/session')).body, '{}')
  await signInByForm(browser)
  t.match(await browser.json('/api/auth/session'), { user: { name: 'grace', roles: ['admin'] }, tenant: { id: 7 } })
  const posted = await browser.post('/api/auth/callback/credentials', 'csrfToken=a&csrfToken=b')
  t.equal(posted.status, 302, 'what the schema would refuse is answered by the core')
})

t.test('the compilers of the application are not used for Postern’s routes, and keep their own', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const requests: string[] = []
  app.setValidatorCompiler(({ url }) => {
    requests.push(String(url))
    return () => true
  })
  app.setSerializerCompiler(({ url }) => {
    requests.push(String(url))
    return (data) => JSON.stringify(data)
  })
  await app.register(postern, { url: origin, secret, providers: [people] })
  app.get('/own', { schema: { querystring: {}, response: { 200: {} } } }, async () => 1)
  await app.ready()
  t.same([...new Set(requests)], ['/own'])
})

t.test('what is logged about a request is logged by the request, with the id that its page shows', async (t) => {
  const { browser, log } = await start(t, { server: { requestIdLogLabel: 'trace', genReqId: () => 'req-abc' } })
  const lines = () => log.map((line) => JSON.parse(line) as { code?: string; trace?: string; auth?: { ref?: string } })
  const refused = await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'wrong' })
  const ref = new URL(refused.location ?? '').searchParams.get('ref')
  const line = lines().find(({ code }) => code === 'CREDENTIALS_SIGNIN_ERROR')
  t.match(line, { trace: 'req-abc', auth: { ref } })
  t.ok(ref?.endsWith('req-abc'))
  await browser.open('/api/auth/error?error=Verification')
  t.match(
    lines().find(({ code }) => code === 'ERROR_PAGE'),
    { trace: 'req-abc' }
  )
})

t.test('a guard’s page is logged by the request too', async (t) => {
  const { app, browser, log } = await start(t, {
    before: async (app) => {
      app.get('/staff', { onRequest: (request, reply) => guard(app)(request, reply) }, async () => 'in')
    }
  })
  const guard = (app: FastifyInstance) => app.requireSession.with({ authorized: () => false })
  await app.ready()
  await signInByForm(browser)
  const denied = await browser.open('/staff')
  t.equal(denied.status, 403)
  const lines = log.map((line) => JSON.parse(line) as { code?: string; reqId?: string })
  t.ok(lines.find(({ code }) => code === 'ERROR_PAGE')?.reqId)
  t.ok(browser.cookies.get(cookieNames.sessionToken))
})
