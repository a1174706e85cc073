/** Where the routes are. */
export interface Place {
  /** The path that the routes are under; `/` for the root. @defaultValue the path of `baseUrl`, else `/api/auth` */
  readonly basePath?: string | undefined
  /**
   * The address of the application, for calls from a server, or from a page of another origin.
   *
   * @defaultValue the page's own; on a server `NEXTAUTH_URL_INTERNAL`, `AUTH_URL`, `NEXTAUTH_URL`, `http://localhost:3000`
   */
  readonly baseUrl?: string | undefined
}

declare const process: { readonly env: Readonly<Record<string, string | undefined>> } | undefined

export const isBrowser: boolean = typeof window !== 'undefined'

let place: Place = {}

/**
 * Says where the routes are: for use without a provider, on a server, or from another origin.
 *
 * It holds for every function of this package from then on. What is left out stays as it was.
 */
export function configure({ basePath = place.basePath, baseUrl = place.baseUrl }: Place): void {
  place = { basePath, baseUrl }
}

/** @returns The address of a route: a path in the browser, absolute on a server. */
export function addressOf(route: string): string {
  const base = place.baseUrl ?? (isBrowser ? '' : serverUrl())
  const url = base ? new URL(/^https?:/.test(base) ? base : `https://${base}`) : { origin: '', pathname: '/' }
  const path = place.basePath ?? (url.pathname === '/' ? '/api/auth' : url.pathname)
  return [url.origin, ...path.split('/').filter(Boolean), route].join('/')
}

function serverUrl(): string {
  const env = typeof process === 'undefined' ? {} : process.env
  return env['NEXTAUTH_URL_INTERNAL'] ?? env['AUTH_URL'] ?? env['NEXTAUTH_URL'] ?? 'http://localhost:3000'
}
