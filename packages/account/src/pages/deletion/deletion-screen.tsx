import { Button, type FeatureScreenProps, Field, Form } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountFrame } from '../account-frame.tsx'
import type { TextKey } from '../texts.ts'
import type { DeletionProps } from './props.ts'

/** Says what a deletion does, and asks for a word before it. */
export function DeletionScreen({ props, texts, csrfToken }: FeatureScreenProps<DeletionProps, TextKey>): ReactElement {
  const { email, action, problem } = props
  const isWrong = problem !== null
  const input = { name: 'confirmation', required: true, autoComplete: 'off', autoCapitalize: 'characters' }
  return (
    <AccountFrame props={props} texts={texts} title="deletion" lead="deletionText">
      <ul>
        <li>{texts.deletionUser}</li>
        <li>{texts.deletionSessions}</li>
        {email !== null && <li>{texts.deletionMail.replace('{email}', email)}</li>}
      </ul>
      {action !== null && (
        <div className="stack">
          <Form action={action} fields={{ csrfToken }}>
            <Field
              id="confirmation"
              label={texts.deletionConfirm.replace('{word}', texts.deletionWord)}
              isExplained={isWrong}
              isWrong={isWrong}
              input={input}
            />
            <Button label={texts.deletionButton} kind="danger" />
          </Form>
        </div>
      )}
    </AccountFrame>
  )
}
