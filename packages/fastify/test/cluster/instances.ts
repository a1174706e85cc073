import type { RateLimiter } from '@postern/core'
import type { FastifyInstance } from 'fastify'
import type { PosternPluginOptions } from '../../src/index.ts'
import { openApplication, type Setup } from '../application.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { Backends, Environment } from './environment.ts'
import type { Reachable, RemoteSetup } from './exchanged.ts'
import { type How, isClustered, noteRequest } from './notes.ts'

interface Test {
  teardown(work: () => unknown): unknown
}

/** What the instances of an application are made of. */
export interface Plan {
  readonly count: number
  readonly setup: Setup
  /** Adds to those of this process. */
  readonly before: ((app: FastifyInstance) => unknown) | undefined
  /** Where each finds PostgreSQL and Redis; `null` where the setup has the store. */
  readonly environment: Environment | null
  /** The first's own way there. */
  readonly backends: Backends | null
  readonly probe: StoreProbe
  readonly hasStore: boolean
}

/** An instance, and which addresses it has routes for. */
interface Instance {
  readonly reachable: Reachable
  readonly urls: readonly string[]
}

export interface Instances {
  readonly first: FastifyInstance
  readonly how: How
  /** Why the others are in this process. */
  readonly reason: string | null
}

const siblings = new WeakMap<FastifyInstance, readonly Instance[]>()
/** The applications that run in several processes. */
const isElsewhere = new WeakSet<FastifyInstance>()

function isServed(urls: readonly string[], path: string): boolean {
  return urls.some((url) => {
    const pattern = url
      .replaceAll(/[.+?^$|()[\]{}]/g, '\\$&')
      .replaceAll(/:[^/]+/g, '[^/]+')
      .replaceAll('*', '.*')
    return new RegExp(`^${pattern}$`).test(path)
  })
}

/** Any of the instances of an application that serve a path: routes that a test adds are those of the first only. */
export function anyOf(app: FastifyInstance, url: string): Reachable {
  const [path = ''] = url.split('?')
  const able = (siblings.get(app) ?? []).filter(({ urls }) => path.startsWith('/api/auth') || isServed(urls, path))
  const { reachable } = able[Math.floor(Math.random() * able.length)] ?? { reachable: app }
  if (isElsewhere.has(app)) noteRequest(reachable !== app)
  return reachable
}

/** The limits of an instance on servers: in Redis, unless the test sets another store. */
export function limitedBy(
  { rateLimit }: PosternPluginOptions,
  limiter: RateLimiter
): PosternPluginOptions['rateLimit'] {
  return rateLimit === false || rateLimit?.limiter ? rateLimit : { ...rateLimit, limiter }
}

async function openHere(t: Test, { setup, before, probe, hasStore }: Plan, backends: Backends | null) {
  const { options } = setup
  const adapter = backends && hasStore ? { adapter: probe.also(backends.adapter) } : {}
  const own = backends ? { rateLimit: limitedBy(options, backends.limiter), ...adapter } : {}
  const { app, urls } = await openApplication({ ...setup, options: { ...options, ...own } }, before)
  t.teardown(() => app.close())
  return { app, urls }
}

async function openInProcess(t: Test, plan: Plan): Promise<Instance> {
  const { environment, setup } = plan
  const backends = environment
    ? (await import('./environment.ts')).openBackends(environment, setup.options.runtime?.now ?? Date.now)
    : null
  if (backends) t.teardown(backends.close)
  const { app, urls } = await openHere(t, plan, backends)
  return { reachable: app, urls }
}

/** What another process needs to know of an application. */
function remoteSetup({ setup, environment, probe, hasStore }: Plan): RemoteSetup {
  return {
    ...setup,
    services: environment,
    gate: environment && hasStore ? probe.gate : null,
    environment: { ...process.env }
  }
}

async function reasonToStay({ before }: Plan, setup: RemoteSetup): Promise<string | null> {
  if (!isClustered) return 'POSTERN_CLUSTER is not set'
  if (before) return 'what they add to the application is bound to one process'
  const { reasonAgainst } = await import('./remote.ts')
  return reasonAgainst(setup)
}

async function openElsewhere(t: Test, index: number, setup: RemoteSetup): Promise<Instance> {
  const { openRemote } = await import('./remote.ts')
  const instance = await openRemote(index, setup)
  t.teardown(instance.close)
  return { reachable: instance, urls: instance.urls }
}

/** Makes the instances of an application: with POSTERN_CLUSTER, all but the first in a separate process. */
export async function openInstances(t: Test, plan: Plan): Promise<Instances> {
  const { app: first, urls } = await openHere(t, plan, plan.backends)
  const others = Array.from({ length: plan.count - 1 }, (_, index) => index + 1)
  if (others.length === 0) return { first, how: 'alone', reason: null }
  const setup = remoteSetup(plan)
  const reason = await reasonToStay(plan, setup)
  const open = (index: number) => (reason === null ? openElsewhere(t, index, setup) : openInProcess(t, plan))
  siblings.set(first, [{ reachable: first, urls }, ...(await Promise.all(others.map(open)))])
  if (reason !== null) return { first, how: 'in one process', reason }
  isElsewhere.add(first)
  return { first, how: plan.environment ? 'on servers' : 'on its store', reason }
}
