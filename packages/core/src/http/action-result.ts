import { noCookies } from '../cookies/set-cookies.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Page } from '../model/page.ts'
import type { Asset } from '../model/renderer.ts'

/** What a request is answered with. The framework adapter turns it into bytes. */
export type Outcome = {
  readonly cookies: SetCookies
  /** What a client is told; a browser that is sent elsewhere gets 302 (303 where said so). */
  readonly status: number
  /** Seconds until another try makes sense, for the Retry-After header. */
  readonly retryAfter?: number
} & (
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'asset'; readonly asset: Asset }
  | { readonly kind: 'text'; readonly body: string }
)

export function redirect(location: string, cookies: SetCookies = noCookies, status: number = 200): Outcome {
  return { kind: 'redirect', location, status, cookies }
}

export function json(body: unknown, cookies: SetCookies = noCookies, status: number = 200): Outcome {
  return { kind: 'json', body, status, cookies }
}

export function page(content: Page, cookies: SetCookies = noCookies, status: number = 200): Outcome {
  return { kind: 'page', page: content, status, cookies }
}

export function asset(content: Asset): Outcome {
  return { kind: 'asset', asset: content, status: 200, cookies: noCookies }
}

export function text(body: string, status: number): Outcome & { readonly kind: 'text' } {
  return { kind: 'text', body, status, cookies: noCookies }
}
