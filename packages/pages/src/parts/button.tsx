import type { ReactElement } from 'react'

interface ButtonProps {
  readonly label: string
  readonly kind?: 'main' | 'plain'
  readonly id?: string
}

/** Sends the form that it is in. */
export function Button({ label, kind = 'main', id }: ButtonProps): ReactElement {
  return (
    <button type="submit" id={id} className={classOf(kind)}>
      {label}
    </button>
  )
}

interface LinkButtonProps {
  readonly label: string
  readonly href: string
  readonly kind?: 'main' | 'plain'
}

/** A link that looks like a button, for going on without changing anything. */
export function LinkButton({ label, href, kind = 'main' }: LinkButtonProps): ReactElement {
  return (
    <a href={href} className={classOf(kind)}>
      {label}
    </a>
  )
}

function classOf(kind: 'main' | 'plain'): string {
  return kind === 'main' ? 'button button-main' : 'button'
}
