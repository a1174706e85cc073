import { serializeCookies } from '../cookies/serialize.ts'
import type { Frame, Page } from '../model/page.ts'
import type { Renderer } from '../model/renderer.ts'
import { type HeaderOptions, withHeaders } from './header-options.ts'
import { wishOf } from './accept-language.ts'
import type { Outcome } from './action-result.ts'
import { type AuthRequest, wantsJson } from './request.ts'

/** An outcome as a server sends it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly setCookies: readonly string[]
  readonly body: string
}

/** The policy of screens with a script of ours, and that of those without. */
export interface Policies {
  readonly scripted: string
  readonly plain: string
}

/** What an answer is made with; one for each site. */
export interface Presentation {
  readonly renderer: Renderer
  readonly frame: Frame
  readonly contentSecurityPolicy: Policies
  /** What the application puts on pages besides. */
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

/** A form posted from a page without a referrer sends `Origin: null`; pages without one need none. */
function referrerPolicy({ name }: Page): string {
  return name === 'error' || name === 'welcome' ? 'no-referrer' : 'strict-origin'
}

/** The headers of a screen are the same for every visitor. */
const madeHeaders = new WeakMap<Presentation, Map<string, Record<string, string>>>()

function pageHeaders(page: Page, presentation: Presentation): Record<string, string> {
  const made = madeHeaders.get(presentation) ?? new Map<string, Record<string, string>>()
  const known = made.get(page.name)
  if (known) return known
  const headers = makePageHeaders(page, presentation)
  madeHeaders.set(presentation, made.set(page.name, headers))
  return headers
}

function makePageHeaders(page: Page, presentation: Presentation): Record<string, string> {
  const { contentSecurityPolicy: policies, headers, renderer } = presentation
  const policy = renderer.scripted?.has(page.name) ? policies.scripted : policies.plain
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

/** Has the renderer load what it needs for an outcome; `null` where it needs nothing. */
export function prepare(outcome: Outcome, request: AuthRequest, { renderer }: Presentation): Promise<void> | null {
  return (outcome.kind === 'page' && renderer.prepare?.(wishOf(request))) || null
}

/** Turns an outcome into status, headers and body; a redirect becomes `{url}` for a client that asked for JSON. */
export function toAnswer(outcome: Outcome, request: AuthRequest, presentation: Presentation): Answer {
  const { cookies, retryAfter } = outcome
  const answer = (headers: Record<string, string>, body: string, status: number = outcome.status): Answer => {
    const all = retryAfter === undefined ? headers : { ...headers, 'retry-after': String(retryAfter) }
    // HEAD leaves nothing in the browser, and says nothing of a length (RFC 9110 §8.6).
    if (request.method === 'HEAD') return { status, headers: all, setCookies: [], body: '' }
    const setCookies = cookies.size === 0 ? [] : serializeCookies(cookies, presentation.now())
    return { status, headers: all, setCookies, body }
  }
  switch (outcome.kind) {
    case 'json':
      return answer(json, JSON.stringify(outcome.body))
    case 'redirect':
      if (wantsJson(request)) {
        // 303 is a word to a browser about the method; a client that follows by itself has its answer.
        return answer(json, JSON.stringify({ url: outcome.location }), outcome.status === 303 ? 200 : outcome.status)
      }
      return answer(
        { ...never, location: outcome.location, 'referrer-policy': 'no-referrer' },
        '',
        outcome.status === 303 ? 303 : 302
      )
    case 'page': {
      const { renderer, frame } = presentation
      return answer(pageHeaders(outcome.page, presentation), renderer.page(outcome.page, frame, wishOf(request)))
    }
    case 'asset':
      return answer({ ...forever, 'content-type': outcome.asset.contentType }, outcome.asset.body)
    case 'text':
      return answer(plain, outcome.body)
  }
}

/** An answer that no site's appearance has a part in. */
export function plainAnswer({ status, body }: Outcome & { readonly kind: 'text' }): Answer {
  return { status, headers: plain, setCookies: [], body }
}

/** @returns A web response. */
export function toWebResponse({ status, headers, setCookies, body }: Answer): Response {
  const all = new Headers(headers)
  for (const cookie of setCookies) all.append('set-cookie', cookie)
  return new Response(body === '' ? null : body, { status, headers: all })
}
