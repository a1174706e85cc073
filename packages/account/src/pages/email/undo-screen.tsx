import { Button, type FeatureScreenProps, Field, Form, Identity, Timestamp } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountFrame } from '../account-frame.tsx'
import type { TextKey } from '../texts.ts'
import type { UndoEmailProps } from './props.ts'

/** What the user is asked for. */
export function getProofText({ hasPasswords, signInUrl }: Pick<UndoEmailProps, 'hasPasswords' | 'signInUrl'>): TextKey {
  if (signInUrl === null) return 'emailUndoProofPassword'
  return hasPasswords ? 'emailUndoProof' : 'emailUndoProofSignIn'
}

function SignInLink({ href, label }: { readonly href: string; readonly label: string }): ReactElement {
  return (
    <ul className="links">
      <li>
        <a className="link" href={href}>
          {label}
        </a>
      </li>
    </ul>
  )
}

/** When the address was changed, and what undoing it does. */
function Change({ props, texts }: Pick<FeatureScreenProps<UndoEmailProps, TextKey>, 'props' | 'texts'>): ReactElement {
  const { changedAt, now, hasPasswords } = props
  const [before = '', after = ''] = texts.emailUndoChanged.split('{time}')
  return (
    <>
      <p>
        {before}
        <Timestamp time={changedAt} now={now} locale={texts.locale} />
        {after}
      </p>
      <p>{hasPasswords ? texts.emailUndoEffects : texts.emailUndoEffectsNoPassword}</p>
    </>
  )
}

/** Undoes a change of the address. */
export function UndoEmailScreen({
  props,
  texts,
  csrfToken
}: FeatureScreenProps<UndoEmailProps, TextKey>): ReactElement {
  const { email, action, token, isProven, isFromBefore, asksPassword } = props
  const { signInUrl, verifyUrl, problem } = props
  const isWrong = problem === 'emailUndoUnproven'
  const input = {
    name: 'password',
    type: 'password',
    required: true,
    autoComplete: 'current-password',
    autoFocus: isWrong
  }
  return (
    <AccountFrame
      props={props}
      texts={texts}
      title="emailUndo"
      lead="emailUndoText"
      {...(isFromBefore && { verifyHint: texts.emailUndoAgain })}
    >
      <Identity name={email} />
      <Change props={props} texts={texts} />
      {!isProven && <p className="hint">{texts[getProofText(props)]}</p>}
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
      {!isProven && verifyUrl === null && signInUrl !== null && (
        <SignInLink href={signInUrl} label={texts.emailUndoSignIn} />
      )}
    </AccountFrame>
  )
}
