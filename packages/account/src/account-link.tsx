import type { ReactElement } from 'react'

interface AccountLinkProps {
  /** `null` shows nothing. */
  readonly href: string | null
  readonly label: string
}

/** The link back to the account page. */
export function AccountLink({ href, label }: AccountLinkProps): ReactElement | null {
  if (href === null) return null
  return (
    <p className="after">
      <a className="link" href={href}>
        {label}
      </a>
    </p>
  )
}
