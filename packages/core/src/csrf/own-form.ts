import { getText } from '../http/body.ts'
import { type AuthRequest, getHeader } from '../http/request.ts'
import { equalInConstantTime } from '../tokens/hash.ts'
import { type CsrfReading, readCsrfToken } from './csrf-token.ts'
import { isOwnOrigin } from './origin.ts'

/** What forms are verified with. */
export interface OwnFormDeps {
  readonly csrf: CsrfReading
  readonly origin: string
  readonly allowedOrigins: readonly string[]
}

/**
 * Whether the form is one of the application's: its token, in a field or in the header `x-csrf-token`, matches the cookie, and the
 * headers name an allowed origin.
 */
export async function isOwnForm(request: AuthRequest, { csrf, origin, allowedOrigins }: OwnFormDeps): Promise<boolean> {
  if (!isOwnOrigin(request, [origin, ...allowedOrigins])) return false
  const given = getText(request.body, 'csrfToken') ?? getHeader(request, 'x-csrf-token')
  const expected = given === null ? null : await readCsrfToken(request.cookies, csrf)
  return given !== null && expected !== null && equalInConstantTime(given, expected)
}
