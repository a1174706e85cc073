import { Button, Form, formatExact } from '@postern/pages'
import type { ReactElement } from 'react'
import type { TextKey } from '../texts.ts'
import type { PendingDeletion } from './props.ts'

interface KeepAccountProps {
  readonly deletion: PendingDeletion
  readonly texts: Readonly<Record<TextKey, string>>
  readonly csrfToken: string
}

/** Says when the account is deleted, with the button that keeps it. The page may have a notice about the last form, too. */
export function KeepAccount({ deletion, texts, csrfToken }: KeepAccountProps): ReactElement {
  const time = formatExact({ time: deletion.deleteAt, locale: texts.locale })
  return (
    <div className="stack">
      <div className="notice error">
        <p>
          <strong>{texts.deletionPending.replace('{time}', time)}</strong> {texts.deletionPendingText}
        </p>
      </div>
      <Form action={deletion.keepAction} fields={{ csrfToken }}>
        <Button label={texts.deletionKeep} />
      </Form>
    </div>
  )
}
