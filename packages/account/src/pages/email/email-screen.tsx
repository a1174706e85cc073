import { Button, Field, Form, Identity } from '@postern/pages'
import type { ReactElement } from 'react'
import { Sentence } from '../../sentence.tsx'
import { AccountFrame } from '../account-frame.tsx'
import type { ScreenProps, TextKey } from '../texts.ts'
import type { EmailProps } from './props.ts'
import { WaitingEmail } from './waiting-email.tsx'

/** The problems of the typed address; others are not about the field. */
const addressProblems: readonly (TextKey | null)[] = ['emailLetters', 'emailInvalid', 'emailSame']

/** Shows the email address of the user, and asks for another one. */
export function EmailScreen({ props, texts, csrfToken }: ScreenProps<EmailProps>): ReactElement {
  const { email, isVerified, typed, action, canChange, pending, confirmUrl, problem, waiting } = props
  const isWrong = addressProblems.includes(problem)
  const input = {
    name: 'email',
    type: 'email',
    defaultValue: typed,
    required: true,
    autoComplete: 'email',
    autoFocus: isWrong
  }
  return (
    <AccountFrame props={props} texts={texts} title="email" lead={canChange ? 'emailText' : 'emailFixed'}>
      {email === null ? <p>{texts.emailNone}</p> : <Identity name={email} />}
      {email !== null && !isVerified && canChange && <p className="hint">{texts.emailUnconfirmed}</p>}
      {waiting !== null && <WaitingEmail waiting={waiting} texts={texts} csrfToken={csrfToken} />}
      {pending !== null && (
        <p>
          <Sentence text={texts.emailPending}>
            <bdi>{pending}</bdi>
          </Sentence>{' '}
          <a className="link" href={confirmUrl}>
            {texts.emailEnterCode}
          </a>
        </p>
      )}
      {action !== null && (
        <div className="stack">
          <Form action={action} fields={{ csrfToken }}>
            <Field id="email" label={texts.emailNew} isExplained={isWrong} isWrong={isWrong} input={input} />
            <Button label={texts.emailSubmit} kind={waiting === null ? 'main' : 'plain'} />
          </Form>
        </div>
      )}
    </AccountFrame>
  )
}
