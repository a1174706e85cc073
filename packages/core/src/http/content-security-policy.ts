import type { Frame } from '../model/page.ts'

/** The application's own policy for the built-in pages, or what it makes of ours. */
export type PolicyOption = string | ((policy: string) => string)

/**
 * The policy of a screen: nothing inline, nothing remote but a configured logo, no framing. A script may only be one of
 * our own files, not just any that lies on the same site; a policy has no way to write IPv6 addresses, so there any may.
 *
 * There is no `form-action`: Chromium follows it along redirects, so a list would stop federated providers.
 */
export function contentSecurityPolicy({ theme, origin, basePath }: Frame, isScripted: boolean): string {
  const logo = URL.canParse(theme.logo) ? new URL(theme.logo) : null
  const remote = logo?.protocol === 'https:' && logo.origin !== origin ? ` ${logo.origin}` : ''
  const files = origin.includes('[') ? "'self'" : `${origin}${basePath}/assets/`
  const script = isScripted ? `script-src ${files}; ` : ''
  return `default-src 'none'; style-src 'self'; img-src 'self' data:${remote}; font-src 'self'; ${script}base-uri 'none'; frame-ancestors 'none'`
}

/** @returns The policy of the pages, with the application's say. */
export function policyOf(policy: string, option: PolicyOption | undefined): string {
  return typeof option === 'function' ? option(policy) : (option ?? policy)
}
