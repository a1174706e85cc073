import { type AuthRequest, getHeader } from '../http/request.ts'

/**
 * Decides by its headers whether a request comes from the application's own pages.
 *
 * `Sec-Fetch-Site` decides if it is sent, else `Origin`; without either, the CSRF token alone decides.
 *
 * @param allowed - The application's origin first, then the allowed origins.
 */
export function isOwnOrigin(request: Pick<AuthRequest, 'headers'>, allowed: readonly string[]): boolean {
  const origin = getHeader(request, 'origin')
  const site = getHeader(request, 'sec-fetch-site')
  const [, ...listed] = allowed
  if (site !== null) return site === 'same-origin' || site === 'none' || (origin !== null && listed.includes(origin))
  return origin === null || allowed.includes(origin)
}
