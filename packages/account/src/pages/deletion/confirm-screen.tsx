import { formatExact, Heading, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../../button-form.tsx'
import type { ScreenProps } from '../texts.ts'
import type { ConfirmDeletionProps } from './props.ts'

/** Lets the owner of the address delete the account at once, or keep it, without a session. */
export function ConfirmDeletionScreen({ props, texts, csrfToken }: ScreenProps<ConfirmDeletionProps>): ReactElement {
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
        <ButtonForm action={action} fields={{ csrfToken, token, decision: 'cancel' }} label={texts.deletionKeep} />
        <ButtonForm
          action={action}
          fields={{ csrfToken, token, decision: 'confirm' }}
          label={texts.deletionButton}
          kind="danger"
        />
      </div>
    </>
  )
}
