import type { ReactElement } from 'react'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { Identity } from '../parts/identity.tsx'
import { Notice } from '../parts/notice.tsx'
import { Reference } from '../parts/reference.tsx'
import type { Texts } from '../texts/texts.ts'
import type { ScreenProps, ViewOf } from '../view.ts'

/** Shows that a mail was sent, and accepts its code. */
export function VerifyRequest({ view, context, texts }: ScreenProps<'verify-request'>): ReactElement {
  const { identifier, code, isSpent, isStepUp, ref, resend } = view
  const { heading, missing } = texts.verifyRequest
  if (isSpent && resend && identifier !== null)
    return (
      <Spent resend={resend} identifier={identifier} isStepUp={isStepUp} context={context} texts={texts} ref={ref} />
    )
  return (
    <>
      <Heading text={heading} picture="mail" />
      <p className="lead">{describeSent(view, texts)}</p>
      {identifier !== null && <Identity name={identifier} />}
      {code && <CodeForm code={code} texts={texts} />}
      <p className="hint after">{missing}</p>
      <AskAgain view={view} context={context} texts={texts} />
      <Reference id={ref} texts={texts} />
    </>
  )
}

interface SpentProps extends Pick<ScreenProps<'verify-request'>, 'context' | 'texts'> {
  readonly resend: NonNullable<ViewOf<'verify-request'>['resend']>
  readonly identifier: string
  readonly isStepUp: boolean | undefined
  readonly ref: string | null
}

/** After too many wrong codes: only another mail helps. */
function Spent({ resend, identifier, isStepUp = false, context, texts, ref }: SpentProps): ReactElement {
  const { heading, otherAddress, sendNew, spent } = texts.verifyRequest
  return (
    <>
      <Heading text={heading} picture="warning" />
      <Notice explanation={{ text: spent, next: '' }} tone="problem" />
      <div className="stack">
        <Form action={resend.action} fields={{ csrfToken: resend.csrfToken, email: identifier }}>
          <Button label={sendNew(resend.address)} />
        </Form>
      </div>
      <ul className="links">
        <li>
          <a className="link" href={`${context.basePath}/${isStepUp ? 'verify' : 'signin'}`}>
            {isStepUp ? texts.stepUp.another : otherAddress}
          </a>
        </li>
      </ul>
      <Reference id={ref} texts={texts} />
    </>
  )
}

/** The seconds for which the script disables the button that sends another mail: the first one is on its way. */
const resendWait = 30

/** Sends another mail to the same address, or starts again with a different one. */
function AskAgain({
  view: { identifier, resend, isStepUp },
  context,
  texts
}: ScreenProps<'verify-request'>): ReactElement {
  const { again, otherAddress } = texts.verifyRequest
  const isResent = resend !== null && identifier !== null
  return (
    <ul className="links">
      {isResent && (
        <li>
          <Form action={resend.action} fields={{ csrfToken: resend.csrfToken, email: identifier }}>
            <button type="submit" className="link" data-wait={resendWait}>
              {again}
            </button>
          </Form>
        </li>
      )}
      <li>
        {isStepUp ? (
          <a className="link" href={`${context.basePath}/verify`}>
            {texts.stepUp.another}
          </a>
        ) : (
          <a className="link" href={`${context.basePath}/signin`}>
            {isResent ? otherAddress : again}
          </a>
        )}
      </li>
    </ul>
  )
}

function describeSent({ link, code }: ViewOf<'verify-request'>, { verifyRequest }: Texts): string {
  if (link) return code ? verifyRequest.mail : verifyRequest.link
  return code ? verifyRequest.codeOnly : verifyRequest.codeElsewhere
}

interface CodeFormProps {
  readonly code: NonNullable<ViewOf<'verify-request'>['code']>
  readonly texts: Texts
}

function CodeForm({ code: { action, csrfToken, length, wrong, triesLeft }, texts }: CodeFormProps): ReactElement {
  const { code, codeHint, wrong: explanation, triesLeft: sayLeft, submit } = texts.verifyRequest
  const text = triesLeft === null ? explanation.text : `${explanation.text} ${sayLeft(triesLeft)}`
  return (
    <div className="stack">
      <Form action={action} fields={{ csrfToken }}>
        {wrong && <Notice explanation={{ ...explanation, text }} tone="problem" />}
        <Field
          id="input-code"
          label={code}
          hint={codeHint(length)}
          isExplained={wrong}
          isWrong={wrong}
          input={{
            className: 'input input-code',
            type: 'text',
            name: 'code',
            dir: 'ltr',
            autoComplete: 'one-time-code',
            autoCapitalize: 'characters',
            autoCorrect: 'off',
            spellCheck: false,
            inputMode: 'text',
            // Allows for spaces and dashes.
            maxLength: length * 3,
            required: true,
            ...(wrong && { autoFocus: true }),
            'data-letters': length
          }}
        />
        <Button label={submit} />
      </Form>
    </div>
  )
}
