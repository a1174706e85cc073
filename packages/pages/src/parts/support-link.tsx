import type { PageContext } from '@postern/core'
import type { ReactElement } from 'react'
import { safeContactLink } from '../safe-link.ts'
import type { Texts } from '../texts/texts.ts'

interface SupportLinkProps {
  readonly context: PageContext
  readonly texts: Pick<Texts, 'support'>
}

/** The link to the people who run the site, below a text that names them; nothing if the theme has none. */
export function SupportLink({ context, texts }: SupportLinkProps): ReactElement | null {
  const href = safeContactLink(context.theme.links.support)
  if (href === null) return null
  return (
    <ul className="links">
      <li>
        <a className="link" href={href}>
          {texts.support}
        </a>
      </li>
    </ul>
  )
}
