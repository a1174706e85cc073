import { type HTMLElement, parse } from 'node-html-parser'
import type { BrowserAnswer, BrowserRequest, ResponseHeaders } from './send.ts'
import type { SetCookie } from './set-cookie.ts'

/** The response to a request. */
export interface BrowserResponse {
  readonly status: number
  /** The `Location` header as it was sent, or `null` if there is none. */
  readonly location: string | null
  /** The requested URL. */
  readonly url: string
  readonly headers: ResponseHeaders
  readonly setCookies: readonly SetCookie[]
  readonly body: string
  /** The request as it was sent, cookies included. */
  readonly request: BrowserRequest
  /** The body as a document, which is the same at each call. Throws if the content type is not HTML. */
  readonly html: () => HTMLElement
  /** The body as JSON. Throws if it is not. */
  readonly json: <T = unknown>() => T
}

export function toResponse(
  request: BrowserRequest,
  response: BrowserAnswer,
  setCookies: readonly SetCookie[]
): BrowserResponse {
  const { status, headers, body } = response
  const location = headers['location']
  const url = request.origin + request.url
  let document: HTMLElement | null = null
  return {
    status,
    location: typeof location === 'string' ? location : null,
    url,
    headers,
    setCookies,
    body,
    request,
    html: () => {
      const type = headers['content-type']
      if (typeof type !== 'string' || !/^text\/html\b/i.test(type)) {
        throw new Error(`browser: expected a page at ${url}, got ${status} ${type ?? 'without a content type'}`)
      }
      document ??= parse(body)
      return document
    },
    json: <T>() => JSON.parse(body) as T
  }
}
