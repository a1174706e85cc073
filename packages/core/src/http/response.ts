import { serializeCookies } from '../cookies/serialize.ts'
import type { PageContext } from '../model/page.ts'
import type { Renderer } from '../model/renderer.ts'
import { getLanguagePreference } from './accept-language.ts'
import type { ActionResult } from './action-result.ts'
import { type AuthRequest, wantsJson } from './request.ts'
import {
  getAssetHeaders,
  getDownloadHeaders,
  getPageHeaders,
  getRedirectHeaders,
  jsonHeaders,
  type PageHeaderOptions,
  textHeaders,
  withRetryAfter
} from './response-headers.ts'

/** A result as a server sends it. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly setCookies: readonly string[]
  readonly body: string
}

/** What a response is rendered with; one per site. */
export interface RenderContext extends PageHeaderOptions {
  readonly renderer: Renderer
  readonly pageContext: PageContext
  readonly now: () => number
}

/** Lets the renderer load what it needs for a result; returns `null` if it needs nothing. */
export function prepare(
  outcome: ActionResult,
  request: AuthRequest,
  { renderer }: RenderContext
): Promise<void> | null {
  return (outcome.kind === 'page' && renderer.prepare?.(getLanguagePreference(request), outcome.page)) || null
}

/** Converts a result to status, headers and body; for a client that asked for JSON, a redirect becomes `{url}`. */
export function toHttpResponse(
  outcome: ActionResult,
  request: AuthRequest,
  renderContext: RenderContext
): HttpResponse {
  const { cookies, retryAfter } = outcome
  const toResponse = (
    headers: HttpResponse['headers'],
    body: string,
    status: number = outcome.status
  ): HttpResponse => {
    const all = withRetryAfter(headers, retryAfter)
    // A response to HEAD sets no cookies and has no Content-Length (RFC 9110 §8.6).
    if (request.method === 'HEAD') return { status, headers: all, setCookies: [], body: '' }
    const setCookies = cookies.size === 0 ? [] : serializeCookies(cookies, renderContext.now())
    return { status, headers: all, setCookies, body }
  }
  switch (outcome.kind) {
    case 'json': {
      const { fileName, body } = outcome
      if (fileName === undefined) return toResponse(jsonHeaders, JSON.stringify(body))
      return toResponse(getDownloadHeaders(fileName), JSON.stringify(body, null, 2))
    }
    case 'redirect':
      if (wantsJson(request)) {
        // 303 only affects the redirect's method; JSON clients get 200.
        return toResponse(
          jsonHeaders,
          JSON.stringify({ url: outcome.location }),
          outcome.status === 303 ? 200 : outcome.status
        )
      }
      return toResponse(getRedirectHeaders(outcome.location), '', outcome.status === 303 ? 303 : 302)
    case 'page': {
      const { renderer, pageContext } = renderContext
      return toResponse(
        getPageHeaders(outcome.page, renderContext),
        renderer.page(outcome.page, pageContext, getLanguagePreference(request))
      )
    }
    case 'asset':
      return toResponse(getAssetHeaders(outcome.asset.contentType), outcome.asset.body)
    case 'text':
      return toResponse(textHeaders, outcome.body)
  }
}

/** A text response that does not depend on a site. */
export function toPlainResponse({ status, body }: ActionResult & { readonly kind: 'text' }): HttpResponse {
  return { status, headers: textHeaders, setCookies: [], body }
}

/** @returns A web `Response`. */
export function toWebResponse({ status, headers, setCookies, body }: HttpResponse): Response {
  const all = new Headers(headers)
  for (const cookie of setCookies) all.append('set-cookie', cookie)
  return new Response(body === '' ? null : body, { status, headers: all })
}
