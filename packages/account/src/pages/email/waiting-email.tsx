import { Button, Form, formatExact, LinkButton } from '@postern/pages'
import type { ReactElement } from 'react'
import type { TextKey } from '../texts.ts'
import type { WaitingEmail as Waiting } from './props.ts'

interface WaitingEmailProps {
  readonly waiting: Waiting
  readonly texts: Readonly<Record<TextKey, string>>
  readonly csrfToken: string
}

/** Says when the address changes, how it changes earlier, and cancels it. */
export function WaitingEmail({ waiting, texts, csrfToken }: WaitingEmailProps): ReactElement {
  const { email, at, factorUrl, approveAction, cancelAction } = waiting
  const text = texts.emailWaiting.replace('{time}', formatExact({ time: at, locale: texts.locale }))
  const [before = '', after = ''] = text.split('{email}')
  return (
    <div className="stack">
      <div className="notice error">
        <p>
          <strong>
            {before}
            <bdi>{email}</bdi>
            {after}
          </strong>{' '}
          {texts.emailWaitingText}
        </p>
      </div>
      {approveAction !== null && (
        <Form action={approveAction} fields={{ csrfToken }}>
          <Button label={texts.emailApprove} />
        </Form>
      )}
      {factorUrl !== null && <LinkButton label={texts.emailFactor} href={factorUrl} />}
      <Form action={cancelAction} fields={{ csrfToken }}>
        <Button label={texts.emailCancel} kind="plain" />
      </Form>
    </div>
  )
}
