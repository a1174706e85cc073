import type { Frame } from '@postern/core'
import type { ReactElement } from 'react'

const ownPath = /^\/(?![/\\])/
const picture = /^data:image\/(?:avif|gif|jpeg|png|svg\+xml|webp)[;,]/i

/** @returns The address of the logo, or `null` for what is no picture that a page may show. */
export function logoOf({ theme: { logo }, origin }: Frame): string | null {
  const isOwn = ownPath.test(logo) || logo.startsWith(`${origin}/`)
  const isRemote = URL.canParse(logo) && new URL(logo).protocol === 'https:'
  return isOwn || isRemote || picture.test(logo) ? logo : null
}

/** The application's logo, where there is one. */
export function Logo({ frame }: { readonly frame: Frame }): ReactElement | null {
  const source = logoOf(frame)
  return source === null ? null : <img className="logo" src={source} alt={frame.siteName} />
}
