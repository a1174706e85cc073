import { Button, Field, Form } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountFrame } from '../account-frame.tsx'
import type { ScreenProps } from '../texts.ts'
import type { ProfileProps } from './props.ts'

/** Shows the name of the user, and changes it. */
export function ProfileScreen({ props, texts, csrfToken }: ScreenProps<ProfileProps>): ReactElement {
  const { name, action, problem } = props
  const isWrong = problem !== null
  const input = {
    name: 'name',
    defaultValue: name,
    autoComplete: 'name',
    readOnly: action === null,
    autoFocus: isWrong
  }
  const field = <Field id="name" label={texts.name} isExplained={isWrong} isWrong={isWrong} input={input} />
  return (
    <AccountFrame props={props} texts={texts} title="profile" lead="profileText">
      <div className="stack">
        {action === null ? (
          field
        ) : (
          <Form action={action} fields={{ csrfToken }}>
            {field}
            <Button label={texts.save} />
          </Form>
        )}
      </div>
    </AccountFrame>
  )
}
