import { parseCookies } from '../cookies/parse.ts'
import type { RequestCookies } from '../model/cookie.ts'
import { BodyError, type Fields, parseBody, parseForm } from './body.ts'

/** Header fields by name in lower case, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request as plain values; the framework adapter makes it. */
export interface AuthRequest {
  readonly method: string
  /** `https://app.example.com`, as the framework sees it. It decides only where the configuration says so. */
  readonly origin: string
  /** The path below the base path, with its slash: `/signin/github`. */
  readonly path: string
  readonly query: Fields
  readonly body: Fields
  readonly headers: RequestHeaders
  readonly cookies: RequestCookies
  /** The address of the client, or `null` where it is not known. */
  readonly client: string | null
  /** How many visitors may stand behind that address: 1, or more where a proxy hides them. */
  readonly crowd: number
  /** Names this request in the log and on error pages. */
  readonly id: string
}

/** @returns The header where it came once, else `null`. */
export function headerOf({ headers }: Pick<AuthRequest, 'headers'>, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

/** @returns Whether the client follows redirects by itself: v4's client says so in the body, Auth.js' by a header. */
export function wantsJson(request: AuthRequest): boolean {
  return request.body['json'] === 'true' || request.headers['x-auth-return-redirect'] !== undefined
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
 * Makes plain values of a web request.
 *
 * @param basePath - What the path must begin with.
 * @param limit - Bytes of the body.
 * @returns The request, or `null` where its path is not below the base path.
 * @throws BodyError a body that is too long, malformed or of another type.
 */
export async function fromWebRequest(request: Request, basePath: string, limit: number): Promise<AuthRequest | null> {
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
    client: null,
    crowd: 1,
    id: crypto.randomUUID()
  }
}
