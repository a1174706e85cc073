import { LinkButton } from '@postern/pages'
import type { ReactElement } from 'react'

interface NextStepsProps {
  readonly links: readonly { readonly label: string; readonly href: string }[]
}

/** The links of a screen without a form: the first one is what to do next, and looks like a button. */
export function NextSteps({ links }: NextStepsProps): ReactElement {
  const [next, ...others] = links
  return (
    <>
      {next && (
        <div className="stack">
          <LinkButton label={next.label} href={next.href} />
        </div>
      )}
      {others.length > 0 && <Links links={others} />}
    </>
  )
}

/** Links below a form, or below the next step. */
export function Links({ links }: NextStepsProps): ReactElement {
  return (
    <ul className="links">
      {links.map(({ label, href }) => (
        <li key={label}>
          <a className="link" href={href}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}
