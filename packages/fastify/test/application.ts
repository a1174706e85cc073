import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import postern, { type PosternPluginOptions, requireSession } from '../src/index.ts'
import { collectBodies, collectCookies } from './leaks.ts'

/** The cookies of an application on https, by next-auth v4's keys. */
export const cookieNames = {
  sessionToken: '__Secure-next-auth.session-token',
  callbackUrl: '__Secure-next-auth.callback-url',
  csrfToken: '__Host-next-auth.csrf-token',
  pkceCodeVerifier: '__Secure-next-auth.pkce.code_verifier',
  state: '__Secure-next-auth.state',
  nonce: '__Secure-next-auth.nonce',
  emailRequest: '__Secure-postern.email',
  device: '__Secure-postern.device',
  newDevice: '__Secure-postern.new-device',
  pending: '__Secure-postern.pending',
  stepUp: '__Secure-postern.step-up'
} as const

/** The id of the sign-in method that a browser used last, which is no secret. */
export const lastMethodCookie = '__Secure-postern.last-method'

/** All but the one that is not a secret. */
const encryptedCookies = Object.values(cookieNames).filter((name) => name !== cookieNames.callbackUrl)

/** Receives the events of an instance. */
export interface Listeners {
  readonly line: (line: string) => void
  readonly cookie: (value: string) => void
  readonly body: (text: string) => void
}

/** What an instance is made of. */
export interface Setup {
  readonly options: PosternPluginOptions
  readonly server: FastifyServerOptions
  readonly listeners: Listeners
  /** A module with `setUp`, which adds to the application. */
  readonly routes: string | null
}

/** An instance, and the addresses that it has routes for. */
export interface Opened {
  readonly app: FastifyInstance
  readonly urls: readonly string[]
}

interface Routes {
  readonly setUp: (app: FastifyInstance) => unknown
}

const isRoutes = (module: object): module is Routes => 'setUp' in module && typeof module.setUp === 'function'

async function setUp(app: FastifyInstance, url: string | null): Promise<void> {
  if (url === null) return
  const routes: object = await import(url)
  if (!isRoutes(routes)) throw new TypeError(`expected ${url} to export setUp`)
  await routes.setUp(app)
}

/** Makes an instance, in whichever process. */
export async function openApplication(setup: Setup, before?: (app: FastifyInstance) => unknown): Promise<Opened> {
  const { options, server, listeners, routes } = setup
  const app = Fastify({ logger: { level: 'trace', stream: { write: listeners.line } }, ...server })
  const urls: string[] = []
  collectCookies(app, encryptedCookies, listeners.cookie)
  collectBodies(app, '/api/auth', listeners.body)
  app.addHook('onRoute', ({ url }) => void urls.push(url))
  await before?.(app)
  await setUp(app, routes)
  await app.register(postern, options)
  app.get('/', async (request) => ({ session: await request.getSession() }))
  app.get('/me', { onRequest: requireSession }, async (request) => ({ user: request.auth?.user }))
  return { app, urls }
}
