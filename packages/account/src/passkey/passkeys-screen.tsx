import { Button, Form, Heading, Notice, Row, Rows } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../button-form.tsx'
import { LastLink, NextStep } from '../links.tsx'
import { CodeField } from '../mail/code-field.tsx'
import { getProblemKey } from '../mail/problem-key.ts'
import { toCredentialFields } from './ceremony-options.ts'
import { describePasskey } from './describe-passkey.ts'
import { explainCreation, Failure } from './failure.tsx'
import type { PasskeysProps } from './props.ts'
import type { ScreenProps, Texts } from './texts.ts'

interface AddFormProps {
  readonly add: NonNullable<PasskeysProps['add']>
  /** Whether the mailed code was wrong. */
  readonly isWrong: boolean
  readonly texts: Texts
  readonly csrfToken: string
}

/** The mailed code, which comes before the passkey: a device would keep one that was created for a wrong code. */
function CodeForms({ add: { sendAction }, isWrong, texts, csrfToken }: AddFormProps): ReactElement {
  return (
    <div className="stack">
      <p className="hint">{texts.mailSentText}</p>
      <Form action={sendAction} fields={{ csrfToken }}>
        <CodeField name="mailCode" label={texts.mailCode} isWrong={isWrong} hasFocus={isWrong} />
        <Button label={texts.continue} />
      </Form>
      <ButtonForm action={sendAction} fields={{ csrfToken }} label={texts.mailAgain} kind="plain" />
      <ButtonForm action={sendAction} fields={{ csrfToken, cancel: 'true' }} label={texts.cancel} kind="plain" />
    </div>
  )
}

/** Adds a passkey, after a mailed code was sent if the owner has to be proven. */
function AddForm({ add, texts, csrfToken }: Omit<AddFormProps, 'isWrong'>): ReactElement {
  return (
    <div className="stack">
      {add.mail === 'send' && <p className="hint">{texts.mailText}</p>}
      {add.mail === 'send' && (
        <ButtonForm action={add.sendAction} fields={{ csrfToken }} label={texts.mailSend} kind="plain" />
      )}
      <Form action={add.action} fields={{ csrfToken, ...toCredentialFields(add.options) }}>
        <Failure explanations={explainCreation(texts)} />
        <Button label={texts.add} />
      </Form>
      <noscript>
        <p className="hint">{texts.needsScript}</p>
      </noscript>
    </div>
  )
}

/** Shows the passkeys of the signed-in user, and adds one. */
export function PasskeysScreen({ props, texts, csrfToken }: ScreenProps<PasskeysProps>): ReactElement {
  const { passkeys, add, verifyUrl, problem, accepted, addressUrl, accountUrl } = props
  const explanation = problem && { text: texts[getProblemKey(problem, add?.mail ?? 'none')], next: '' }
  // The page says it before anything is tried.
  const tone = problem === 'unverified' || problem === 'tooMany' ? 'calm' : 'problem'
  const link = addressUrl === null ? null : { href: addressUrl, label: texts.confirm }
  const hasNothing = passkeys.length === 0 && add === null && verifyUrl === null && link === null
  return (
    <>
      <Heading text={texts.passkeys} />
      <p className="lead">{texts.passkeysText}</p>
      {explanation && <Notice tone={tone} explanation={explanation} link={link} />}
      {passkeys.length > 0 && (
        <div data-passkey-accepted={JSON.stringify(accepted)}>
          <Rows label={texts.passkeys}>
            {passkeys.map((passkey) => (
              <Row
                key={passkey.id}
                title={passkey.name || texts.name}
                href={passkey.href}
                detail={describePasskey(passkey, texts)}
              />
            ))}
          </Rows>
        </div>
      )}
      {add?.mail === 'sent' && (
        <CodeForms add={add} isWrong={problem === 'mailWrong'} texts={texts} csrfToken={csrfToken} />
      )}
      {add && add.mail !== 'sent' && <AddForm add={add} texts={texts} csrfToken={csrfToken} />}
      {verifyUrl !== null && <NextStep label={texts.verify} href={verifyUrl} />}
      {hasNothing && accountUrl !== null ? (
        <NextStep label={texts.toAccount} href={accountUrl} />
      ) : (
        <LastLink href={accountUrl} label={texts.toAccount} />
      )}
    </>
  )
}
