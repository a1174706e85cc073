import { type AuthRequest, headerOf } from '../http/request.ts'

/** Where a sign-in came from, as a list of devices shows it. */
export interface Visitor {
  readonly userAgent: string | null
  readonly address: string | null
}

/** Nobody knows. */
export const unknownVisitor: Visitor = { userAgent: null, address: null }

/** Characters of a User-Agent header; no browser's is longer. */
const longestUserAgent = 512

export function visitorOf(request: AuthRequest): Visitor {
  return { userAgent: headerOf(request, 'user-agent')?.slice(0, longestUserAgent) || null, address: request.client }
}
