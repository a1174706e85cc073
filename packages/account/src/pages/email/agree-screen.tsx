import { formatExact, Heading, Identity, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../../button-form.tsx'
import type { ScreenProps } from '../texts.ts'
import type { AgreeEmailProps } from './props.ts'

/** Lets the owner of the current address confirm or cancel a change, without a session. */
export function AgreeEmailScreen({ props, texts, csrfToken }: ScreenProps<AgreeEmailProps>): ReactElement {
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
        <ButtonForm action={action} fields={{ csrfToken, token, decision: 'confirm' }} label={texts.emailAgreeSubmit} />
        <ButtonForm
          action={action}
          fields={{ csrfToken, token, decision: 'cancel' }}
          label={texts.emailCancel}
          kind="plain"
        />
      </div>
    </>
  )
}
