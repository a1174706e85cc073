import { Button, Form } from '@postern/pages'
import type { ComponentProps, ReactElement } from 'react'

interface ButtonFormProps extends ComponentProps<typeof Button> {
  readonly action: string
  /** Hidden fields. */
  readonly fields: Readonly<Record<string, string>>
}

/** A form that has nothing but its button. */
export const ButtonForm = ({ action, fields, ...button }: ButtonFormProps): ReactElement => (
  <Form action={action} fields={fields}>
    <Button {...button} />
  </Form>
)
