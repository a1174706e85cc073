import { setImmediate as turn } from 'node:timers/promises'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { type Browser, type BrowserResponse, createBrowser, type Person } from '@postern/testkit'
import { callNumbers, isLong } from '@postern/testkit/long'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { requireSession } from '../../src/index.ts'
import { origin, type Started } from '../start.ts'
import { getStatus, startAccounts } from './setup.ts'

export const second: Person = { sub: 'two', name: 'Two', email: 'two@example.com', email_verified: true }
export const third: Person = { sub: 'three', name: 'Three', email: 'three@example.com', email_verified: true }

/** The status that a script gets. */
export const isAlive = async (browser: Browser): Promise<boolean> => (await getStatus(browser, '/me')) === 200

/** A browser with a copy of every cookie of another. */
export const getCopy = ({ send, clock }: Started, { cookies }: Browser): Browser =>
  createBrowser({ origin, send, clock, cookies: cookies.clone() })

/** Opens a guarded page, and follows the guard to the page that asks the user to authenticate again. */
export async function stepUp(browser: Browser, path = '/fresh'): Promise<BrowserResponse> {
  return browser.followAll(await browser.open(path))
}

/** The routes of an application that uses guards and ends sessions, as its documents show. */
export function addRoutes(app: FastifyInstance): void {
  app.after(() => {
    app.get('/fresh', { onRequest: requireSession.with({ freshWithin: 60 }) }, async () => 'fresh')
    app.get('/gold', { onRequest: requireSession.with({ acr: ['gold'] }) }, async () => 'gold')
    app.get('/with-password', { onRequest: requireSession.with({ amr: ['pwd'] }) }, async () => 'known')
    app.get('/token', async (request) => app.postern.getToken(request))
    app.get('/sign-out-others', async (request) => {
      await app.postern.sessions.revokeOthers(request)
      return {}
    })
  })
}

/** Sends a patch of the session, as `update` of the client does. */
export async function update(browser: Browser, data: object = {}): Promise<BrowserResponse> {
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const headers = { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' }
  return browser.request('POST', '/api/auth/session', { headers, body: JSON.stringify({ csrfToken, data }) })
}

/** Runs work before one call of an adapter, and waits for it unless it waits for the call. */
export interface Cutter {
  readonly adapter: Adapter
  /** @param at - The number of the call, or its method, of which it is the first call. */
  readonly arm: (at: number | string, work: () => Promise<unknown>, tick: () => void) => void
  /** Waits for the work. @returns The call that it ran before, or `null` if there were fewer calls, and how many there were. */
  readonly finish: () => Promise<{ readonly before: string | null; readonly calls: number }>
}

/**
 * @param patience - How often the event loop turns until work that has not ended is taken to wait for the call; `null` if it
 *   never waits for the call.
 */
export function createCutter(adapter: Adapter = memoryAdapter(), patience: number | null = 120): Cutter {
  let at: number | string = 0
  let planned: (() => Promise<unknown>) | null = null
  let tick: () => void = () => undefined
  let running: Promise<unknown> | null = null
  let before: string | null = null
  let calls = 0
  const cut = async (method: string): Promise<void> => {
    tick()
    if (!planned) return
    calls += 1
    if (at !== (typeof at === 'string' ? method : calls)) return
    const work = planned
    planned = null
    before = method
    let isDone = false
    running = work().finally(() => {
      isDone = true
    })
    const ended = running.catch(() => undefined)
    if (patience === null) await ended
    else for (let turns = 0; turns < patience && !isDone; turns += 1) await turn()
  }
  const wrapped = new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string' || name === 'close') return method
      const cutting = async (...args: readonly unknown[]): Promise<unknown> => {
        await cut(name)
        return Reflect.apply(method, target, args)
      }
      return Object.assign(cutting, { ...method })
    }
  })
  return {
    adapter: wrapped,
    arm: (place, work, advance) => {
      calls = 0
      before = null
      at = place
      planned = work
      tick = advance
    },
    finish: async () => {
      planned = null
      await running?.catch(() => undefined)
      return { before, calls }
    }
  }
}

/** Two operations on one application, and what must be true after both. */
export interface Overlap {
  readonly started: Started
  readonly outer: () => Promise<unknown>
  readonly inner: () => Promise<unknown>
  /** @returns What is wrong, or `null`. */
  readonly check: () => Promise<string | null>
}

const maxCalls = 72

/** The methods, and the numbers of calls, before which an operation runs. */
function* getPlaces(methods: readonly string[]): Generator<number | string> {
  if (!isLong) yield* methods
  for (const index of callNumbers()) yield index + 1
}

/**
 * Runs the inner operation before each call of the store that the outer one makes; in `npm test` before a selection.
 * @param methods - Methods whose first call belongs to the selection, if there is one.
 * @returns What was wrong, and where, and how many calls the outer one makes without the inner one.
 */
export async function overlapEverywhere(
  prepare: (adapter: Adapter) => Promise<Overlap>,
  methods: readonly string[] = []
): Promise<{ readonly calls: number; readonly problems: readonly string[] }> {
  const problems: string[] = []
  for (const at of getPlaces(methods)) {
    if (Number(at) >= maxCalls) break
    const cutter = createCutter()
    const { started, outer, inner, check } = await prepare(cutter.adapter)
    cutter.arm(at, inner, () => started.clock.advance(0.002))
    await outer().catch(() => undefined)
    const { before, calls } = await cutter.finish()
    if (before === null && typeof at === 'string') continue
    if (before === null) return { calls, problems }
    started.clock.advance(2)
    const problem = await check()
    if (problem !== null) problems.push(`${at} ${before}: ${problem}`)
  }
  throw new Error('expected fewer calls of the store')
}

/** An application whose clock is that of the machine, as the store's is; it advances with each call of the store. */
export async function startOverlap(
  t: Test,
  adapter: Adapter,
  options: NonNullable<Parameters<typeof startAccounts>[1]>
): Promise<Started> {
  const started = await startAccounts(t, { adapter, before: addRoutes, ...options })
  started.clock.set(new Date())
  return started
}

/** An adapter, with or without its transactions. */
export const choose = (adapter: Adapter, hasTransactions: boolean): Adapter =>
  Object.fromEntries(
    Object.keys(memoryAdapter())
      .filter((name) => hasTransactions || name !== 'transact')
      .map((name) => [name, Reflect.get(adapter, name)])
  )
