import type { PageContext } from '@postern/core'
import type { ReactElement } from 'react'

const ownPath = /^\/(?![/\\])/
const picture = /^data:image\/(?:avif|gif|jpeg|png|svg\+xml|webp)[;,]/i

/** @returns The URL of the logo, or `null` if pages may not show it. */
export function getLogo({ theme: { logo }, origin }: PageContext): string | null {
  const isOwn = ownPath.test(logo) || logo.startsWith(`${origin}/`)
  const isRemote = URL.canParse(logo) && new URL(logo).protocol === 'https:'
  return isOwn || isRemote || picture.test(logo) ? logo : null
}

/** The application's logo, if there is one. */
export function Logo({ context }: { readonly context: PageContext }): ReactElement | null {
  const source = getLogo(context)
  return source === null ? null : <img className="logo" height="40" src={source} alt={context.siteName} />
}

/** The logo as a link to the application. */
export function LinkedLogo({ context }: { readonly context: PageContext }): ReactElement | null {
  if (getLogo(context) === null) return null
  return (
    <a className="logo-link" href={context.siteUrl}>
      <Logo context={context} />
    </a>
  )
}
