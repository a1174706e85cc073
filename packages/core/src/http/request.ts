import { parseCookies } from '../cookies/parse.ts'
import type { RequestHeaders, RequestInfo } from '../model/request-info.ts'
import { BodyError, type Fields, parseBody, parseForm } from './body.ts'

export type { RequestHeaders, RequestInfo }

/** A request as plain values; the framework adapter creates it. */
export interface AuthRequest extends RequestInfo {
  readonly method: string
  /** The path relative to the base path, with a leading slash: `/signin/github`. */
  readonly path: string
  readonly query: Fields
  readonly body: Fields
  /** The assumed number of clients behind that address: 1, or more if a proxy hides them. */
  readonly clientsBehindIp: number
  /** Whether the request came to the path of the application that the page is moved to. @defaultValue `false` */
  readonly isMoved?: boolean
}

/** @returns The header if it occurs once, otherwise `null`. */
export function getHeader({ headers }: Pick<RequestInfo, 'headers'>, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

/** @returns Whether the client follows redirects itself: v4's client sets a body field, Auth.js' client a header. */
export function wantsJson(request: AuthRequest): boolean {
  const { json } = request.body
  return json === 'true' || json === true || request.headers['x-auth-return-redirect'] !== undefined
}

/** @returns Whether the client shows pages: it accepts HTML, and does not follow redirects itself. */
export function acceptsPage(request: AuthRequest): boolean {
  return !wantsJson(request) && String(request.headers['accept'] ?? '').includes('text/html')
}

/** @returns Whether the client accepts JSON and no HTML, as a script that reads a page's data. */
export function acceptsJsonOnly(request: AuthRequest): boolean {
  const accept = getHeader(request, 'accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** Reads at most `limit` bytes. */
async function readText(request: Request, limit: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit)
    throw new BodyError(413, `expected at most ${limit} bytes`)
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw new BodyError(413, `expected at most ${limit} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/**
 * Converts a web request to plain values.
 *
 * @param basePath - The required prefix of the path.
 * @param limits - Bytes of the body, and the IP address of the client.
 * @returns The request, or `null` if its path is not below the base path.
 * @throws BodyError if the body is too long, malformed or of an unsupported type.
 */
export async function fromWebRequest(
  request: Request,
  basePath: string,
  { limit, client }: { readonly limit: number; readonly client: string | null }
): Promise<AuthRequest | null> {
  const url = new URL(request.url)
  if (!url.pathname.startsWith(`${basePath}/`)) return null
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const text = hasBody ? await readText(request, limit) : ''
  return {
    method: request.method,
    origin: url.origin,
    path: url.pathname.slice(basePath.length),
    query: parseForm(url.search.slice(1)),
    body: hasBody ? parseBody(request.headers.get('content-type'), text) : parseForm(''),
    headers: Object.fromEntries(request.headers),
    cookies: parseCookies(request.headers.get('cookie')),
    client,
    clientsBehindIp: 1,
    id: crypto.randomUUID()
  }
}
