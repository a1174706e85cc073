import type { AuthRequest, Postern, SetCookies } from '@postern/core'
import { type Browser, type BrowserResponse, type CookieJar, createBrowser } from '@postern/testkit'
import { base, getCookies, origin } from '../password-application.ts'
import type { Route, Stage } from './stage.ts'

/** The outcome of a request is unknown: its connection was lost, its process was killed, or the store did not respond. */
export class UnknownOutcome extends Error {}

const sessionCookie = '__Secure-next-auth.session-token'
const trustCookie = '__Host-postern.factors.device'
const csrfCookie = '__Host-next-auth.csrf-token'

/** Somebody with a browser. */
export class Visitor {
  readonly name: string
  readonly browser: Browser
  readonly #stage: Stage
  /** Where the requests of this step go. */
  route: Route = 'one'
  /** Headers of each request of this step. */
  headers: Readonly<Record<string, string>> = {}
  /** The pending sign-in that the browser has, by its id in the model. */
  pending: string | null = null
  /** What makes the browser a trusted one, by its id in the model. */
  trust: string | null = null

  constructor(name: string, stage: Stage, cookies?: CookieJar) {
    this.name = name
    this.#stage = stage
    this.browser = createBrowser({
      ...{ origin, clock: stage.clock },
      ...(cookies && { cookies: cookies.clone() }),
      send: (request) => stage.send(this.route)({ ...request, headers: { ...request.headers, ...this.headers } })
    })
  }

  /** Another browser with the cookies of this one. */
  copy(name: string): Visitor {
    const other = new Visitor(name, this.#stage, this.browser.cookies)
    other.pending = this.pending
    other.trust = this.trust
    return other
  }

  get session(): string | null {
    return this.browser.cookies.get(sessionCookie)
  }

  forgetSession(): void {
    this.browser.cookies.delete(sessionCookie)
  }

  get trustValue(): string | null {
    return this.browser.cookies.get(trustCookie)
  }

  /** Posts a form. @throws UnknownOutcome */
  async post(
    path: string,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {}
  ): Promise<BrowserResponse> {
    const [token] = this.browser.cookies.get(csrfCookie)?.split(/\||%7C/) ?? []
    const csrf = token === undefined ? {} : { csrfToken: token }
    return this.#settle(this.browser.submit(base + path, { ...csrf, ...fields }, { headers }))
  }

  /** @throws UnknownOutcome */
  open(path: string): Promise<BrowserResponse> {
    return this.#settle(this.browser.open(path.startsWith('/') && !path.startsWith(base) ? base + path : path))
  }

  /** Sends the form of a page. @throws UnknownOutcome */
  fill(page: BrowserResponse): Promise<BrowserResponse> {
    return this.#settle(this.browser.fill(page, 'form'))
  }

  /** Posts a body unchanged. @throws UnknownOutcome */
  postBody(path: string, fields: Readonly<Record<string, string>>): Promise<BrowserResponse> {
    return this.#settle(this.browser.post(base + path, `${new URLSearchParams(fields)}`))
  }

  /** @returns `null` if the response has no JSON. @throws UnknownOutcome */
  async json<T>(path: string): Promise<T | null> {
    const response = await this.#settle(this.browser.open(base + path, { headers: { accept: 'application/json' } }))
    return response.status === 200 ? response.json<T>() : null
  }

  async #settle(sent: Promise<BrowserResponse>): Promise<BrowserResponse> {
    const response = await sent.catch((error: unknown) => {
      throw new UnknownOutcome('the connection was lost', { cause: error })
    })
    if (response.status >= 500) throw new UnknownOutcome(`${response.status} ${response.url}`)
    return response
  }

  /** A request of the application, with the cookies of the browser. */
  createRequest(): AuthRequest {
    return {
      ...{ method: 'POST', path: '/callback/application', query: {}, body: {}, headers: {} },
      ...{ origin, cookies: getCookies(this.browser), client: '192.0.2.1', clientsBehindIp: 1, id: 'request' }
    }
  }

  /** Stores cookies that the application sends. */
  setCookies(auth: Pick<Postern, 'setCookieHeaders'>, cookies: SetCookies): void {
    for (const text of auth.setCookieHeaders(cookies)) this.browser.cookies.store(text, new URL(base, origin))
  }
}

/** What a session cookie signs in as: the id of a user, or null. @throws UnknownOutcome */
export async function probe(stage: Stage, route: Route, value: string): Promise<string | null> {
  const headers = { host: 'app.test', cookie: `${sessionCookie}=${value}`, accept: 'application/json' }
  const { status, body } = await stage.send(route)({ method: 'GET', origin, url: `${base}/session`, headers })
  if (status !== 200) throw new UnknownOutcome(`${status} ${body}`)
  const { id }: { readonly id?: string } = JSON.parse(body) ?? {}
  return id ?? null
}
