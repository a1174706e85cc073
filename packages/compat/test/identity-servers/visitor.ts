import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Browser, type BrowserResponse, createBrowser, type Send } from '@postern/testkit'

/** A person with a browser that goes from server to server. Each origin has cookies of its own. */
export interface Visitor {
  /** The browser, as it is at one origin. */
  readonly at: (origin: string) => Browser
  /** Opens a URL of any origin, and follows redirects to any origin. */
  readonly open: (url: string) => Promise<BrowserResponse>
  /** Follows the redirects of a response. */
  readonly follow: (response: BrowserResponse) => Promise<BrowserResponse>
  /** Fills in a form of a page, submits it, and follows redirects. */
  readonly fill: (
    page: BrowserResponse,
    form: string,
    values?: Readonly<Record<string, string>>
  ) => Promise<BrowserResponse>
  /** Sends JSON as a script of the page would. */
  readonly send: (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) => Promise<BrowserResponse>
}

/** Sends a request over HTTP as a browser does: `fetch` has headers of its own. */
const overHttp: Send = async ({ method, origin, url, headers, body = '' }) => {
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) }
  const sent = request(origin + url, { method, headers: { ...headers, ...length } })
  sent.end(body)
  const [response]: IncomingMessage[] = await once(sent, 'response')
  if (!response) throw new Error(`no response from ${origin}`)
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}

/**
 * Creates a visitor without cookies.
 *
 * @param sends - How requests reach an origin. @defaultValue over HTTP
 */
export function createVisitor(sends: Readonly<Record<string, Send>> = {}): Visitor {
  const browsers = new Map<string, Browser>()
  const at = (origin: string): Browser => {
    const known = browsers.get(origin) ?? createBrowser({ origin, send: sends[origin] ?? overHttp })
    browsers.set(origin, known)
    return known
  }
  const open = async (url: string): Promise<BrowserResponse> => {
    const response = await at(new URL(url).origin).open(url, { headers: { 'sec-fetch-site': 'cross-site' } })
    return follow(response)
  }
  const follow = async (response: BrowserResponse): Promise<BrowserResponse> => {
    const last = await at(new URL(response.url).origin).followAll(response)
    const isRedirect = last.status >= 300 && last.status < 400 && last.location !== null
    return isRedirect ? open(new URL(last.location, last.url).href) : last
  }
  return {
    at,
    open,
    follow,
    fill: async (page, form, values = {}) => follow(await at(new URL(page.url).origin).fill(page, form, values)),
    send: (method, url, body) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json', origin: new URL(url).origin }
      const sent = body === undefined ? { headers } : { headers, body: JSON.stringify(body) }
      return at(new URL(url).origin).request(method, url, sent)
    }
  }
}
