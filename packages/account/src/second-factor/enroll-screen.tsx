import type { FeatureScreenProps } from '@postern/pages'
import { Button, Form, Heading, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import { CodeField } from '../mail/code-field.tsx'
import type { EnrollProps } from './props.ts'
import type { QrCode } from './qr-code.ts'
import type { TextKey } from './texts.ts'

/** The picture is black on white in every theme: scanners need the contrast. */
function QrPicture({
  qrCode: { size, path },
  label
}: {
  readonly qrCode: QrCode
  readonly label: string
}): ReactElement {
  return (
    <svg
      role="img"
      aria-label={label}
      width="220"
      height="220"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** Sets up an authenticator app: shows its key, and asks for a code that confirms it. */
export function EnrollScreen({ props, texts, csrfToken }: FeatureScreenProps<EnrollProps, TextKey>): ReactElement {
  const { action, key, mail, isRequired, problem } = props
  return (
    <>
      <Heading text={texts.enroll} />
      {isRequired && <p className="lead">{texts.enrollRequired}</p>}
      <p className="lead">{mail === 'send' ? texts.mailText : texts.enrollText}</p>
      {problem && <Notice tone="problem" explanation={{ text: texts[problem], next: '' }} />}
      <div className="stack">
        {mail === 'send' ? (
          <Form action={action} fields={{ csrfToken, send: 'mail' }}>
            <Button label={texts.mailSend} />
          </Form>
        ) : (
          <>
            <p>
              <QrPicture qrCode={key.qrCode} label={texts.qrCode} />
            </p>
            <p className="hint">{texts.key}</p>
            <p>
              <code dir="ltr">{key.text}</code>
            </p>
            <Form action={action} fields={{ csrfToken }}>
              {mail === 'sent' && (
                <CodeField name="mailCode" label={texts.mailCode} isWrong={problem === 'mailWrong'} />
              )}
              <CodeField
                name="code"
                label={texts.code}
                hint={texts.codeHint}
                isWrong={problem === 'codeWrong'}
                hasFocus={problem !== null}
                isNumeric={true}
              />
              <Button label={texts.confirm} />
            </Form>
          </>
        )}
      </div>
    </>
  )
}
