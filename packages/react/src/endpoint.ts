/** The location of the routes. */
export interface Endpoint {
  /** The path prefix of the routes; `/` for the root. @defaultValue the path of `baseUrl`, else `/api/auth` */
  readonly basePath?: string | undefined
  /**
   * The URL of the application, for calls from a server, or from a page of another origin.
   *
   * @defaultValue the page's origin; on a server `NEXTAUTH_URL_INTERNAL`, `AUTH_URL`, `NEXTAUTH_URL`,
   * `http://localhost:3000`
   */
  readonly baseUrl?: string | undefined
}

declare const process: { readonly env: Readonly<Record<string, string | undefined>> } | undefined

export const isBrowser: boolean = typeof window !== 'undefined'

let endpoint: Endpoint = {}

/**
 * Sets where the routes are, for use without a provider, on a server, or from another origin.
 *
 * It applies to all later calls of this package. Omitted values keep their setting.
 */
export function configure({ basePath = endpoint.basePath, baseUrl = endpoint.baseUrl }: Endpoint): void {
  endpoint = { basePath, baseUrl }
}

/** @returns The URL of a route: a path in the browser, absolute on a server. */
export function getUrl(route: string): string {
  const base = endpoint.baseUrl ?? (isBrowser ? '' : serverUrl())
  const url = base ? new URL(/^https?:/.test(base) ? base : `https://${base}`) : { origin: '', pathname: '/' }
  const path = endpoint.basePath ?? (url.pathname === '/' ? '/api/auth' : url.pathname)
  return [url.origin, ...path.split('/').filter(Boolean), route].join('/')
}

/** Says in the console that the server has another `url` than the page: sign-ins would not return to it. */
export function warnOfOtherUrl(signinUrl: string = ''): void {
  const [page, url] = ['', signinUrl].map((address) => new URL(address, location.href).origin)
  if (!endpoint.baseUrl && url !== page) console.warn('[postern][warn][URL_MISMATCH]', { page, url })
}

function serverUrl(): string {
  const env = typeof process === 'undefined' ? {} : process.env
  return env['NEXTAUTH_URL_INTERNAL'] ?? env['AUTH_URL'] ?? env['NEXTAUTH_URL'] ?? 'http://localhost:3000'
}
