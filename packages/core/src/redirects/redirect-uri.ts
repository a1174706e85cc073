/**
 * Where a provider, a mailed link or a form of ours brings the visitor back to: the redirect URI (RFC 6749 §3.1.2).
 *
 * @param base - The origin with `basePath`; `basePath` alone for the action of a form.
 */
export function redirectUriAt(base: string, provider: string): string {
  return `${base}/callback/${provider}`
}

/** Where a sign-in with a provider begins. @param base - As of {@link redirectUriAt}. */
export function signinUrlAt(base: string, provider: string): string {
  return `${base}/signin/${provider}`
}

/** @returns Where the sign-in begins that ends at this redirect URI. */
export function signinUrlOf(redirectUri: string): string {
  return redirectUri.replace(/\/callback\/([^/]+)$/, '/signin/$1')
}
