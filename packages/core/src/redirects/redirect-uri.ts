/**
 * The redirect URI of a provider (RFC 6749 §3.1.2), which mailed links and forms use as well.
 *
 * @param base - The origin with `basePath`; `basePath` alone for the action of a form.
 */
export function redirectUriAt(base: string, provider: string): string {
  return `${base}/callback/${provider}`
}

/** The URL that starts a sign-in with a provider. @param base - As in {@link redirectUriAt}. */
export function signinUrlAt(base: string, provider: string): string {
  return `${base}/signin/${provider}`
}

/** @returns The sign-in URL for a redirect URI. */
export function getSigninUrl(redirectUri: string): string {
  return redirectUri.replace(/\/callback\/([^/]+)$/, '/signin/$1')
}
