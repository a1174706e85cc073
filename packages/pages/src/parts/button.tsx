import type { ReactElement } from 'react'

interface ButtonProps {
  readonly label: string
  readonly kind?: 'main' | 'plain'
  readonly id?: string
}

/** A button that submits its form. */
export function Button({ label, kind = 'main', id }: ButtonProps): ReactElement {
  return (
    <button type="submit" id={id} className={getClass(kind)}>
      {label}
    </button>
  )
}

interface LinkButtonProps {
  readonly label: string
  readonly href: string
  readonly kind?: 'main' | 'plain'
}

/** A link that looks like a button, for continuing without a change. */
export function LinkButton({ label, href, kind = 'main' }: LinkButtonProps): ReactElement {
  return (
    <a href={href} className={getClass(kind)}>
      {label}
    </a>
  )
}

function getClass(kind: 'main' | 'plain'): string {
  return kind === 'main' ? 'button button-main' : 'button'
}
