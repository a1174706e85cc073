import { Button, type FeatureScreenProps, Field, Form, Identity, Timestamp } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountFrame } from '../account-frame.tsx'
import type { TextKey } from '../texts.ts'
import type { UndoEmailProps } from './props.ts'

/** Undoes a change of the address. */
export function UndoEmailScreen({
  props,
  texts,
  csrfToken
}: FeatureScreenProps<UndoEmailProps, TextKey>): ReactElement {
  const { email, changedAt, now, action, token, isProven, asksPassword, signInUrl, problem } = props
  const [before = '', after = ''] = texts.emailUndoChanged.split('{time}')
  const isWrong = problem === 'emailUndoUnproven'
  const input = { name: 'password', type: 'password', required: true, autoComplete: 'current-password' }
  return (
    <AccountFrame props={props} texts={texts} title="emailUndo" lead="emailUndoText">
      <Identity name={email} />
      <p>
        {before}
        <Timestamp time={changedAt} now={now} locale={texts.locale} />
        {after}
      </p>
      <p>{texts.emailUndoEffects}</p>
      {!isProven && <p className="hint">{texts.emailUndoProof}</p>}
      {(isProven || asksPassword) && (
        <div className="stack">
          <Form action={action} fields={{ csrfToken, token }}>
            {!isProven && (
              <Field
                id="password"
                label={texts.emailUndoPassword}
                isExplained={isWrong}
                isWrong={isWrong}
                input={input}
              />
            )}
            <Button label={texts.emailUndoSubmit} kind="danger" />
          </Form>
        </div>
      )}
      {!isProven && (
        <ul className="links">
          <li>
            <a className="link" href={signInUrl}>
              {texts.emailUndoSignIn}
            </a>
          </li>
        </ul>
      )}
    </AccountFrame>
  )
}
