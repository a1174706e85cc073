import { client } from './client.ts'
import { getUrl, isBrowser } from './endpoint.ts'
import type { CtxOrReq } from './types.ts'

/** The options of a call of a feature's route. */
export interface FeatureCallOptions extends CtxOrReq {
  /** @defaultValue `'GET'` */
  readonly method?: 'GET' | 'POST' | 'DELETE' | undefined
  /** The fields of a POST, which are sent as JSON. */
  readonly body?: object | undefined
}

/** A route of a feature refused a call. */
export class FeatureCallError extends Error {
  override readonly name: string = 'FeatureCallError'
  readonly status: number
  /** The response, such as `{ error, ref }`; `null` if it is not JSON. */
  readonly body: unknown
  /** Seconds after which to call again, from `Retry-After`; `null` if the response does not have it in seconds. */
  readonly retryAfter: number | null

  constructor(status: number, body: unknown, retryAfter: number | null = null) {
    super(`expected the feature to accept the call, got ${status}`)
    this.status = status
    this.body = body
    this.retryAfter = retryAfter
  }
}

/** @see RFC 9110 §10.2.3 */
function parseRetryAfter({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? ''
  return /^\d+$/.test(text) ? Number(text) : null
}

/**
 * Calls a route of a feature, with the CSRF token for a POST or DELETE. A feature exports typed functions that call it.
 *
 * @param path - Below the base path, with its query: `notes/1`.
 * @returns The JSON of the response; a redirect is `{ url }`.
 * @throws FeatureCallError if the status is not 2xx.
 * @throws Error if the request failed.
 */
export async function callFeature<T>(path: string, options: FeatureCallOptions = {}): Promise<T> {
  const { method = 'GET', body = {}, ctx, req = ctx?.req } = options
  const isPost = method === 'POST'
  const headers = new Headers({ accept: 'application/json', 'x-auth-return-redirect': '1' })
  if (req?.headers?.cookie) headers.set('cookie', req.headers.cookie)
  if (method !== 'GET') headers.set('x-csrf-token', (await client.getCsrfToken(options)) ?? '')
  if (isPost) headers.set('content-type', 'application/json')
  const response = await fetch(getUrl(path.replace(/^\//, '')), {
    method,
    headers,
    ...(isPost ? { body: JSON.stringify(body) } : {}),
    ...(isBrowser ? { credentials: 'include' } : {})
  })
  const data = await response.json().catch(() => null)
  if (!response.ok) throw new FeatureCallError(response.status, data, parseRetryAfter(response))
  return data
}
