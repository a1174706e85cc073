import type { ProblemDetail } from '../errors/config-error.ts'
import type { Page } from '../model/page.ts'
import type { Renderer } from '../model/renderer.ts'

/** Headers that the application sets on the built-in pages, by name; `null` removes a default header. */
export type HeaderOptions = Readonly<Record<string, string | null | undefined>>

/** Headers that a response requires, or that are set elsewhere. */
const ours = new Set(['cache-control', 'content-length', 'content-type', 'location', 'pragma', 'set-cookie', 'vary'])

const nameShape = /^[a-z0-9-]+$/i
const valueShape = /^[\x20-\x7e]+$/

/** @returns Why a header cannot be set on the pages, or `null` if it can. */
export function headerProblem(name: string, value: unknown): ProblemDetail | null {
  if (!nameShape.test(name)) return { code: 'INVALID_VALUE', message: 'expected the name of a header' }
  if (ours.has(name.toLowerCase())) return { code: 'HEADER_RESERVED', message: 'this header cannot be set' }
  if (value === null || value === undefined) return null
  if (typeof value === 'string' && valueShape.test(value)) return null
  const code = typeof value === 'string' ? 'INVALID_VALUE' : 'INVALID_TYPE'
  return { code, message: 'expected a string of printable characters, or null' }
}

/** @returns The headers, overridden by those of the application. */
function withHeaders(headers: Record<string, string>, options: HeaderOptions): Record<string, string> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  if (given.length === 0) return headers
  const replaced = new Set(given.map(([name]) => name.toLowerCase()))
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name))
  const added = given.flatMap(([name, value]): [string, string][] => (value ? [[name.toLowerCase(), value]] : []))
  return Object.fromEntries([...kept, ...added])
}

/** The Content Security Policy of screens with a script, of those without, and of the sign-in page with a script. */
export interface Policies {
  readonly scripted: string
  readonly signIn: string
  readonly plain: string
}

/** What the headers of the screens depend on; one per site. */
export interface PageHeaderOptions {
  readonly renderer: Pick<Renderer, 'scripted'>
  readonly contentSecurityPolicy: Policies
  /** The application's headers for pages. */
  readonly headers: HeaderOptions
}

/** The headers of a response, except `Set-Cookie`. */
type ResponseHeaders = Readonly<Record<string, string>>

/** No cache may keep a response. */
const uncached = { 'cache-control': 'private, no-cache, no-store', pragma: 'no-cache', expires: '0' }

const noSniff = { 'x-content-type-options': 'nosniff' }

export const jsonHeaders: ResponseHeaders = {
  ...uncached,
  ...noSniff,
  vary: 'Cookie',
  'content-type': 'application/json; charset=utf-8'
}

export const textHeaders: ResponseHeaders = { ...uncached, ...noSniff, 'content-type': 'text/plain; charset=utf-8' }

/** The headers of a JSON file that the browser saves. */
export function getDownloadHeaders(fileName: string): ResponseHeaders {
  return { ...jsonHeaders, 'content-disposition': `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '')}"` }
}

export function getRedirectHeaders(location: string): ResponseHeaders {
  return { ...uncached, location, 'referrer-policy': 'no-referrer' }
}

/** The headers of a script or an image whose address contains a hash of its content. */
export function getAssetHeaders(contentType: string): ResponseHeaders {
  return { ...noSniff, 'cache-control': 'public, max-age=31536000, immutable', 'content-type': contentType }
}

/** @param seconds - When to try again; `undefined` if the client was not rate-limited. */
export function withRetryAfter(headers: ResponseHeaders, seconds: number | undefined): ResponseHeaders {
  return seconds === undefined ? headers : { ...headers, 'retry-after': String(seconds) }
}

/** A form on a page without a referrer sends `Origin: null`; pages without forms need none. */
function referrerPolicy({ name }: Page): string {
  return name === 'error' || name === 'used-link' || name === 'welcome' ? 'no-referrer' : 'strict-origin'
}

/** The headers of a screen are the same for every request. */
const headerCache = new WeakMap<PageHeaderOptions, Map<string, Record<string, string>>>()

/** Whether the screen loads a script of a feature. */
function hasScripts(page: Page): boolean {
  return (page.name === 'signin' || page.name === 'feature') && (page.scripts?.length ?? 0) > 0
}

/** @returns The headers of a screen, security headers among them, with those of the application. */
export function getPageHeaders(page: Page, options: PageHeaderOptions): Record<string, string> {
  const headersByPage = headerCache.get(options) ?? new Map<string, Record<string, string>>()
  // The screens of features have the headers of a form.
  const key = hasScripts(page) ? `${page.name} scripted` : page.name
  const known = headersByPage.get(key)
  if (known) return known
  const headers = createPageHeaders(page, options)
  headerCache.set(options, headersByPage.set(key, headers))
  return headers
}

function createPageHeaders(page: Page, options: PageHeaderOptions): Record<string, string> {
  const { contentSecurityPolicy: policies, headers, renderer } = options
  const scripted = page.name === 'signin' ? policies.signIn : policies.scripted
  const policy = renderer.scripted?.has(page.name) || hasScripts(page) ? scripted : policies.plain
  const own = {
    ...uncached,
    ...noSniff,
    vary: 'Cookie, Accept-Language',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': referrerPolicy(page),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin'
  }
  return withHeaders(own, headers)
}
