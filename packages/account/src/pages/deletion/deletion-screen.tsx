import { Button, Field, Form, formatExact, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountFrame } from '../account-frame.tsx'
import type { ScreenProps, Texts } from '../texts.ts'
import { KeepAccount } from './keep-account.tsx'
import type { DeletionProps } from './props.ts'

/** What is deleted, and when. */
function Effects({
  props: { deleteAt, email, endsSessions, logUntil },
  texts
}: {
  readonly props: DeletionProps
  readonly texts: Texts
}) {
  const time = deleteAt === null ? null : formatExact({ time: deleteAt, locale: texts.locale })
  return (
    <ul>
      <li>{time === null ? texts.deletionUser : texts.deletionLaterUser.replace('{time}', time)}</li>
      {time !== null && <li>{texts.deletionLaterKeep}</li>}
      {endsSessions && <li>{texts.deletionSessions}</li>}
      <li>{texts.deletionLog.replace('{time}', formatExact({ time: logUntil, locale: texts.locale }))}</li>
      {email !== null && <li>{texts.deletionMail.replace('{email}', email)}</li>}
    </ul>
  )
}

/** Says what a deletion does, and asks for a word before it; or keeps the account, if the deletion is scheduled. */
export function DeletionScreen({ props, texts, csrfToken }: ScreenProps<DeletionProps>): ReactElement {
  const { action, problem, deleteAt, pending } = props
  if (pending)
    return (
      <AccountFrame props={props} texts={texts} title="deletion">
        <KeepAccount deletion={pending} texts={texts} csrfToken={csrfToken} />
      </AccountFrame>
    )
  const isWrong = problem === 'deletionWrong'
  const input = {
    name: 'confirmation',
    required: true,
    autoComplete: 'off',
    autoCapitalize: 'characters',
    autoFocus: isWrong
  }
  return (
    <AccountFrame props={isWrong ? { ...props, problem: null } : props} texts={texts} title="deletion">
      <p className="lead">{deleteAt === null ? texts.deletionText : texts.deletionLaterText}</p>
      <Effects props={props} texts={texts} />
      {action !== null && (
        <div className="stack">
          <Form action={action} fields={{ csrfToken }}>
            {/* At the top, it would be out of sight when a phone scrolls to the field. */}
            {isWrong && <Notice tone="problem" explanation={{ text: texts.deletionWrong, next: '' }} />}
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
