import { Button, type FeatureScreenProps, Form, formatExact, Heading, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import type { TextKey } from '../texts.ts'
import type { ConfirmDeletionProps } from './props.ts'

/** Lets the owner of the address delete the account at once, or keep it, without a session. */
export function ConfirmDeletionScreen({
  props,
  texts,
  csrfToken
}: FeatureScreenProps<ConfirmDeletionProps, TextKey>): ReactElement {
  const { deleteAt, action, token, problem } = props
  const time = formatExact({ time: deleteAt, locale: texts.locale })
  return (
    <>
      <Heading text={texts.deletion} />
      <p className="lead">{texts.deletionPending.replace('{time}', time)}</p>
      {problem && <Notice tone="problem" explanation={{ text: texts[problem], next: '' }} />}
      <ul>
        <li>{texts.deletionUser}</li>
        <li>{texts.deletionSessions}</li>
      </ul>
      <div className="stack">
        <Form action={action} fields={{ csrfToken, token, decision: 'cancel' }}>
          <Button label={texts.deletionKeep} />
        </Form>
        <Form action={action} fields={{ csrfToken, token, decision: 'confirm' }}>
          <Button label={texts.deletionButton} kind="danger" />
        </Form>
      </div>
    </>
  )
}
