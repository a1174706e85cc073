import { type PasswordOptions, password } from '@postern/account/password'
import { memoryAdapter } from '@postern/adapters/memory'
import {
  type Adapter,
  type AdapterUser,
  createPostern,
  type Logger,
  type Postern,
  type PosternOptions,
  type RateLimiter,
  type Renderer
} from '@postern/core'
import email from '@postern/core/providers/email'
import { createRenderer } from '@postern/pages'
import {
  type Browser,
  type BrowserResponse,
  type Clock,
  createBrowser,
  createClock,
  createMailbox,
  fromFetch,
  type Mail,
  type Mailbox
} from '@postern/testkit'
import { setCheapHashes } from './cheap-hashes.ts'

export const origin = 'https://app.test'
export const base = '/api/auth'
export const strategies = ['jwt', 'database'] as const
export type Strategy = (typeof strategies)[number]

export const ada = 'ada@example.com'
export const first = 'a long sentence to remember'
export const second = 'another sentence to remember'

interface Test {
  teardown(work: () => unknown): unknown
}

export interface Application {
  readonly auth: Postern
  readonly adapter: Adapter
  readonly clock: Clock
  readonly mailbox: Mailbox
  readonly logged: readonly (readonly [code: string, metadata: unknown])[]
  readonly newBrowser: () => Browser
}

export interface ApplicationOptions extends Omit<Partial<PosternOptions>, 'adapter'> {
  readonly adapter?: Adapter
  readonly password?: PasswordOptions
  /** Leaves the mails to the option `mailer`, so that nobody signs in by email. */
  readonly withoutEmail?: boolean
}

let pages: Promise<Renderer> | null = null

/** An application with passwords, and with sign-in by email. */
export async function openApplication(
  t: Test,
  strategy: Strategy,
  options: ApplicationOptions = {}
): Promise<Application> {
  const {
    password: passwordOptions,
    adapter = memoryAdapter(),
    providers = [],
    withoutEmail = false,
    runtime,
    ...others
  } = options
  const mails = email({ server: 'smtp://mail.test', from: 'mail@app.test' })
  const [clock, mailbox] = [createClock(), createMailbox()]
  const logged: [string, unknown][] = []
  const log = (code: string, metadata?: unknown): void => void logged.push([code, metadata])
  pages ??= createRenderer({ lazy: true })
  setCheapHashes()
  const auth: Postern = createPostern({
    url: origin,
    secret: 'a secret of the tests, 32 characters or more',
    adapter,
    renderer: await pages,
    session: { strategy },
    rateLimit: false,
    logger: { error: log, warn: log, debug: () => undefined } satisfies Logger,
    runtime: { now: clock.now, sendMail: mailbox.sendMail, ...runtime },
    providers: [password(passwordOptions), ...(withoutEmail ? [] : [mails]), ...providers],
    ...(withoutEmail ? { mailer: mails } : {}),
    ...others
  })
  t.teardown(auth.close)
  const newBrowser = (): Browser => createBrowser({ origin: others.url ?? origin, send: fromFetch(auth.fetch), clock })
  return { auth, adapter, clock, mailbox, logged, newBrowser }
}

export const signUp = async (browser: Browser, address: string, chosen: string): Promise<BrowserResponse> =>
  browser.fill(await browser.open(`${base}/password/sign-up`), `${base}/password/sign-up`, {
    email: address,
    password: chosen
  })

export const signIn = async (
  browser: Browser,
  address: string,
  typed: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<BrowserResponse> => {
  const [page, action] = [await browser.open(`${base}/signin`), `${base}/callback/password`]
  const values = { email: address, password: typed }
  // The page of a signed-in user has no form for it.
  const hasForm = page.html().querySelector(`form[action="${action}"]`) !== null
  return hasForm ? browser.fill(page, action, values, { headers }) : browser.submit(action, values, { headers })
}

/** Signs in with the mailed link of the provider for email, in the browser that asked for it. */
export async function signInByMail(browser: Browser, address: string, mailbox: Mailbox): Promise<BrowserResponse> {
  await browser.submit(`${base}/signin/email`, { email: address })
  return browser.open(mailbox.last().url)
}

/** Opens a mailed link, and sends its form. */
export const openLink = async (
  browser: Browser,
  { url }: Pick<Mail, 'url'>,
  values: Readonly<Record<string, string>> = {}
): Promise<BrowserResponse> => browser.fill(await browser.open(url), 'form', values)

export const forget = async (browser: Browser, address: string): Promise<BrowserResponse> =>
  browser.fill(await browser.open(`${base}/password/forgot`), `${base}/password/forgot`, { email: address })

/** Changes the password of `createUser`, or sets one. */
export async function change(browser: Browser, values: Readonly<Record<string, string>>): Promise<BrowserResponse> {
  const page = await browser.open(`${base}/password`)
  const current = page.html().querySelector('#currentPassword') ? { currentPassword: first } : {}
  return browser.fill(page, `${base}/password`, { ...current, ...values })
}

/** A user who has signed up with a password, in the browser that is signed in. */
export async function createUser(
  { newBrowser, mailbox }: Pick<Application, 'newBrowser' | 'mailbox'>,
  address: string = ada,
  chosen: string = first
): Promise<Browser> {
  const browser = newBrowser()
  await signUp(browser, address, chosen)
  await openLink(browser, mailbox.last())
  return browser
}

/** The address of the signed-in user. */
export async function getAddress(browser: Browser): Promise<string | null> {
  const session = await browser.json<{ user?: { email?: string } }>(`${base}/session`)
  return session?.user?.email ?? null
}

export const canSignIn = async (browser: Browser, address: string, typed: string): Promise<boolean> => {
  await signIn(browser, address, typed)
  return (await getAddress(browser)) === address
}

export const findUser = async (
  { adapter }: Pick<Application, 'adapter'>,
  address: string
): Promise<AdapterUser | null> => (await adapter.getUserByEmail?.(address)) ?? null

/** The cookies of a browser, as the application reads them. */
export function getCookies({ cookies }: Browser): ReadonlyMap<string, string> {
  const header = cookies.header({ url: new URL(base, origin), method: 'GET', site: 'same-origin' }) ?? ''
  return new Map(
    header.split('; ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
  )
}

/** Counts without an end: no time passes in the test that needs it, except where all counts start again. */
export function createLimiter(): RateLimiter & { readonly clear: () => void } {
  const counts = new Map<string, number>()
  const add = (key: string, by: number): number => {
    counts.set(key, (counts.get(key) ?? 0) + by)
    return counts.get(key) ?? 0
  }
  return {
    consume: async (key, { points, seconds }) => (add(key, 1) > points ? seconds : 0),
    refund: async (key) => void add(key, -1),
    clear: () => counts.clear()
  }
}
