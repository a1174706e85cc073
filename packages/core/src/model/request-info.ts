import type { RequestCookies } from './cookie.ts'

/** Header fields by lower-case name, as in Node. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a request says about its client, without the path, the query and the body. */
export interface RequestInfo {
  /**
   * `https://app.example.com`, as the framework reports it. With `trustHost`, its scheme decides whether cookies are
   * `Secure`, so a framework adapter behind a proxy must read the protocol from the proxy. With `url` it has no effect.
   */
  readonly origin: string
  readonly headers: RequestHeaders
  readonly cookies: RequestCookies
  /**
   * The IP address of the client, without a port, or `null` if it is unknown. Mails show it, and limits count by it, so a
   * framework adapter must not pass on a header that is no address. All clients without one share the limits of one client.
   */
  readonly client: string | null
  /** Identifies this request in the log and on error pages. */
  readonly id: string
}
