import { textOf } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import { equalInConstantTime } from '../tokens/hash.ts'
import { type CsrfReading, csrfTokenOf } from './csrf-token.ts'
import { isOwnOrigin } from './origin.ts'

/** What tells our forms from those of others. */
export interface FormRules {
  readonly csrf: CsrfReading
  readonly origin: string
  readonly allowedOrigins: readonly string[]
}

/** Whether the form was ours: its token is the cookie's, and the request says it comes from our pages. */
export async function isOwnForm(request: AuthRequest, { csrf, origin, allowedOrigins }: FormRules): Promise<boolean> {
  if (!isOwnOrigin(request, [origin, ...allowedOrigins])) return false
  const given = textOf(request.body, 'csrfToken')
  const expected = given === null ? null : await csrfTokenOf(request.cookies, csrf)
  return given !== null && expected !== null && equalInConstantTime(given, expected)
}
