import type { ReactElement } from 'react'

interface ButtonProps {
  readonly label: string
  /** `'danger'` for what cannot be undone. @defaultValue `'main'` */
  readonly kind?: 'main' | 'plain' | 'danger'
  readonly id?: string
  /** What the button is about, for screen readers, if several have the same label: a device, a provider. */
  readonly about?: string
}

/** A button that submits its form. */
export function Button({ label, kind = 'main', id, about }: ButtonProps): ReactElement {
  return (
    <button type="submit" id={id} className={getClass(kind)}>
      {label}
      {about !== undefined && <span className="unseen"> {about}</span>}
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

function getClass(kind: 'main' | 'plain' | 'danger'): string {
  return kind === 'plain' ? 'button' : `button button-${kind}`
}
