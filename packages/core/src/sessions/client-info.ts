import { getHeader, type RequestInfo } from '../http/request.ts'

/** The client of a sign-in, as the list of sessions shows it. */
export interface ClientInfo {
  readonly userAgent: string | null
  readonly address: string | null
}

export const unknownClient: ClientInfo = { userAgent: null, address: null }

/** The maximum length of a stored User-Agent header; no browser's is longer. */
const maxUserAgentLength = 512

export function getClientInfo(request: Pick<RequestInfo, 'client' | 'headers'>): ClientInfo {
  return { userAgent: getHeader(request, 'user-agent')?.slice(0, maxUserAgentLength) || null, address: request.client }
}
