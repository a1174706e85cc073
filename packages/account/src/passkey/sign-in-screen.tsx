import { Button, Form, Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import { Links } from '../links.tsx'
import { toCredentialFields } from './ceremony-options.ts'
import { explainUse, Failure } from './failure.tsx'
import type { SignInProps } from './props.ts'
import type { ScreenProps } from './texts.ts'

/** Signs in with a passkey. The options are in the form, for the script. */
export function SignInScreen({ props, texts, csrfToken }: ScreenProps<SignInProps>): ReactElement {
  const { action, options, callbackUrl, signInUrl } = props
  const fields = { csrfToken, callbackUrl, ...toCredentialFields(options) }
  return (
    <>
      <Heading text={texts.signIn} />
      <p className="lead">{texts.signInText}</p>
      <noscript>
        <p className="lead">{texts.needsScript}</p>
      </noscript>
      <div className="stack">
        <Form action={action} fields={fields}>
          <Failure explanations={explainUse(texts)} />
          <Button label={texts.signIn} />
          <div className="stack">
            <p className="hint">{texts.noneHere}</p>
            <button type="submit" className="button" data-hint="hybrid">
              {texts.usePhone}
            </button>
          </div>
        </Form>
      </div>
      <Links links={[{ label: texts.otherWays, href: signInUrl }]} />
    </>
  )
}
