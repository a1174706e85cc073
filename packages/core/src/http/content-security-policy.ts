import type { PageContext } from '../model/page.ts'

/** The application's own policy for the built-in pages, or a function of the default policy. */
export type PolicyOption = string | ((policy: string) => string)

/**
 * The policy of a screen: no inline content, nothing remote except a configured logo, no framing. Scripts are limited
 * to Postern's own files instead of the whole site; a policy cannot express IPv6 addresses, so on those any file is
 * allowed. On the sign-in page, scripts of features may send requests to the URLs that the features name.
 *
 * There is no `form-action`: Chromium applies it to redirects, so a list would block federated providers.
 */
export function contentSecurityPolicy(
  { theme, origin, basePath }: PageContext,
  { isScripted, connect = [] }: { readonly isScripted: boolean; readonly connect?: readonly string[] }
): string {
  const logo = URL.canParse(theme.logo) ? new URL(theme.logo) : null
  const remote = logo?.protocol === 'https:' && logo.origin !== origin ? ` ${logo.origin}` : ''
  const toSource = (path: string): string => (origin.includes('[') ? "'self'" : `${origin}${basePath}${path}`)
  const requests = connect.length > 0 ? `connect-src ${[...new Set(connect.map(toSource))].join(' ')}; ` : ''
  const script = isScripted ? `script-src ${toSource('/assets/')}; ${requests}` : ''
  return `default-src 'none'; style-src 'self'; img-src 'self' data:${remote}; font-src 'self'; ${script}base-uri 'none'; frame-ancestors 'none'`
}

/** @returns The policy of the pages after the application's option is applied. */
export function resolvePolicy(policy: string, option: PolicyOption | undefined): string {
  return typeof option === 'function' ? option(policy) : (option ?? policy)
}
