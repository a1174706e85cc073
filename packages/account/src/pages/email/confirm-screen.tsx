import { Button, Form, Identity } from '@postern/pages'
import type { ReactElement } from 'react'
import { LinkItem } from '../../links.tsx'
import { CodeField } from '../../mail/code-field.tsx'
import { AccountFrame } from '../account-frame.tsx'
import type { ScreenProps } from '../texts.ts'
import type { ConfirmEmailProps } from './props.ts'

/** The seconds for which the script disables the button that sends another mail: the first one is on its way. */
const resendWait = 30

/** Proves the new address, with the mailed code. */
export function ConfirmEmailScreen({ props, texts, csrfToken }: ScreenProps<ConfirmEmailProps>): ReactElement {
  const { email, action, resendAction, changeUrl, problem } = props
  const isWrong = problem === 'emailCodeWrong'
  return (
    <AccountFrame props={props} texts={texts} title="emailConfirm" lead="emailSent">
      <Identity name={email} />
      <div className="stack">
        <Form action={action} fields={{ csrfToken }}>
          <CodeField name="code" label={texts.emailCode} isWrong={isWrong} hasFocus={isWrong} />
          <Button label={texts.emailConfirmSubmit} />
        </Form>
      </div>
      <ul className="links">
        <li>
          <Form action={resendAction} fields={{ csrfToken, email }}>
            <button type="submit" className="link" data-wait={resendWait}>
              {texts.emailAgain}
            </button>
          </Form>
        </li>
        <LinkItem label={texts.emailOther} href={changeUrl} />
      </ul>
    </AccountFrame>
  )
}
