import { memoryAdapter } from '@postern/adapters/memory'
import type { OAuthConfig } from '@postern/core'
import { guardedFetch } from '@postern/core/node'
import postern, { requireSession } from '@postern/fastify'
import { type BrowserResponse, freePort, fromInject } from '@postern/testkit'
import Fastify, { type FastifyInstance } from 'fastify'
import { createLog, type Line, secret, type Test } from '../postern.ts'
import { createVisitor, type Visitor } from './visitor.ts'

/** Where the application is, which a server has to know before it starts. */
export interface Addresses {
  readonly origin: string
  readonly redirectUri: string
  readonly signOutUri: string
  readonly backchannelLogoutUri: string
}

/** Seconds after which the guarded route of the application wants a new sign-in. */
export const freshWithin = 300

/** The id of the provider in the application. */
export const id = 'server'

/** An application of Postern on loopback. */
export interface Site extends Addresses {
  readonly newVisitor: () => Visitor
  /** Waits for the next response to a logout token: its status. */
  readonly nextLogout: () => Promise<number>
  /** The refreshes that the application has asked for. */
  readonly refreshes: () => number
  /** Sets the clock of the application forward by these seconds. */
  readonly setForward: (seconds: number) => void
  readonly log: readonly Line[]
}

/** Chooses addresses for an application. */
export async function findAddresses(): Promise<Addresses & { readonly port: number }> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const base = `${origin}/api/auth`
  return {
    port,
    origin,
    redirectUri: `${base}/callback/${id}`,
    signOutUri: `${base}/signout`,
    backchannelLogoutUri: `${base}/backchannel-logout/${id}`
  }
}

function addRoutes(app: FastifyInstance): void {
  app.get('/', async () => 'home')
  app.get('/who', async (request) => ({ session: await request.getSession() }))
  app.get('/token', async (request) => ({ token: await request.getAccessToken(id) }))
  app.get('/fresh', { onRequest: requireSession.with({ freshWithin }) }, async () => 'fresh')
}

/** Starts the application with the server as its only provider. */
export async function startSite(
  t: Test,
  { port, strategy, ...addresses }: Addresses & { readonly port: number; readonly strategy: 'database' | 'jwt' },
  provider: Partial<OAuthConfig>
): Promise<Site> {
  const { lines, logger } = createLog()
  let ahead = 0
  let refreshes = 0
  let heard: ((status: number) => void) | null = null
  const app = Fastify({ forceCloseConnections: true })
  await app.register(postern, {
    url: addresses.origin,
    secret,
    logger,
    adapter: memoryAdapter(),
    session: { strategy },
    providers: [{ id, name: 'Server', type: 'oidc', clientId: 'client', allowInsecureRequests: true, ...provider }],
    // Each call of getAccessToken refreshes.
    constants: { tokenRenewBefore: 30 * 86_400 },
    runtime: {
      now: () => Date.now() + ahead * 1000,
      fetch: (url, init, limits) => {
        if (String(init.body ?? '').includes('grant_type=refresh_token')) refreshes += 1
        return guardedFetch(url, init, limits)
      }
    }
  })
  app.addHook('onResponse', async (request, reply) => {
    if (request.url.includes('/backchannel-logout/')) heard?.(reply.statusCode)
  })
  app.after(() => addRoutes(app))
  await app.listen({ port, host: '127.0.0.1' })
  t.teardown(() => app.close())
  return {
    ...addresses,
    log: lines,
    newVisitor: () => createVisitor({ [addresses.origin]: fromInject(app) }),
    refreshes: () => refreshes,
    nextLogout: () =>
      new Promise((resolve) => {
        heard = resolve
      }),
    setForward: (seconds) => {
      ahead = seconds
    }
  }
}

/** The user of the session, as the application sees it. */
export async function getUser({ origin }: Addresses, visitor: Visitor): Promise<unknown> {
  const { session } = await visitor.at(origin).json<{ session: { user?: unknown } | null }>('/who')
  return session?.user ?? null
}

/** Whether a response is of the application. */
export const isHome = ({ origin }: Addresses, { url }: BrowserResponse): boolean => new URL(url).origin === origin
