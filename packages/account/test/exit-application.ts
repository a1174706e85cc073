import { accountPages } from '@postern/account/pages'
import { passkey } from '@postern/account/passkey'
import { password } from '@postern/account/password'
import { secondFactor } from '@postern/account/second-factor'
import { memoryAdapter } from '@postern/adapters/memory'
import { type Adapter, createPostern, type Postern, type PosternOptions, type Renderer } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import email from '@postern/core/providers/email'
import { createRenderer } from '@postern/pages'
import {
  type Browser,
  type BrowserResponse,
  type Clock,
  createBrowser,
  createClock,
  createIssuer,
  createMailbox,
  fromFetch,
  type Issuer,
  type Mailbox,
  type Send
} from '@postern/testkit'
import { findBrokenRules } from '@postern/testkit/screen-rules'
import { setCheapHashes } from './cheap-hashes.ts'
import { readOptions, signInWithPasskey } from './passkey-application.ts'
import { signUpWithPasskey } from './passkey-sign-up-application.ts'
import { base, first, forget, openLink, origin, type Strategy, signUp } from './password-application.ts'
import { type App, answer, createApp, openWithMailedCode, readKey } from './second-factor-application.ts'
import {
  type Authenticator,
  type CreationOptions,
  createAuthenticator,
  type RequestOptions
} from './software-authenticator.ts'

/**
 * Ways to sign in: a provider without ID Tokens, OpenID Providers that state `auth_time` and that never do, and the methods of this
 * application. `passkey` lets nobody sign up.
 */
export const methods = ['oauth', 'oidc', 'silent', 'email', 'password', 'passkey', 'passkeySignUp', 'form'] as const
export type Method = (typeof methods)[number]

export const policies = ['none', 'optional', 'required'] as const

/** A set of sign-in methods, and what decides who can do what with it. */
export interface Setup {
  readonly methods: readonly Method[]
  /** Whether a second factor is not registered, or chosen by the user, or required of everyone. */
  readonly policy: (typeof policies)[number]
  readonly hasMailer: boolean
  /** Whether providers are trusted for the addresses of their users. */
  readonly isTrusted: boolean
  readonly strategy: Strategy
}

const isProvider = (method: Method): boolean => ['oauth', 'oidc', 'silent'].includes(method)

let pages: Promise<Renderer> | null = null

export interface ExitApplication {
  readonly auth: Postern
  readonly adapter: Adapter
  readonly clock: Clock
  readonly mailbox: Mailbox
  readonly issuer: Issuer
  readonly newBrowser: () => Browser
  /** The rules that a page broke which a browser has opened, with its path. */
  readonly broken: ReadonlySet<string>
}

const support = 'mailto:help@app.test'

/** Checks the pages that a browser opens. */
function withRules(send: Send, broken: Set<string>): Send {
  return async (request) => {
    const response = await send(request)
    const path = request.url.split('?', 1)[0] ?? ''
    const isPage = response.body.includes('<main')
    const isStart = path.endsWith('/signin') && !response.body.includes('Confirm that it is you')
    const rules = isPage ? findBrokenRules(response.body, { isStart, support }) : []
    for (const rule of rules) broken.add(`${request.method} ${path}: ${rule}`)
    return response
  }
}

/** @throws ConfigError if the set is refused. */
export async function openExitApplication(setup: Setup): Promise<ExitApplication> {
  const { methods, policy, hasMailer, isTrusted, strategy } = setup
  const [clock, mailbox, adapter] = [createClock(), createMailbox(), memoryAdapter()]
  const issuer = createIssuer({ clock, plainOAuth: true })
  const { issuer: url, clientId } = issuer
  const at = {
    ...{ issuer: url, clientId, clientSecret: issuer.clientSecret ?? '', verifiesEmail: isTrusted },
    authorization: { params: { scope: 'openid email profile' } },
    profile: ({ sub, email }: Readonly<Record<string, unknown>>) => ({ id: String(sub), email: String(email) })
  }
  const mails = email({ server: 'smtp://mail.test', from: 'mail@app.test' })
  const registered: Readonly<Record<Method, () => PosternOptions['providers'][number]>> = {
    oauth: () => ({ ...at, id: 'oauth', name: 'Hub', type: 'oauth', idToken: false, checks: ['pkce', 'state'] }),
    oidc: () => ({ ...at, id: 'oidc', name: 'Work', type: 'oidc', client: { require_auth_time: true } }),
    silent: () => ({ ...at, id: 'silent', name: 'School', type: 'oidc' }),
    email: () => mails,
    password: () => password(),
    passkey: () => passkey(),
    passkeySignUp: () => passkey({ signUp: true }),
    form: () =>
      credentials({
        id: 'form',
        credentials: { username: {}, password: { type: 'password' } },
        authorize: ({ username }) => ({ id: username, email: `${username}@example.com` })
      })
  }
  pages ??= createRenderer({ lazy: true })
  setCheapHashes()
  const auth = createPostern({
    ...{ url: origin, secret: 'a secret of the tests, 32 characters or more', adapter, renderer: await pages },
    session: { strategy },
    rateLimit: false,
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    runtime: { now: clock.now, sendMail: mailbox.sendMail, fetch: (address, init) => issuer.fetch(address, init) },
    providers: methods.map((method) => registered[method]()),
    features: [accountPages(), ...(policy === 'none' ? [] : [secondFactor({ required: policy === 'required' })])],
    ...(hasMailer ? { mailer: mails } : {}),
    theme: { links: { support } }
  })
  const broken = new Set<string>()
  const send = withRules(fromFetch(auth.fetch), broken)
  const newBrowser = (): Browser => createBrowser({ origin, send, clock })
  return { auth, adapter, clock, mailbox, issuer, newBrowser, broken }
}

/** A person who uses the application in a browser, and knows how they have signed up. */
export class Visitor {
  readonly app: ExitApplication
  readonly setup: Setup
  readonly method: Method
  readonly address: string
  readonly #authenticator: Authenticator = createAuthenticator({ origin })
  #totp: App | null = null
  browser: Browser

  constructor(app: ExitApplication, setup: Setup, method: Method) {
    this.app = app
    this.setup = setup
    this.method = method
    this.address = `${method.toLowerCase()}@example.com`
    this.browser = app.newBrowser()
  }

  async findUserId(): Promise<string | null> {
    return (await this.app.adapter.getUserByEmail?.(this.address))?.id ?? null
  }

  /** Whether the browser is signed in as the user. */
  async isSignedIn(): Promise<boolean> {
    const session = await this.browser.json<{ user?: { email?: string } }>(`${base}/session`)
    return session?.user?.email === this.address
  }

  signUp(): Promise<BrowserResponse> {
    if (this.method === 'password') return this.#signUpWithPassword()
    if (this.method === 'passkeySignUp') return this.#signUpWithPasskey()
    return this.signIn(this.method)
  }

  async #signUpWithPassword(): Promise<BrowserResponse> {
    await signUp(this.browser, this.address, first)
    return this.#settle(await openLink(this.browser, this.app.mailbox.last()))
  }

  async #signUpWithPasskey(): Promise<BrowserResponse> {
    await signUpWithPasskey(this.browser, this.address, this.#authenticator)
    return this.#settle(await openLink(this.browser, this.app.mailbox.last()))
  }

  /** Signs in by one of the ways that the sign-in page has. */
  async signIn(method: Method): Promise<BrowserResponse> {
    return this.#authenticate(method, await this.browser.open(`${base}/signin`))
  }

  async #authenticate(method: Method, page: BrowserResponse): Promise<BrowserResponse> {
    const { browser, address } = this
    if (isProvider(method)) return this.#comeBack(method, await browser.fill(page, `${base}/signin/${method}`))
    if (method === 'email') {
      await browser.fill(page, `${base}/signin/email`, { email: address })
      return this.#settle(await browser.open(this.app.mailbox.last().url))
    }
    if (method === 'password')
      return this.#settle(await browser.fill(page, `${base}/callback/password`, { email: address, password: first }))
    if (method === 'form')
      return this.#settle(await browser.fill(page, `${base}/callback/form`, { username: 'form', password: 'any' }))
    return this.#settle(await signInWithPasskey(browser, this.#authenticator))
  }

  /** Signs in at the provider that a form leads to. */
  async #comeBack(method: Method, started: BrowserResponse): Promise<BrowserResponse> {
    const { issuer, clock } = this.app
    const now = Math.floor(clock.now() / 1000)
    const person = {
      ...{ sub: `${this.method} at ${method}`, email: this.address },
      ...(method === 'oidc' ? { auth_time: now } : {})
    }
    return this.#settle(await this.browser.open(await issuer.authorize(started.location ?? '', person)))
  }

  /** Follows redirects, and answers the second factor or sets it up. */
  async #settle(response: BrowserResponse): Promise<BrowserResponse> {
    const { clock, mailbox } = this.app
    const page = await this.browser.followAll(response)
    if (page.url.includes('/verify/factor')) {
      clock.advance(31)
      const factor = this.#totp
        ? { code: this.#totp.code() }
        : { credential: this.#authenticator.get(readOptions<RequestOptions>(page)) }
      return this.#settle(await answer(this.browser, factor))
    }
    if (!page.url.includes('/verify/enroll')) return page
    const path = `${base}/verify/enroll`
    const form = page.html().querySelector('code') ? page : await this.browser.fill(page, path)
    this.#totp = createApp(await readKey(this.browser), clock.now)
    const mailCode = form.html().querySelector('[name=mailCode]') ? { mailCode: mailbox.last().code } : {}
    const codes = await this.browser.submit(path, { code: this.#totp.code(), ...mailCode })
    return this.#settle(await this.browser.fill(codes, `${base}/verify/enroll`))
  }

  /**
   * Opens a page of the account, and confirms who it is where the page asks for it: as at the sign-up if that is offered, or with the
   * mailed code.
   */
  async openConfirmed(path: string): Promise<BrowserResponse> {
    const page = await this.browser.open(`${base}${path}`)
    const verify = page.html().querySelector(`a[href*="/verify?"]`)?.getAttribute('href')?.replaceAll('&amp;', '&')
    if (!verify) return page
    return this.#confirm(await this.browser.open(verify))
  }

  async #confirm(page: BrowserResponse): Promise<BrowserResponse> {
    const isOffered = (method: Method): boolean =>
      page.html().querySelector(`form[action$="/${method === 'passkeySignUp' ? 'passkey' : method}"]`) !== null
    // As at the sign-up, or with what is left since that way in was removed.
    const way = [this.method, ...this.setup.methods].find(isOffered)
    const done = way ? await this.#authenticate(way, page) : page
    const byMail = done.html().querySelector(`form[action$="/signin/mailed-code"]`)
    if (!byMail) return done
    const sent = await this.browser.followAll(await this.browser.fill(done, `${base}/signin/mailed-code`))
    const { code } = this.app.mailbox.last()
    return this.#settle(await this.browser.fill(sent, `${base}/callback/mailed-code`, { code }))
  }

  /** Connects another provider on the page of the account. */
  async connect(page: BrowserResponse, method: Method): Promise<BrowserResponse> {
    return this.#comeBack(method, await this.browser.fill(page, `form[action$="/signin/${method}"]`))
  }

  /** Adds a passkey. @returns Whether the page allowed it. */
  async addPasskey(): Promise<boolean> {
    const path = `${base}/passkeys`
    const shown = await this.openConfirmed('/passkeys')
    const sends = shown.html().querySelector(`form[action$="/passkeys/code"]`)
    const page = sends ? await openWithMailedCode(this.app, this.browser) : shown
    if (!page.html().querySelector('input[name=options]')) return false
    const credential = this.#authenticator.create(readOptions<CreationOptions>(page))
    return (await this.browser.fill(page, path, { credential })).status < 400
  }

  /** Sets the password of the sign-up by a mailed link. */
  async resetPassword(): Promise<void> {
    await forget(this.browser, this.address)
    await openLink(this.browser, this.app.mailbox.last(), { password: first })
  }
}
