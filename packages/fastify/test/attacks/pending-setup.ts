import type { Adapter } from '@postern/core'
import type { Browser, BrowserResponse } from '@postern/testkit'
import type { Test } from 'tap'
import { createTestGate, type TestGate } from '../interruption-feature.ts'
import { origin, type Started, type StartOptions, signInByForm, signInByMail } from '../start.ts'
import { databaseStores, localStores, storeWithoutTransactions } from '../stores.ts'
import { address, signIn, startAccounts, vera } from './setup.ts'

export const ask = '/api/auth/verify/ask'
export const pendingCookie = '__Secure-postern.pending'
export const stepUpCookie = '__Secure-postern.step-up'
export const interrupted = `${origin}/api/auth/verify?error=VerificationRequired`
export const startOver = `${origin}/api/auth/signin?error=Callback`

/** Every store that sign-ins run on. */
export const stores = [...localStores, storeWithoutTransactions, ...databaseStores]

export interface Method {
  readonly enter: (started: Started, browser: Browser) => Promise<BrowserResponse>
  readonly address: string
}

/** A way to sign in for each account policy. */
export const methods = {
  provider: { enter: (started, browser) => signIn(started, browser, vera), address },
  mail: { enter: (started, browser) => signInByMail(started, browser), address: 'ada@example.com' },
  form: { enter: (_started, browser) => signInByForm(browser, 'grace'), address: 'grace@example.com' }
} as const satisfies Readonly<Record<string, Method>>

export type MethodName = keyof typeof methods
export const methodNames = Object.keys(methods) as readonly MethodName[]

export interface Gated extends Started {
  readonly gate: TestGate
}

/** An application with an interruption that is due if `gate.isDue` is set. */
export async function startGated(
  t: Test,
  { features = [], ...options }: Parameters<typeof startAccounts>[1] = {}
): Promise<Gated> {
  const gate = createTestGate(false)
  const routes = new URL('../session-manager-routes.js', import.meta.url).href
  const started = await startAccounts(t, { routes, ...options, features: [gate.feature, ...features] })
  if (options.adapter) t.teardown(() => options.adapter?.close?.())
  return { ...started, gate }
}

/** The id of the user with an address; with JWT sessions the users of a form are not stored. */
export async function getId({ adapter }: Started, email: string): Promise<string> {
  return (await adapter?.getUserByEmail?.(email))?.id ?? `id-${email.split('@')[0]}`
}

/** Signs in up to the interruption. */
export async function beginPending(
  t: Test,
  started: Gated,
  method: MethodName,
  browser: Browser = started.newBrowser()
): Promise<Browser> {
  started.gate.isDue = true
  t.equal((await methods[method].enter(started, browser)).location, interrupted, `${method} is interrupted`)
  return browser
}

/** Creates the user of a method, and returns a browser whose next sign-in waits. */
export async function beginKnown(t: Test, started: Gated, method: MethodName) {
  started.gate.isDue = false
  const signedIn = started.newBrowser()
  t.equal((await methods[method].enter(started, signedIn)).location, origin, `${method} is complete`)
  const userId = await getId(started, methods[method].address)
  return { signedIn, userId, pending: await beginPending(t, started, method) }
}

export const answer = (browser: Browser, text = 'yes'): Promise<BrowserResponse> =>
  browser.submit(ask, { answer: text })

const attributes = { secure: true, httpOnly: true, sameSite: 'Lax' } as const

/** Puts a cookie into a browser, as somebody who has copied or made it. */
export const putCookie = (browser: Browser, value: string, name: string = pendingCookie): void =>
  browser.cookies.set(name, value, { ...attributes, path: name === stepUpCookie ? '/' : '/api/auth' })

export type { Adapter, StartOptions }
