import type { Adapter } from '@postern/core'
import type credentials from '@postern/core/providers/credentials'
import { type Browser, type BrowserResponse, createIssuer, type Person } from '@postern/testkit'
import type { Test } from 'tap'
import {
  cookieNames,
  demoIssuer,
  fromAfar,
  mails,
  origin,
  people,
  type Started,
  type StartOptions,
  start
} from '../start.ts'
import { createPause, type Pause } from './linking-setup.ts'

export interface InstanceOptions extends StartOptions {
  /** Milliseconds that the clock of this process is ahead. */
  readonly ahead?: number
  /** A form instead of the usual one. */
  readonly form?: ReturnType<typeof credentials>
}

/** A process of the application, with the time of the machine; two with one adapter share everything that is stored. */
export async function startInstance(
  t: Test,
  { ahead = 0, form = people, providers, ...options }: InstanceOptions
): Promise<Started> {
  const issuer = createIssuer({ redirectUris: [`${origin}/api/auth/callback/demo`] })
  const runtime = {
    now: () => Date.now() + ahead,
    fetch: (url: string, init: RequestInit) => issuer.fetch(url, init),
    ...options.runtime
  }
  const demo = { ...demoIssuer(issuer), ...options.demo }
  const started = await start(t, {
    rateLimit: false,
    instances: 1,
    ...options,
    providers: providers ?? [demo, mails(), form],
    runtime
  })
  return { ...started, issuer }
}

export const open = (browser: Browser, url: string): Promise<BrowserResponse> =>
  browser.open(url, { headers: fromAfar })

/** Prepares a sign-in at the provider up to its last request. */
export async function prepareAtIssuer({ issuer }: Started, browser: Browser, person: Person) {
  const { location } = await browser.submit('/api/auth/signin/demo', { link: 'true' })
  const callback = await issuer.authorize(location ?? '', person)
  return () => open(browser, callback)
}

/** Prepares a sign-in by email up to its last request. */
export async function prepareByMail({ mailbox }: Started, browser: Browser, address: string) {
  await browser.submit('/api/auth/signin/email', { email: address })
  const { url } = mailbox.last()
  return () => open(browser, url)
}

/** The same cookies at another process. */
export function takeTo({ newBrowser }: Started, { cookies }: Browser): Browser {
  const browser = newBrowser()
  browser.cookies.set(cookieNames.sessionToken, cookies.get(cookieNames.sessionToken) ?? '', { secure: true })
  return browser
}

/** An adapter that runs `during` before or after the first call of a method from when it is set. */
export function pauseAround(adapter: Adapter, method: keyof Adapter, when: 'before' | 'after') {
  const pause: Pause = createPause()
  const original: unknown = adapter[method]
  if (typeof original !== 'function') throw new Error(`expected ${method}`)
  const paused = async (...args: readonly unknown[]): Promise<unknown> => {
    if (when === 'before') await pause.run()
    const result: unknown = await Reflect.apply(original, adapter, args)
    if (when === 'after') await pause.run()
    return result
  }
  return { pause, adapter: { ...adapter, [method]: Object.assign(paused, { ...original }) } as Adapter }
}

const isCounted = (name: string): boolean => !['close', 'ready', 'withLease', 'deleteExpired'].includes(name)

/** An adapter that can be interrupted before any of its calls. */
export function createPausing(adapter: Adapter) {
  const state: { left: number; calls: number; during: (() => Promise<unknown>) | null; method: string } = {
    left: 0,
    calls: 0,
    during: null,
    method: ''
  }
  const paused = new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string' || !isCounted(name)) return method
      const pausing = async (...args: readonly unknown[]): Promise<unknown> => {
        const { during } = state
        state.calls += 1
        if (during && state.left-- === 0) {
          state.during = null
          state.method = name
          await during()
        }
        return Reflect.apply(method, target, args)
      }
      return Object.assign(pausing, { ...method })
    }
  })
  return {
    adapter: paused,
    /** Runs one request, and another one before the call with this number of the first. */
    runAt: async (at: number, outer: () => Promise<unknown>, inner: () => Promise<unknown>) => {
      state.left = at
      state.calls = 0
      state.during = inner
      await outer()
      const isDone = state.during === null
      state.during = null
      return { isDone, method: state.method, calls: state.calls }
    }
  }
}
