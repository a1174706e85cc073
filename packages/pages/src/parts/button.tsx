import type { ReactElement } from 'react'
import { safeLink } from '../safe-link.ts'
import { keepWords } from './keep-words.ts'

interface ButtonProps {
  readonly label: string
  /** `'danger'` for what cannot be undone. @defaultValue `'main'` */
  readonly kind?: 'main' | 'plain' | 'danger'
  readonly id?: string
  /** What the button is about, for screen readers, if several have the same label: a device, a provider. */
  readonly about?: string
  /** Marks the button, such as "Last used". @defaultValue none */
  readonly mark?: string | null
  /** Submits the form to another URL, which needs only some of its fields. @defaultValue the URL of the form */
  readonly action?: string | null
}

/** A button that submits its form. */
export function Button({ label, kind = 'main', id, about, mark = null, action = null }: ButtonProps): ReactElement {
  const target = action === null ? {} : { formAction: safeLink(action), formNoValidate: true }
  return (
    <button type="submit" id={id} className={getClass(kind)} {...target} {...(mark !== null && marked)}>
      {keepWords(label)}
      {about !== undefined && <span className="unseen"> {about}</span>}
      {mark !== null && <Mark text={mark} />}
    </button>
  )
}

const markId = 'button-mark'

/** What a button with a {@link Mark} has: its name stays, and the mark is its description. A page has one. */
export const marked: { readonly 'aria-describedby': string } = { 'aria-describedby': markId }

/** A mark at the edge of a button. */
export function Mark({ text }: { readonly text: string }): ReactElement {
  return (
    <span className="mark-text" id={markId} aria-hidden="true">
      {text}
    </span>
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
      {keepWords(label)}
    </a>
  )
}

function getClass(kind: 'main' | 'plain' | 'danger'): string {
  return kind === 'plain' ? 'button' : `button button-${kind}`
}
