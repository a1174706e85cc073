import { Button, Form, LinkButton, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../button-form.tsx'
import { LinkForm, LinkItem } from '../links.tsx'
import { CodeField } from '../mail/code-field.tsx'
import { getProblemKey } from '../mail/problem-key.ts'
import { CopyButton } from './copy-button.tsx'
import { canFocus } from './field-focus.ts'
import type { EnrollProps, EnrollStep } from './props.ts'
import type { QrCode } from './qr-code.ts'
import { StepHeading } from './step-heading.tsx'
import type { ScreenProps, Texts } from './texts.ts'
import { defaultFormat } from './totp.ts'

/** The picture is black on white in every theme: scanners need the contrast. */
function QrPicture({
  qrCode: { size, path },
  label
}: {
  readonly qrCode: QrCode
  readonly label: string
}): ReactElement {
  return (
    <svg role="img" aria-label={label} className="qr-code" viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

interface StepProps {
  readonly props: EnrollProps
  readonly texts: Texts
  readonly csrfToken: string
}

/** The mailed code, which comes before the steps. */
function MailStep({ props: { action, mail, problem }, texts, csrfToken }: StepProps): ReactElement {
  const isSent = mail === 'sent'
  return (
    <div className="stack">
      {isSent && (
        <Form action={action} fields={{ csrfToken }}>
          <CodeField
            name="mailCode"
            label={texts.mailCode}
            isWrong={problem === 'mailWrong'}
            hasFocus={canFocus(problem, 'mailWrong')}
          />
          <Button label={texts.continue} />
        </Form>
      )}
      <ButtonForm
        action={action}
        fields={{ csrfToken, send: 'mail' }}
        label={isSent ? texts.mailAgain : texts.mailSend}
        kind={isSent ? 'plain' : 'main'}
      />
    </div>
  )
}

/** The key. A phone opens it in an app, or copies it; another device shows the picture to a phone first. */
function KeyStep({ props: { action, key }, texts }: StepProps): ReactElement {
  return (
    <div className="stack">
      <div className="on-phone">
        <LinkButton label={texts.openApp} href={key.url} kind="plain" />
      </div>
      <p className="qr-picture">
        <QrPicture qrCode={key.qrCode} label={texts.qrCode} />
      </p>
      <div className="box">
        <p className="hint">{texts.key}</p>
        <p className="box-line">
          <code dir="ltr">{key.text}</code>
          <CopyButton text={key.text.replaceAll(' ', '')} texts={texts} />
        </p>
      </div>
      <LinkButton label={texts.continue} href={`${action}?step=code`} />
    </div>
  )
}

/** The code that the app shows. */
function CodeStep({ props: { action, problem }, texts, csrfToken }: StepProps): ReactElement {
  return (
    <div className="stack">
      <Form action={action} fields={{ csrfToken }}>
        <CodeField
          name="code"
          label={texts.code}
          hint={texts.codeHint.replace('{digits}', String(defaultFormat.digits))}
          isWrong={problem === 'codeWrong'}
          hasFocus={canFocus(problem, 'codeWrong')}
          isNumeric={true}
        />
        <Button label={texts.confirm} />
      </Form>
    </div>
  )
}

const steps = {
  mail: { Step: MailStep, number: null },
  key: { Step: KeyStep, number: 1 },
  code: { Step: CodeStep, number: 2 }
} as const

/** What the visitor does in a step. */
function getLead({ mail }: EnrollProps, step: EnrollStep, texts: StepProps['texts']): string {
  if (step === 'mail') return mail === 'sent' ? texts.mailSentText : texts.mailText
  return step === 'key' ? texts.enrollText : texts.challengeText
}

/** Sets up an authenticator app: shows its key, and asks for a code that confirms it. */
export function EnrollScreen({ props, texts, csrfToken }: ScreenProps<EnrollProps>): ReactElement {
  const { action, step, isRequired, listUrl, cancelAction, problem } = props
  const { Step, number } = steps[step]
  return (
    <>
      <StepHeading step={number} text={texts.enroll} texts={texts} />
      {isRequired && step !== 'code' && <p className="lead">{texts.enrollRequired}</p>}
      <p className="lead">{getLead(props, step, texts)}</p>
      {problem && <Notice tone="problem" explanation={{ text: texts[getProblemKey(problem, props.mail)], next: '' }} />}
      <Step props={props} texts={texts} csrfToken={csrfToken} />
      <ul className="links">
        {step === 'code' && <LinkItem label={texts.goBack} href={action} />}
        {listUrl !== null && <LinkItem label={texts.cancel} href={listUrl} />}
        {cancelAction !== null && <LinkForm action={cancelAction} csrfToken={csrfToken} label={texts.cancel} />}
      </ul>
    </>
  )
}
