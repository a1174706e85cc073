import { Form } from '@postern/pages'
import type { ReactElement } from 'react'

interface LinkFormProps {
  readonly action: string
  readonly csrfToken: string
  readonly label: string
}

/** An entry of a list of links that changes something, so that it is a form. */
export function LinkForm({ action, csrfToken, label }: LinkFormProps): ReactElement {
  return (
    <li>
      <Form action={action} fields={{ csrfToken }}>
        <button type="submit" className="link">
          {label}
        </button>
      </Form>
    </li>
  )
}
