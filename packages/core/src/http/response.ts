import { serializeCookies } from '../cookies/serialize.ts'
import type { Page, PageContext } from '../model/page.ts'
import type { Renderer } from '../model/renderer.ts'
import { getLanguagePreference } from './accept-language.ts'
import type { ActionResult } from './action-result.ts'
import { type HeaderOptions, withHeaders } from './header-options.ts'
import { type AuthRequest, wantsJson } from './request.ts'

/** A result as a server sends it. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly setCookies: readonly string[]
  readonly body: string
}

/** The Content Security Policy of screens with a script, and of those without. */
export interface Policies {
  readonly scripted: string
  readonly plain: string
}

/** What a response is rendered with; one per site. */
export interface RenderContext {
  readonly renderer: Renderer
  readonly pageContext: PageContext
  readonly contentSecurityPolicy: Policies
  /** The application's headers for pages. */
  readonly headers: HeaderOptions
  readonly now: () => number
}

const never = { 'cache-control': 'private, no-cache, no-store', pragma: 'no-cache', expires: '0' }
const json = {
  ...never,
  vary: 'Cookie',
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff'
}
const plain = { ...never, 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
const forever = { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' }

/** A form on a page without a referrer sends `Origin: null`; pages without forms need none. */
function referrerPolicy({ name }: Page): string {
  return name === 'error' || name === 'welcome' ? 'no-referrer' : 'strict-origin'
}

/** The headers of a screen are the same for every request. */
const headerCache = new WeakMap<RenderContext, Map<string, Record<string, string>>>()

/** Whether the screen loads a script of a feature. */
function hasScripts(page: Page): boolean {
  return (page.name === 'signin' || page.name === 'feature') && (page.scripts?.length ?? 0) > 0
}

function getPageHeaders(page: Page, renderContext: RenderContext): Record<string, string> {
  const headersByPage = headerCache.get(renderContext) ?? new Map<string, Record<string, string>>()
  // The screens of features have the headers of a form.
  const key = hasScripts(page) ? `${page.name} scripted` : page.name
  const known = headersByPage.get(key)
  if (known) return known
  const headers = createPageHeaders(page, renderContext)
  headerCache.set(renderContext, headersByPage.set(key, headers))
  return headers
}

function createPageHeaders(page: Page, renderContext: RenderContext): Record<string, string> {
  const { contentSecurityPolicy: policies, headers, renderer } = renderContext
  const policy = renderer.scripted?.has(page.name) || hasScripts(page) ? policies.scripted : policies.plain
  const own = {
    ...never,
    vary: 'Cookie, Accept-Language',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': referrerPolicy(page),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin'
  }
  return withHeaders(own, headers)
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
  const answer = (headers: Record<string, string>, body: string, status: number = outcome.status): HttpResponse => {
    const all = retryAfter === undefined ? headers : { ...headers, 'retry-after': String(retryAfter) }
    // A response to HEAD sets no cookies and has no Content-Length (RFC 9110 §8.6).
    if (request.method === 'HEAD') return { status, headers: all, setCookies: [], body: '' }
    const setCookies = cookies.size === 0 ? [] : serializeCookies(cookies, renderContext.now())
    return { status, headers: all, setCookies, body }
  }
  switch (outcome.kind) {
    case 'json':
      return answer(json, JSON.stringify(outcome.body))
    case 'redirect':
      if (wantsJson(request)) {
        // 303 only affects the redirect's method; JSON clients get 200.
        return answer(json, JSON.stringify({ url: outcome.location }), outcome.status === 303 ? 200 : outcome.status)
      }
      return answer(
        { ...never, location: outcome.location, 'referrer-policy': 'no-referrer' },
        '',
        outcome.status === 303 ? 303 : 302
      )
    case 'page': {
      const { renderer, pageContext } = renderContext
      return answer(
        getPageHeaders(outcome.page, renderContext),
        renderer.page(outcome.page, pageContext, getLanguagePreference(request))
      )
    }
    case 'asset':
      return answer({ ...forever, 'content-type': outcome.asset.contentType }, outcome.asset.body)
    case 'text':
      return answer(plain, outcome.body)
  }
}

/** A text response that does not depend on a site. */
export function toPlainResponse({ status, body }: ActionResult & { readonly kind: 'text' }): HttpResponse {
  return { status, headers: plain, setCookies: [], body }
}

/** @returns A web `Response`. */
export function toWebResponse({ status, headers, setCookies, body }: HttpResponse): Response {
  const all = new Headers(headers)
  for (const cookie of setCookies) all.append('set-cookie', cookie)
  return new Response(body === '' ? null : body, { status, headers: all })
}
