import { type AuthRequest, headerOf } from '../http/request.ts'

/**
 * Decides by the request's own words whether it comes from our pages.
 *
 * `Sec-Fetch-Site` decides where it is sent, else `Origin`; with neither the anti-forgery token alone decides.
 *
 * @param allowed - Our origin first, then those that the application lists.
 */
export function isOwnOrigin(request: Pick<AuthRequest, 'headers'>, allowed: readonly string[]): boolean {
  const origin = headerOf(request, 'origin')
  const site = headerOf(request, 'sec-fetch-site')
  const [, ...listed] = allowed
  if (site !== null) return site === 'same-origin' || site === 'none' || (origin !== null && listed.includes(origin))
  return origin === null || allowed.includes(origin)
}
