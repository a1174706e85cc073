import { formatExact, LinkButton } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../../button-form.tsx'
import { Sentence } from '../../sentence.tsx'
import type { Texts } from '../texts.ts'
import type { WaitingEmail as Waiting } from './props.ts'

interface WaitingEmailProps {
  readonly waiting: Waiting
  readonly texts: Texts
  readonly csrfToken: string
}

/** Says when the address changes, how it changes earlier, and cancels it. */
export function WaitingEmail({ waiting, texts, csrfToken }: WaitingEmailProps): ReactElement {
  const { email, at, factorUrl, approveAction, cancelAction } = waiting
  const text = texts.emailWaiting.replace('{time}', formatExact({ time: at, locale: texts.locale }))
  return (
    <div className="stack">
      <div className="notice error">
        <p>
          <strong>
            <Sentence text={text}>
              <bdi>{email}</bdi>
            </Sentence>
          </strong>{' '}
          {texts.emailWaitingText}
        </p>
      </div>
      {approveAction !== null && (
        <ButtonForm action={approveAction} fields={{ csrfToken }} label={texts.emailApprove} />
      )}
      {factorUrl !== null && <LinkButton label={texts.emailFactor} href={factorUrl} />}
      <ButtonForm action={cancelAction} fields={{ csrfToken }} label={texts.emailCancel} kind="plain" />
    </div>
  )
}
