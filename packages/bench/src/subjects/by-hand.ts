import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { writeCookie } from '../by-hand/cookies.ts'
import { type ByHandDatabase, openDatabase } from '../by-hand/database.ts'
import type { Fields } from '../by-hand/fields.ts'
import { createCsrfToken, isOwnForm, readCsrfToken } from '../by-hand/forms.ts'
import { createJwtSession, jwtSessions } from '../by-hand/jwt-sessions.ts'
import { rememberDevice } from '../by-hand/known-device.ts'
import { clearedState, createProvider } from '../by-hand/provider.ts'
import { consume, refund } from '../by-hand/rate-limits.ts'
import type { Sessions } from '../by-hand/sessions.ts'
import { getOrigin, getUser, type Settings, type Subject } from './subject.ts'

const uncached = { 'cache-control': 'private, no-cache, no-store', pragma: 'no-cache', expires: '0' }
const json = {
  ...uncached,
  'x-content-type-options': 'nosniff',
  vary: 'Cookie',
  'content-type': 'application/json; charset=utf-8'
}
const year = 365 * 24 * 60 * 60

const rememberMethod = (method: string): string => writeCookie('postern.last-method', method, year, '/api/auth')

function redirect(reply: FastifyReply, location: string, cookies: readonly string[]): FastifyReply {
  const headers = { ...uncached, location, 'referrer-policy': 'no-referrer', 'set-cookie': [...cookies] }
  return reply.code(302).headers(headers).send()
}

const refuse = (reply: FastifyReply, status: number): FastifyReply =>
  reply
    .code(status)
    .headers(json)
    .send(JSON.stringify({ statusCode: status }))

const toForm = ({ body }: FastifyRequest): URLSearchParams => new URLSearchParams(typeof body === 'string' ? body : '')

/** The session route, the CSRF route, and a route of the application that needs a session. */
function addRoutes(app: FastifyInstance, sessions: Sessions): void {
  app.get('/api/auth/session', (request, reply) => {
    reply.headers(json)
    const session = sessions.read(request.headers.cookie)
    if (!session) return reply.send('{}')
    const renewed = session.renew()
    if (renewed !== null) reply.header('set-cookie', renewed)
    const { user, expires } = session
    return reply.send(JSON.stringify({ user, expires: new Date(expires).toISOString() }))
  })
  app.get('/api/auth/csrf', (request, reply) => {
    reply.headers(json)
    const known = readCsrfToken(request)
    if (known !== null) return reply.send(JSON.stringify({ csrfToken: known }))
    const { token, cookie } = createCsrfToken()
    return reply.header('set-cookie', cookie).send(JSON.stringify({ csrfToken: token }))
  })
  const unauthorized = { statusCode: 401, error: 'Unauthorized', code: 'SESSION_REQUIRED', message: 'Sign in to go on' }
  app.get('/me', async (request, reply) => {
    const session = sessions.read(request.headers.cookie)
    if (session) return { user: session.user }
    return reply.code(401).header('cache-control', 'private, no-store').send(unauthorized)
  })
}

/** The sign-in with name and password. */
function addForm(app: FastifyInstance, origin: string): void {
  app.post('/api/auth/callback/people', (request, reply) => {
    const form = toForm(request)
    if (!isOwnForm(request, form, origin)) return refuse(reply, 403)
    const [name, now] = [form.get('username') ?? '', Date.now()]
    const refunded = [`name ${name} ${request.ip}`, `name ${name}`]
    const isAllowed = [...refunded, `client ${request.ip}`].every((key) => consume(key, now))
    if (!isAllowed) return refuse(reply, 429)
    const user = getUser({ username: name, password: form.get('password') })
    if (!user) return refuse(reply, 401)
    for (const key of refunded) refund(key)
    const owner = { userId: user.id, provider: 'people', accountId: user.id, name, email: null }
    const device = rememberDevice(request.headers.cookie, owner, now)
    const cookies = [createJwtSession(user), createCsrfToken().cookie, ...device, rememberMethod('people')]
    return redirect(reply, origin, cookies)
  })
}

/** The sign-in at the provider. */
function addProvider(app: FastifyInstance, origin: string, issuer: string, database: ByHandDatabase): void {
  const provider = createProvider(issuer, origin)
  app.post('/api/auth/signin/demo', async (request, reply) => {
    if (!isOwnForm(request, toForm(request), origin)) return refuse(reply, 403)
    const { location, cookie } = await provider.start()
    return redirect(reply, location, [cookie])
  })
  app.get<{ Querystring: Fields }>('/api/auth/callback/demo', async (request, reply) => {
    const { headers, ip, query } = request
    const now = Date.now()
    if (!consume(`callback ${ip}`, now)) return refuse(reply, 429)
    const identity = await provider.complete(query, headers.cookie).catch(() => null)
    const client = { userAgent: headers['user-agent'] ?? null, address: ip }
    const session = identity && database.signIn(identity, client)
    if (!session) return refuse(reply, 403)
    const { subject, email, isEmailVerified } = identity
    const owner = { provider: 'demo', accountId: subject, name: null, email: isEmailVerified ? email : null }
    const device = rememberDevice(headers.cookie, { ...owner, userId: session.userId }, now)
    const cookies = [session.cookie, createCsrfToken().cookie, ...device, rememberMethod('demo'), clearedState]
    return redirect(reply, origin, cookies)
  })
}

async function createApplication(settings: Settings): Promise<FastifyInstance> {
  const origin = getOrigin(settings)
  const app = Fastify()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, body)
  )
  const database = settings.file === null ? null : await openDatabase(settings.file)
  addRoutes(app, database ?? jwtSessions)
  if (database) addProvider(app, origin, settings.issuer, database)
  else addForm(app, origin)
  return app
}

/** The same work without a library: Fastify, node:crypto, node:http and better-sqlite3. The distance to it is what Postern costs. */
export const subject: Subject = {
  start: async (settings) => {
    const app = await createApplication(settings)
    await app.listen({ port: settings.port, host: '127.0.0.1' })
  }
}
