/** A request to the server. */
export interface BrowserRequest {
  readonly method: Method
  /** `https://app.test`. */
  readonly origin: string
  /** Path and query. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The HTTP methods in tests. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** The response of a server. */
export interface BrowserAnswer {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: string
}

/** Response headers by lower-case name; an array if the header occurs several times. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Sends a request to a server. */
export type Send = (request: BrowserRequest) => Promise<BrowserAnswer>

/** The method of a Fastify application that {@link fromInject} uses. */
export interface Injectable {
  inject(request: { method: Method; url: string; headers: Record<string, string>; payload?: string }): PromiseLike<{
    readonly statusCode: number
    readonly headers: Readonly<Record<string, string | number | string[] | undefined>>
    readonly body: string
  }>
}

/** Sends requests to a Fastify application through `inject`. */
export function fromInject(app: Injectable): Send {
  return async ({ method, url, headers, body }) => {
    const payload = body === undefined ? {} : { payload: body }
    const result = await app.inject({ method, url, headers: { ...headers }, ...payload })
    return { status: result.statusCode, headers: toTexts(result.headers), body: result.body }
  }
}

/**
 * Sends requests to a function from web `Request` to `Response`.
 *
 * Node's own `fetch` also works, for real HTTP; but it sets `Host` and `Sec-Fetch-Mode` itself, the latter always to
 * `cors`.
 */
export function fromFetch(fetch: (request: Request) => Promise<Response>): Send {
  return async ({ method, origin, url, headers, body }) => {
    const request = new Request(origin + url, { method, headers, body: body ?? null, redirect: 'manual' })
    const response = await fetch(request)
    const cookies = response.headers.getSetCookie()
    return {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) },
      body: await response.text()
    }
  }
}

function toTexts(headers: Readonly<Record<string, string | number | string[] | undefined>>): ResponseHeaders {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'number' ? `${value}` : value]))
}
