import type { FeatureScreenProps } from '@postern/pages'
import { Button, Form, Heading, LinkButton, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountLink } from '../account-link.tsx'
import { CodeField } from '../mail/code-field.tsx'
import type { FactorsProps } from './props.ts'
import type { TextKey } from './texts.ts'

type Texts = Readonly<Record<TextKey, string>>

function formatDate(date: string, { locale }: Texts): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
}

/** What is known of the factors, in sentences. */
function describe({ totp, recoveryCodes }: FactorsProps, texts: Texts): string {
  return [
    totp === null ? texts.noApp : texts.appAdded.replace('{date}', formatDate(totp.createdAt, texts)),
    totp?.lastUsedAt ? texts.appUsed.replace('{date}', formatDate(totp.lastUsedAt, texts)) : '',
    recoveryCodes === null ? '' : texts.codesLeft.replace('{left}', String(recoveryCodes))
  ]
    .filter(Boolean)
    .join(' ')
}

/** What to do if a code of the app is not compared. */
function getNext({ problem, recoveryCodes }: FactorsProps, texts: Texts): string {
  if (problem !== 'exhausted') return ''
  return recoveryCodes ? texts.challengeRecovery : texts.challengeNone
}

interface ChangeFormProps {
  readonly id: string
  readonly action: string
  readonly csrfToken: string
  readonly needsCode: boolean
  readonly isWrong: boolean
  readonly label: string
  readonly hint: string
  readonly texts: Texts
}

/** A change that needs one of the factors. */
function ChangeForm(props: ChangeFormProps): ReactElement {
  const { id, action, csrfToken, needsCode, isWrong, label, hint, texts } = props
  return (
    <div className="stack">
      <Form action={action} fields={{ csrfToken }}>
        {needsCode && <CodeField id={id} name="code" label={texts.anyCode} isWrong={isWrong} />}
        <Button label={label} kind="plain" />
      </Form>
      <p className="hint">{hint}</p>
    </div>
  )
}

/** Shows the second factors of the signed-in user, and changes them. */
export function FactorsScreen({ props, texts, csrfToken }: FeatureScreenProps<FactorsProps, TextKey>): ReactElement {
  const { areFew, startAction, removeAction, codesAction, needsCode, verifyUrl, problem } = props
  const form = { csrfToken, needsCode, isWrong: problem === 'anyWrong', texts }
  return (
    <>
      <Heading text={texts.section} />
      <p className="lead">{texts.factorsText}</p>
      {problem && <Notice tone="problem" explanation={{ text: texts[problem], next: getNext(props, texts) }} />}
      <p>{describe(props, texts)}</p>
      {areFew && (
        <p>
          <strong>{texts.codesFew}</strong>
        </p>
      )}
      {startAction !== null && (
        <div className="stack">
          <Form action={startAction} fields={{ csrfToken }}>
            <Button label={texts.start} />
          </Form>
        </div>
      )}
      {codesAction !== null && (
        <ChangeForm {...form} id="codes" action={codesAction} label={texts.createCodes} hint={texts.createCodesText} />
      )}
      {removeAction !== null && (
        <ChangeForm {...form} id="remove" action={removeAction} label={texts.remove} hint={texts.removeText} />
      )}
      {verifyUrl !== null && (
        <div className="stack">
          <LinkButton label={texts.verify} href={verifyUrl} />
        </div>
      )}
      <AccountLink href={props.accountUrl} label={texts.toAccount} />
    </>
  )
}
