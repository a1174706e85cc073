import { Button, Form, formatExact, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import type { TextKey } from '../texts.ts'
import type { PendingDeletion } from './props.ts'

interface KeepAccountProps {
  readonly deletion: PendingDeletion
  readonly texts: Readonly<Record<TextKey, string>>
  readonly csrfToken: string
}

/** Says when the account is deleted, with the button that keeps it. */
export function KeepAccount({ deletion, texts, csrfToken }: KeepAccountProps): ReactElement {
  const time = formatExact({ time: deletion.deleteAt, locale: texts.locale })
  const explanation = { text: texts.deletionPending.replace('{time}', time), next: texts.deletionPendingText }
  return (
    <div className="stack">
      <Notice tone="problem" explanation={explanation} />
      <Form action={deletion.keepAction} fields={{ csrfToken }}>
        <Button label={texts.deletionKeep} />
      </Form>
    </div>
  )
}
