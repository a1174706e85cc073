import type { ReactElement, ReactNode } from 'react'
import { keepWords } from './keep-words.ts'

interface RowsProps {
  /** The name of the list, for screen readers. */
  readonly label: string
  readonly children: ReactNode
}

/** A list of things that belong to the user, such as devices. */
export function Rows({ label, children }: RowsProps): ReactElement {
  return (
    <ul className="rows" aria-label={label}>
      {children}
    </ul>
  )
}

interface RowProps {
  readonly title: ReactNode
  /** A short note beside the title, such as "This device". */
  readonly badge?: string | null
  /** A line below the title. */
  readonly detail?: ReactNode
  /** Another line. */
  readonly more?: ReactNode
  /** Where the whole row leads. */
  readonly href?: string | null
  /** A form or a link beside the text. */
  readonly action?: ReactNode
  /** Whether the user should act. @defaultValue `false` */
  readonly isWarning?: boolean
}

/** One entry of a list. */
export function Row({ title, badge, detail, more, href, action, isWarning = false }: RowProps): ReactElement {
  const name = typeof title === 'string' ? keepWords(title) : title
  return (
    <li className={isWarning ? 'row row-warning' : 'row'}>
      <div className="row-text">
        <p className="row-title">
          {href ? (
            <a className="row-link" href={href}>
              <bdi>{name}</bdi>
            </a>
          ) : (
            <bdi>{name}</bdi>
          )}
          {badge && <span className="row-badge">{badge}</span>}
        </p>
        {detail && <p className="hint">{detail}</p>}
        {more && <p className="hint">{more}</p>}
      </div>
      {action && <div className="row-action">{action}</div>}
    </li>
  )
}
