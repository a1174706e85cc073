import type { Now } from '../clock.ts'
import { type CookieJar, createCookieJar } from './cookie-jar.ts'
import { fillForm } from './form.ts'
import { type BrowserResponse, toResponse } from './response.ts'
import type { BrowserRequest, Method, Send } from './send.ts'

/** Headers that a test adds or replaces; `null` removes one. */
export type HeaderChanges = Readonly<Record<string, string | null>>

export interface BrowserOptions {
  /** The origin of the application: `https://app.test`. The browser never leaves it. */
  readonly origin: string
  readonly send: Send
  /** The path prefix of the sign-in routes. @defaultValue '/api/auth' */
  readonly basePath?: string
  /** Decides when cookies expire. @defaultValue the system clock */
  readonly clock?: Now
  /** The initial cookies, such as a copy of another browser's. @defaultValue none */
  readonly cookies?: CookieJar
}

/**
 * A browser with cookies and without JavaScript.
 *
 * URLs are paths, or absolute URLs of the browser's own origin; any other throws.
 */
export interface Browser {
  readonly origin: string
  readonly cookies: CookieJar
  /** Opens a URL as if typed: `Sec-Fetch-Site` is `none` unless the test sets it. */
  readonly open: (url: string, options?: { readonly headers?: HeaderChanges }) => Promise<BrowserResponse>
  /**
   * Posts a form of the application's own pages, without requesting the page first.
   *
   * A new `csrfToken` is fetched and added, unless the fields contain one. `json` sends the fields as JSON, as a script
   * of the page would.
   */
  readonly submit: (
    path: string,
    fields: Readonly<Record<string, string>>,
    options?: { readonly headers?: HeaderChanges; readonly json?: boolean }
  ) => Promise<BrowserResponse>
  /** Posts a body unchanged, with the cookies but without browser headers. The content type is a form's. */
  readonly post: (path: string, body: string, headers?: HeaderChanges) => Promise<BrowserResponse>
  /** Sends any request with the cookies but without browser headers. */
  readonly request: (
    method: Method,
    path: string,
    options?: { readonly headers?: HeaderChanges; readonly body?: string }
  ) => Promise<BrowserResponse>
  /** Finds a form in a page, fills it in and submits it: action or CSS selector, then values by field name. */
  readonly fill: (
    page: BrowserResponse,
    form: string,
    values?: Readonly<Record<string, string>>,
    options?: { readonly headers?: HeaderChanges }
  ) => Promise<BrowserResponse>
  /** Follows the `Location` of a response. Throws if there is none, or if it leaves the origin. */
  readonly follow: (response: BrowserResponse) => Promise<BrowserResponse>
  /** Follows redirects until a response is not a redirect, or leaves the origin. Throws after 20. */
  readonly followAll: (response: BrowserResponse) => Promise<BrowserResponse>
  /** Fetches JSON as a script of the application's own pages would. */
  readonly json: <T = unknown>(path: string, options?: { readonly headers?: HeaderChanges }) => Promise<T>
}

const navigation = {
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document'
} as const

const script = {
  accept: 'application/json',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
  'sec-fetch-site': 'same-origin'
} as const

const formType = { 'content-type': 'application/x-www-form-urlencoded' } as const

/** Creates a browser for one origin. */
export function createBrowser(options: BrowserOptions): Browser {
  const { origin, basePath = '/api/auth' } = options
  const cookies = options.cookies ?? createCookieJar(options.clock)
  const context = { origin, cookies, send: options.send }
  const go: Go = (method, address, changes, body) => perform(context, { method, address, changes, body })
  const json: Browser['json'] = async (path, { headers = {} } = {}) =>
    (await go('GET', path, { ...script, ...headers })).json()
  const follow: Browser['follow'] = (response) => followOnce(go, origin, response)
  return {
    origin,
    cookies,
    open: (url, { headers = {} } = {}) => go('GET', url, { ...navigation, 'sec-fetch-site': 'none', ...headers }),
    submit: async (path, fields, { headers = {}, json: asJson = false } = {}) => {
      const csrf = 'csrfToken' in fields ? {} : await json<{ csrfToken: string }>(`${basePath}/csrf`)
      const all = { ...csrf, ...fields }
      return asJson
        ? go('POST', path, { ...script, origin, 'content-type': 'application/json', ...headers }, JSON.stringify(all))
        : go('POST', path, { ...posted(origin), ...headers }, `${new URLSearchParams(all)}`)
    },
    post: (path, body, headers = {}) => go('POST', path, { ...formType, ...headers }, body),
    request: (method, path, { headers = {}, body } = {}) => go(method, path, headers, body),
    fill: (page, form, values = {}, { headers = {} } = {}) => {
      const { method, url, fields } = fillForm(page, form, values)
      const at = `${url.origin}${url.pathname}`
      return method === 'GET'
        ? go('GET', `${at}?${fields}`, { ...navigation, 'sec-fetch-site': 'same-origin', ...headers })
        : go('POST', `${at}${url.search}`, { ...posted(getOrigin(page)), ...headers }, `${fields}`)
    },
    follow,
    followAll: async (response) => {
      let last = response
      for (let left = 20; isOwnRedirect(origin, last); left--) {
        if (left === 0) throw new Error(`browser: redirected more than 20 times, the last time to ${last.location}`)
        last = await follow(last)
      }
      return last
    },
    json
  }
}

type Go = (method: Method, url: string, headers: HeaderChanges, body?: string) => Promise<BrowserResponse>

interface Context {
  readonly origin: string
  readonly cookies: CookieJar
  readonly send: Send
}

interface Errand {
  readonly method: Method
  readonly address: string
  readonly changes: HeaderChanges
  readonly body: string | undefined
}

async function perform(
  { origin, cookies, send }: Context,
  { method, address, changes, body }: Errand
): Promise<BrowserResponse> {
  const url = new URL(address, origin)
  if (url.origin !== origin) throw new Error(`browser: stays at ${origin}, got the address ${url.href}`)
  const requests = Object.entries(changes).map(([name, value]) => [name.toLowerCase(), value] as const)
  const site = requests.findLast(([name]) => name === 'sec-fetch-site')?.[1] ?? null
  const cookie = cookies.header({ url, method, site })
  const headers = Object.fromEntries(
    [['host', url.host] as const, ['cookie', cookie] as const, ...requests].filter(isSent)
  )
  const request: BrowserRequest = { method, origin, url: url.pathname + url.search, headers }
  const sent = body === undefined ? request : { ...request, body }
  const response = await send(sent)
  const set = [response.headers['set-cookie'] ?? []].flat().map((text) => cookies.store(text, url))
  return toResponse(sent, response, set)
}

function isSent(entry: readonly [string, string | null]): entry is readonly [string, string] {
  return entry[1] !== null
}

function posted(origin: string): HeaderChanges {
  return { ...navigation, ...formType, 'sec-fetch-site': 'same-origin', origin }
}

/** A page with the policy `no-referrer` sends `Origin: null` even to itself (Fetch §3.2, "append an Origin"). */
function getOrigin({ url, headers }: BrowserResponse): string {
  return headers['referrer-policy'] === 'no-referrer' ? 'null' : new URL(url).origin
}

function isOwnRedirect(origin: string, { status, location, url }: BrowserResponse): boolean {
  return status >= 300 && status < 400 && location !== null && new URL(location, url).origin === origin
}

/** The next request has the headers of the redirected one, except for what the status changes. */
async function followOnce(go: Go, origin: string, response: BrowserResponse): Promise<BrowserResponse> {
  const { status, location, url, request } = response
  if (location === null || !isOwnRedirect(origin, response)) {
    throw new Error(`browser: expected ${url} to redirect within ${origin}, got ${status} to ${location}`)
  }
  const { host: _host, cookie: _cookie, ...headers } = request.headers
  const next = new URL(location, url).href
  const isRepeated = status === 307 || status === 308 || request.method === 'GET' || request.method === 'HEAD'
  if (isRepeated) return go(request.method, next, headers, request.body)
  return go('GET', next, { ...headers, 'content-type': null, origin: null })
}
