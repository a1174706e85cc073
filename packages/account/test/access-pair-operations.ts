import { randomUUID } from 'node:crypto'
import type { AuthRequest } from '@postern/core'
import type { Browser, BrowserResponse, Person } from '@postern/testkit'
import { personOfAda, provider, type Scene } from './access-pair-scene.ts'
import { accountPath } from './account-application.ts'
import { decide, emailPath, getDecisionUrl, getMail, grace, third } from './email-application.ts'
import { readOptions } from './passkey-application.ts'
import { ada, base, first, forget, getCookies, origin, second } from './password-application.ts'
import { postEnrollment, startWithMail } from './second-factor-application.ts'
import { type CreationOptions, createAuthenticator } from './software-authenticator.ts'

/** What an operation says: a response, or the error of a call of the application. */
export type Answer = Pick<BrowserResponse, 'status' | 'location' | 'setCookies'>

type Act = (scene: Scene, browser: Browser) => Promise<Answer>

/** Something that changes what Ada can sign in with, signs her in, or ends sessions. */
export interface Operation {
  readonly name: string
  /** Who does it: a session of Ada's, that of the administrator, or a browser without a session. */
  readonly by: 'ada' | 'admin' | 'nobody'
  /** Whether a session is its result. */
  readonly isSignIn: boolean
  /** Whether all sessions of Ada end whenever it is done, and sign-ins that began before. */
  readonly endsAll: boolean
  /** Whether it requires no version: it may end a sign-in that an earlier one would not have met. */
  readonly isForced: boolean
  /** Whether it is about an account, and does nothing if it is not linked. */
  readonly isOfAccount: boolean
  /** Whether the session that asks for it gets a new token. A page that has nothing to do looks like one that has done it. */
  readonly reissues: boolean
  /** What Ada's address has to be. */
  readonly address: 'proven' | 'claimed' | 'any'
  /** Does everything but the request that counts. @returns That request. */
  readonly prepare: (scene: Scene, browser: Browser) => Promise<Act>
}

type About = Partial<Omit<Operation, 'name' | 'prepare'>>

const operation = (name: string, about: About, prepare: Operation['prepare']): Operation => ({
  ...{
    name,
    by: 'nobody',
    isSignIn: false,
    endsAll: false,
    isForced: false,
    isOfAccount: false,
    reissues: false,
    address: 'any',
    ...about
  },
  prepare
})

const at =
  (path: string, fields: Readonly<Record<string, string>>): Act =>
  (_, browser) =>
    browser.submit(path, fields)

/** A call of the application, which fails or not. */
const call =
  (run: (scene: Scene, browser: Browser) => Promise<unknown>): Act =>
  async (scene, browser) =>
    run(scene, browser).then(
      () => ({ status: 200, location: null, setCookies: [] }),
      ({ statusCode = 400 }) => ({ status: statusCode, location: null, setCookies: [] })
    )

async function goToProvider(browser: Browser, id: 'acme' | 'beta', person: Person, fields = {}): Promise<Act> {
  const { location } = await browser.submit(`${base}/signin/${id}`, fields)
  return async ({ authorize }, browser) =>
    browser.open(await authorize(location, person), { headers: { 'sec-fetch-site': 'cross-site' } })
}

async function mailLink({ mailbox }: Scene, browser: Browser): Promise<Act> {
  await browser.submit(`${base}/signin/email`, { email: ada })
  const { url } = getMail({ mailbox }, ada)
  return (_, browser) => browser.open(url)
}

const signIn = { isSignIn: true } as const
const proven = { address: 'proven' } as const
const claimed = { address: 'claimed' } as const
const byAda = { by: 'ada' } as const
const bySession = { by: 'ada', reissues: true } as const
const endsAll = { endsAll: true } as const
const isForced = { endsAll: true, isForced: true } as const

const signIns: readonly Operation[] = [
  operation('signing in by an account', signIn, (_, browser) => goToProvider(browser, 'acme', personOfAda)),
  operation('signing in by the password', signIn, async () =>
    at(`${base}/callback/password`, { email: ada, password: first })
  ),
  operation('signing in by a mailed link', signIn, mailLink),
  operation('a first sign-in', signIn, (_, browser) =>
    goToProvider(browser, 'acme', { sub: 'new', name: 'New', email: 'new@example.com', email_verified: true })
  ),
  operation('joining by the address', { ...signIn, ...proven }, (_, browser) =>
    goToProvider(browser, 'beta', personOfAda)
  ),
  operation('accepting an invitation', signIn, async ({ app, ids }, browser) => {
    await app.auth.invite(ids.ada, { expiresIn: 3600 })
    return goToProvider(browser, 'beta', personOfAda)
  }),
  operation('verifying the address', { ...signIn, ...claimed }, (_, browser) =>
    goToProvider(browser, 'acme', personOfAda)
  ),
  operation('reclaiming by a mailed link', { ...signIn, ...claimed }, mailLink),
  operation('reclaiming by an invitation', { ...signIn, ...claimed }, async ({ app, ids }, browser) => {
    await app.auth.invite(ids.ada, { expiresIn: 3600 })
    return goToProvider(browser, 'beta', personOfAda)
  })
]

const changes: readonly Operation[] = [
  operation('linking an account', bySession, (_, browser) =>
    goToProvider(browser, 'acme', { sub: 'linked', name: 'Ada', email: 'linked@example.com' }, { link: 'true' })
  ),
  operation('unlinking an account', { ...bySession, ...endsAll }, async () =>
    at(`${accountPath}/connections/remove`, { provider: 'acme', providerAccountId: 'ada' })
  ),
  operation('adding a passkey', { ...bySession, ...proven }, async (_, browser) => {
    const page = await browser.open(`${base}/passkeys`)
    const credential = createAuthenticator({ origin }).create(readOptions<CreationOptions>(page))
    return (_, browser) => browser.fill(page, `${base}/passkeys`, { credential })
  }),
  operation(
    'adding the first second factor',
    { ...bySession, ...endsAll, ...proven },
    async ({ clock, mailbox }, browser) => {
      const { app, mailCode } = await startWithMail({ clock, mailbox }, browser)
      return (_, browser) => postEnrollment(browser, { code: app.code(), mailCode })
    }
  ),
  operation('changing the password', { ...bySession, ...endsAll }, async () =>
    at(`${base}/password`, { currentPassword: first, password: third })
  ),
  operation('resetting the password', { ...endsAll, ...proven }, async ({ mailbox }, browser) => {
    await forget(browser, ada)
    const page = await browser.open(getMail({ mailbox }, ada).url)
    return (_, browser) => browser.fill(page, 'form', { password: second })
  }),
  operation('changing the address', { ...byAda, ...endsAll, ...proven }, async ({ mailbox }, browser) => {
    await browser.submit(emailPath, { email: grace })
    await browser.submit(`${emailPath}/confirm`, { code: getMail({ mailbox }, grace).code })
    const url = getDecisionUrl({ mailbox })
    return (_, browser) => decide(browser, url, 'confirm')
  })
]

/** A request of the application, with the cookies of a browser. */
const createRequest = (browser: Browser): AuthRequest => ({
  ...{ method: 'POST', path: '/callback/application', query: {}, body: {}, headers: {} },
  ...{ origin, cookies: getCookies(browser), client: '192.0.2.1', clientsBehindIp: 1, id: 'request' }
})

const logOut: Act = async ({ sign, clock }, browser) => {
  const iat = Math.floor(clock.now() / 1000)
  const about = { iss: provider.issuer, aud: provider.clientId, iat, exp: iat + 120, jti: randomUUID(), sub: 'ada' }
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const token = await sign({ ...about, events }, { typ: 'logout+jwt' })
  return browser.post(`${base}/backchannel-logout/acme`, `${new URLSearchParams({ logout_token: token })}`)
}

const impersonate = call(async ({ app, ids }, browser) => {
  const { cookies } = await app.auth.users.impersonate(createRequest(browser), ids.ada, { reason: 'a test' })
  for (const [name, { value }] of cookies) {
    if (value === '') browser.cookies.delete(name)
    else browser.cookies.set(name, value, { secure: true })
  }
})

const ends: readonly Operation[] = [
  operation('signing out', byAda, async () => at(`${base}/signout`, {})),
  operation('ending a session', {}, async ({ app, ids }) => {
    const sessions = await app.auth.sessions.list(ids.ada)
    const { id = '' } = sessions.at(-1) ?? {}
    return call(({ app, ids }) => app.auth.sessions.revoke(id, ids.ada))
  }),
  operation('ending the other sessions', { ...bySession, ...endsAll }, async () =>
    at(`${accountPath}/devices/end-others`, {})
  ),
  operation('ending all sessions', isForced, async () => call(({ app, ids }) => app.auth.sessions.revokeAll(ids.ada))),
  operation('suspending', isForced, async () => call(({ app, ids }) => app.auth.users.suspend(ids.ada))),
  operation('resuming', {}, async ({ app, ids }) => {
    await app.auth.users.suspend(ids.ada)
    return call(({ app, ids }) => app.auth.users.resume(ids.ada))
  }),
  operation('deleting', isForced, async () => call(({ app, ids }) => app.auth.deleteUser(ids.ada))),
  operation('a logout token', { ...isForced, isOfAccount: true }, async () => logOut),
  operation('impersonating', { by: 'admin' }, async () => impersonate),
  operation('renewing a session', byAda, async ({ clock }) => {
    clock.advance(61)
    return call((_, browser) => browser.json(`${base}/session`))
  })
]

/** The table of `access.md`. */
export const operations: readonly Operation[] = [...signIns, ...changes, ...ends]
