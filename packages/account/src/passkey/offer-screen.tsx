import { Button, Form, Heading, LinkButton, Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../button-form.tsx'
import { toCredentialFields } from './ceremony-options.ts'
import { explainCreation, Failure } from './failure.tsx'
import type { OfferProps } from './props.ts'
import type { ScreenProps } from './texts.ts'

/** Offers a passkey after a sign-in. Without JavaScript, the user continues. */
export function OfferScreen({ props, texts, csrfToken }: ScreenProps<OfferProps>): ReactElement {
  const { action, refuseAction, options, callbackUrl, isConditional, problem } = props
  const fields = { csrfToken, callbackUrl, ...toCredentialFields(options) }
  return (
    <>
      <Heading text={texts.offer} />
      <p className="lead">{texts.offerText}</p>
      <noscript>
        <p className="lead">{texts.needsScript}</p>
      </noscript>
      {problem && <Notice tone="problem" explanation={{ text: texts[problem], next: '' }} />}
      <div className="stack">
        <Form action={action} fields={isConditional ? { ...fields, conditional: '' } : fields}>
          <Failure explanations={explainCreation(texts)} />
          <Button label={texts.createPasskey} />
        </Form>
        <LinkButton label={texts.notNow} href={callbackUrl} kind="plain" />
        <ButtonForm action={refuseAction} fields={{ csrfToken, callbackUrl }} label={texts.neverAsk} kind="plain" />
      </div>
    </>
  )
}
