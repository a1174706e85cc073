import type { Postern, TestSignIn, User } from '@postern/core'
import type { FastifyInstance } from 'fastify'
import { registration } from './registration.ts'

export type { TestSignIn } from '@postern/core'
export { createClock, type TestClock } from './test-clock.ts'
export { createMailbox, type Mail, type Mailbox } from './test-mailbox.ts'

/** Cookies for `inject({ cookies })`. */
export type Cookies = Record<string, string>

/** The origin of requests by `inject`. */
const injectOrigin = 'http://localhost:80'

export interface SignInAsOptions extends TestSignIn {
  /** The origin of the test's requests. @defaultValue the origin of `inject` */
  readonly origin?: string | undefined
}

export interface CsrfOptions {
  /** The cookies of the browser, such as those of `signInAs`. @defaultValue none */
  readonly cookies?: Readonly<Cookies> | undefined
  /** The origin of the test's requests. @defaultValue the origin of `inject` */
  readonly origin?: string | undefined
}

async function getInstance(call: string, app: FastifyInstance): Promise<Postern> {
  await app.ready()
  const auth = app[registration]?.auth
  if (!auth) throw new TypeError(`${call}: expected an app that Postern is registered in`)
  return auth
}

const values = (cookies: ReadonlyMap<string, { readonly value: string }>): Cookies =>
  Object.fromEntries([...cookies].map(([name, { value }]) => [name, value]))

/**
 * Signs a user in without verification, for tests.
 *
 * With an adapter, a user without an id is found by its email address, or created. With database sessions, a user with an
 * id must be in the store.
 *
 * @returns Cookies for `inject({ cookies })`.
 */
export async function signInAs(
  app: FastifyInstance,
  user: Partial<User>,
  { origin = injectOrigin, ...signIn }: SignInAsOptions = {}
): Promise<Cookies> {
  const auth = await getInstance('signInAs', app)
  if (![user?.id, user?.email].some((name) => typeof name === 'string' && name !== ''))
    throw new TypeError("signInAs: expected a user with an id or an email address, as { email: 'ada@example.com' }")
  return values(await auth.openSession(user, origin, signIn))
}

/**
 * Returns the token for a form of Postern or of the application, in the field `csrfToken` or the header `x-csrf-token`, for
 * tests.
 *
 * @returns The token, and the cookies to send with it: those of the browser, and the one that belongs to the token.
 */
export async function getCsrf(
  app: FastifyInstance,
  { cookies = {}, origin = injectOrigin }: CsrfOptions = {}
): Promise<{ readonly csrfToken: string; readonly cookies: Cookies }> {
  const auth = await getInstance('getCsrf', app)
  const { token, cookies: added } = await auth.csrfToken({ origin, cookies: new Map(Object.entries(cookies)) })
  return { csrfToken: token, cookies: { ...cookies, ...values(added) } }
}
