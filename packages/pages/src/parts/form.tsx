import type { ReactElement, ReactNode } from 'react'
import { safeLink } from '../safe-link.ts'

interface FormProps {
  readonly action: string
  /** Hidden fields, such as the CSRF token. */
  readonly fields: Readonly<Record<string, string>>
  readonly children: ReactNode
}

/** A form that posts, with its hidden fields. */
export function Form({ action, fields, children }: FormProps): ReactElement {
  return (
    <form action={safeLink(action)} method="post">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}
