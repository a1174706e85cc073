import { Button, type FeatureScreenProps, Form, formatExact, Heading, Identity, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import type { TextKey } from '../texts.ts'
import type { AgreeEmailProps } from './props.ts'

/** Lets the owner of the current address confirm or cancel a change, without a session. */
export function AgreeEmailScreen({
  props,
  texts,
  csrfToken
}: FeatureScreenProps<AgreeEmailProps, TextKey>): ReactElement {
  const { email, at, action, token, problem } = props
  const time = formatExact({ time: at, locale: texts.locale })
  return (
    <>
      <Heading text={texts.emailAgree} />
      <p className="lead">{texts.emailAgreeText}</p>
      {problem && <Notice tone="problem" explanation={{ text: texts[problem], next: '' }} />}
      <Identity name={email} />
      <p>{texts.emailAgreeEffects.replace('{time}', time)}</p>
      <div className="stack">
        <Form action={action} fields={{ csrfToken, token, decision: 'confirm' }}>
          <Button label={texts.emailAgreeSubmit} />
        </Form>
        <Form action={action} fields={{ csrfToken, token, decision: 'cancel' }}>
          <Button label={texts.emailCancel} kind="plain" />
        </Form>
      </div>
    </>
  )
}
