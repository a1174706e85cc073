import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, OAuthConfig, PosternOptions } from '@postern/core'
import { guardedFetch } from '@postern/core/node'
import {
  ada,
  type Browser,
  type BrowserResponse,
  type Clock,
  createBrowser,
  createClock,
  createIssuer,
  fromInject,
  type Issuer,
  type IssuerOptions,
  type Person,
  type Send
} from '@postern/testkit'
import { type Certificate, getEndpoint, type Listening, listen } from '@postern/testkit/hostile'
import Fastify, { type FastifyInstance } from 'fastify'
import postern from '../src/index.ts'
import { fromAfar, origin, secret } from './start.ts'
import { type StoreProbe, watch } from './store-probe.ts'

/** How the application is reached, and how it reaches its providers. */
export type Transport = 'inject' | 'HTTP'

export const clientSecret = 'canary of the client secret'

/** An application in front of two providers, of which one is about to misbehave. */
export interface Stage {
  readonly app: FastifyInstance
  readonly issuer: Issuer
  readonly other: Issuer
  readonly browser: Browser
  readonly newBrowser: () => Browser
  readonly clock: Clock
  readonly adapter: Adapter
  readonly store: StoreProbe
  readonly log: string[]
  /** The issuer's server, where it has one. */
  readonly server: Listening | null
  /** The requests to both issuers since the mark, in order. */
  readonly calls: () => string
  /** Clears the recorded requests and store calls. */
  readonly mark: () => void
  /** Sends a visitor to an issuer, who sends them back. */
  readonly atIssuer: (response: BrowserResponse, person?: Person, issuer?: Issuer) => Promise<string>
  /** Resolves when the next sign-in is complete. */
  readonly signedIn: Promise<void>
  /** Opens an address and leaves before it is answered. */
  readonly disconnect: (address: string, gone: Promise<unknown>) => Promise<void>
}

export interface StageOptions {
  readonly issuer?: IssuerOptions
  readonly demo?: Partial<OAuthConfig>
  readonly options?: Partial<PosternOptions>
  /** Reaches the issuer in this process, whatever the transport: its addresses are those of the public internet. */
  readonly isIssuerInside?: boolean
  /** Gives the issuer a server with TLS, whatever the transport. */
  readonly certificate?: Certificate
}

interface Test {
  teardown(work: () => unknown): unknown
}

function getEntry(id: string, { issuer, clientId, clientSecret }: Issuer, isInside: boolean): OAuthConfig {
  return {
    id,
    name: id,
    type: 'oidc',
    issuer,
    clientId,
    clientSecret: clientSecret ?? undefined,
    authorization: { params: { scope: 'openid email profile' } },
    allowInsecureRequests: !isInside,
    httpOptions: { timeout: 800 }
  }
}

/** Reaches a server on loopback, with the host that the browser believes in. */
function fromPort(port: number): Send {
  return ({ method, url, headers, body }) =>
    new Promise((resolve, reject) => {
      const request = httpRequest({ host: '127.0.0.1', port, method, path: url, headers }, (message) => {
        const chunks: Buffer[] = []
        message.on('data', (chunk: Buffer) => chunks.push(chunk))
        message.on('error', reject)
        message.on('end', () => {
          const { statusCode = 0, headers } = message
          resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString() })
        })
      })
      request.on('error', reject)
      request.end(body)
    })
}

async function issuerOn(
  t: Test,
  isServed: boolean,
  given: IssuerOptions,
  certificate: Certificate | null
): Promise<{ readonly issuer: Issuer; readonly server: Listening | null }> {
  if (!isServed) return { issuer: createIssuer(given), server: null }
  const server = await listen(certificate)
  t.teardown(server.close)
  const issuer = createIssuer({ ...given, issuer: server.origin })
  server.serve(issuer.fetch)
  return { issuer, server }
}

const endpointNames: Readonly<Record<string, string>> = { 'openid-configuration': 'discovery' }

/** Raises the curtain. */
export async function openStage(t: Test, transport: Transport, given: StageOptions = {}): Promise<Stage> {
  const clock = createClock()
  const isServed = given.certificate !== undefined || (transport === 'HTTP' && !given.isIssuerInside)
  const common = { clock, redirectUris: undefined, clientSecret, claimsInIdToken: false }
  const first = { ...common, ...given.issuer, redirectUris: [`${origin}/api/auth/callback/demo`] }
  const second = { ...common, issuer: 'https://other.test', redirectUris: [`${origin}/api/auth/callback/other`] }
  const { issuer, server } = await issuerOn(t, isServed, first, given.certificate ?? null)
  const { issuer: other } = await issuerOn(t, isServed && !given.certificate, second, null)
  const inside = isServed ? [] : [issuer, other]
  const store = watch(memoryAdapter())
  const log: string[] = []
  let resolveSignedIn = (): void => undefined
  const signedIn = new Promise<void>((resolve) => {
    resolveSignedIn = resolve
  })
  const app = Fastify({ logger: { level: 'trace', stream: { write: (line: string) => void log.push(line) } } })
  t.teardown(() => app.close())
  const { runtime, ...options } = given.options ?? {}
  await app.register(postern, {
    url: origin,
    secret,
    providers: [{ ...getEntry('demo', issuer, !isServed), ...given.demo }, getEntry('other', other, !isServed)],
    adapter: store.adapter,
    rateLimit: false,
    events: { signIn: () => resolveSignedIn() },
    runtime: {
      now: clock.now,
      fetch: (url, init, limits) => {
        const found = inside.find((candidate) => url.startsWith(`${candidate.issuer}/`))
        return found ? found.fetch(url, init) : guardedFetch(url, init, limits)
      },
      ...runtime
    },
    ...options
  })
  const send = transport === 'HTTP' ? fromPort(await getPort(t, app)) : fromInject(app)
  const newBrowser = (): Browser => createBrowser({ origin, send, clock })
  const marks = { issuer: 0, other: 0 }
  const browser = newBrowser()
  return {
    app,
    issuer,
    other,
    browser,
    newBrowser,
    clock,
    adapter: store.adapter,
    store,
    log,
    server,
    signedIn,
    calls: () =>
      [...issuer.requests.slice(marks.issuer), ...other.requests.slice(marks.other)]
        .map((request) => getEndpoint(request))
        .filter((name) => name !== 'authorize')
        .map((name) => endpointNames[name] ?? name)
        .join(' '),
    mark: () => {
      marks.issuer = issuer.requests.length
      marks.other = other.requests.length
      store.forget()
    },
    atIssuer: async ({ location }, person = ada, at = issuer) =>
      server && at === issuer && person === ada && !given.certificate
        ? redirected(location ?? '')
        : at.authorize(location ?? '', person),
    disconnect: (address, gone) =>
      transport === 'HTTP' ? leaveSocket(app, browser, address, gone) : leaveInject(app, browser, address, gone)
  }
}

/** Serves the application without `app.listen`, which would read the metadata of the providers before they misbehave. */
async function getPort(t: Test, app: FastifyInstance): Promise<number> {
  await app.ready()
  const { server } = app
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return Number(new URL(app.listeningOrigin).port)
}

/** Where an issuer on loopback sends a browser that comes along. */
async function redirected(address: string): Promise<string> {
  const { status, headers } = await fetch(address, { redirect: 'manual' })
  const location = headers.get('location')
  if (status !== 302 || location === null)
    throw new Error(`expected the issuer to send the visitor back, got ${status}`)
  return location
}

function getCookie(browser: Browser, address: string): string {
  return browser.cookies.header({ url: new URL(address), method: 'GET', site: 'cross-site' }) ?? ''
}

async function leaveSocket(
  app: FastifyInstance,
  browser: Browser,
  address: string,
  gone: Promise<unknown>
): Promise<void> {
  const { pathname, search } = new URL(address)
  const headers = { host: new URL(origin).host, cookie: getCookie(browser, address) }
  const request = httpRequest(`${app.listeningOrigin}${pathname}${search}`, { headers })
  const closed = new Promise((resolve) => request.on('error', resolve))
  request.end()
  await gone
  request.destroy(new Error('left'))
  await closed
}

async function leaveInject(
  app: FastifyInstance,
  browser: Browser,
  address: string,
  gone: Promise<unknown>
): Promise<void> {
  const leaving = new AbortController()
  const { pathname, search } = new URL(address)
  const headers = { host: new URL(origin).host, cookie: getCookie(browser, address) }
  const result = app.inject({ url: pathname + search, headers, signal: leaving.signal }).then(
    () => null,
    () => null
  )
  await gone
  leaving.abort()
  await result
}

/** A whole visit: begins, signs in at the issuer, comes back. */
export async function visit(stage: Stage, browser: Browser = stage.browser): Promise<BrowserResponse> {
  const response = await browser.submit('/api/auth/signin/demo', {})
  if (!response.location?.startsWith(`${stage.issuer.issuer}/`)) return response
  return browser.open(await stage.atIssuer(response), { headers: fromAfar })
}
