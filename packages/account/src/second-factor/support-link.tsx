import { LinkButton } from '@postern/pages'
import type { ReactElement } from 'react'

interface SupportLinkProps {
  /** The option `theme.links.support`, as a URL; empty shows nothing. */
  readonly support: string
  readonly label: string
}

/** Leads to the people who run the site, as the application configures it. */
export function SupportLink({ support, label }: SupportLinkProps): ReactElement | null {
  if (support === '') return null
  return <LinkButton label={label} href={support} />
}
