import { noCookies } from '../cookies/set-cookies.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Page } from '../model/page.ts'
import type { Asset } from '../model/renderer.ts'

/** The result of a request. The framework adapter serializes it. */
export type ActionResult = {
  readonly cookies: SetCookies
  /** The HTTP status for clients; a browser that is redirected gets 302 (303 if set). */
  readonly status: number
  /** Seconds until a retry is useful, for the Retry-After header. */
  readonly retryAfter?: number
} & (
  | { readonly kind: 'redirect'; readonly location: string }
  /** `fileName`: the browser saves it under this name, which has letters, digits, dashes and dots only. */
  | { readonly kind: 'json'; readonly body: unknown; readonly fileName?: string }
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'asset'; readonly asset: Asset }
  | { readonly kind: 'text'; readonly body: string }
)

export function redirect(location: string, cookies: SetCookies = noCookies, status: number = 200): ActionResult {
  return { kind: 'redirect', location, status, cookies }
}

export function json(body: unknown, cookies: SetCookies = noCookies, status: number = 200): ActionResult {
  return { kind: 'json', body, status, cookies }
}

/** A JSON document that the browser saves as a file. @param fileName - Letters, digits, dashes and dots. */
export function jsonFile(fileName: string, body: unknown): ActionResult {
  return { kind: 'json', body, fileName, status: 200, cookies: noCookies }
}

export function page(content: Page, cookies: SetCookies = noCookies, status: number = 200): ActionResult {
  return { kind: 'page', page: content, status, cookies }
}

export function asset(content: Asset): ActionResult {
  return { kind: 'asset', asset: content, status: 200, cookies: noCookies }
}

export function text(body: string, status: number): ActionResult & { readonly kind: 'text' } {
  return { kind: 'text', body, status, cookies: noCookies }
}
