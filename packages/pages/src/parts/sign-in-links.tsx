import type { ReactElement } from 'react'
import type { ViewOf } from '../view.ts'

/** The links of features below the ways to sign in. */
export function SignInLinks({ links }: Pick<ViewOf<'signin'>, 'links'>): ReactElement | null {
  if (links.length === 0) return null
  return (
    <ul className="links">
      {links.map(({ href, label }) => (
        <li key={href}>
          <a className="link" href={href}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}
