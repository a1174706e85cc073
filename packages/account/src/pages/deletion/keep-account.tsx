import { Button, Form, formatExact, LinkButton } from '@postern/pages'
import type { ReactElement } from 'react'
import type { TextKey } from '../texts.ts'
import type { PendingDeletion } from './props.ts'

interface KeepAccountProps {
  readonly deletion: PendingDeletion
  readonly texts: Readonly<Record<TextKey, string>>
  readonly csrfToken: string
}

/** Says when the account is deleted, how it is deleted earlier, and keeps it. The page may have a notice about the last form, too. */
export function KeepAccount({ deletion, texts, csrfToken }: KeepAccountProps): ReactElement {
  const { factorUrl, approveAction } = deletion
  const time = formatExact({ time: deletion.deleteAt, locale: texts.locale })
  return (
    <div className="stack">
      <div className="notice error">
        <p>
          <strong>{texts.deletionPending.replace('{time}', time)}</strong> {texts.deletionPendingText}
          {deletion.isMailed && ` ${texts.deletionWaitingText}`}
        </p>
      </div>
      <Form action={deletion.keepAction} fields={{ csrfToken }}>
        <Button label={texts.deletionKeep} />
      </Form>
      {approveAction !== null && (
        <Form action={approveAction} fields={{ csrfToken }}>
          <Button label={texts.deletionButton} kind="danger" />
        </Form>
      )}
      {factorUrl !== null && <LinkButton label={texts.emailFactor} href={factorUrl} kind="plain" />}
    </div>
  )
}
