import { formatExact, LinkButton } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../../button-form.tsx'
import type { Texts } from '../texts.ts'
import type { PendingDeletion } from './props.ts'

interface KeepAccountProps {
  readonly deletion: PendingDeletion
  readonly texts: Texts
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
      <ButtonForm action={deletion.keepAction} fields={{ csrfToken }} label={texts.deletionKeep} />
      {approveAction !== null && (
        <ButtonForm action={approveAction} fields={{ csrfToken }} label={texts.deletionButton} kind="danger" />
      )}
      {factorUrl !== null && <LinkButton label={texts.emailFactor} href={factorUrl} kind="plain" />}
    </div>
  )
}
