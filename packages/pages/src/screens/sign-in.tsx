import type { StepUpForms } from '@postern/core'
import type { ReactElement } from 'react'
import { Button } from '../parts/button.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { Person } from '../parts/person.tsx'
import { Reference } from '../parts/reference.tsx'
import { SignInLinks } from '../parts/sign-in-links.tsx'
import { SignInOptions } from '../parts/sign-in-options.tsx'
import type { Texts } from '../texts/texts.ts'
import type { ScreenProps, ViewOf } from '../view.ts'

/** Shows every sign-in option, and who is signed in. */
export function SignIn({ view, context, texts }: ScreenProps<'signin'>): ReactElement {
  const { choices, links, ref, stepUp, user } = view
  return (
    <>
      <Heading text={stepUp ? texts.stepUp.heading : texts.signIn.heading} />
      <p className="lead">{stepUp ? texts.stepUp.lead : texts.signIn.lead(context.siteName)}</p>
      {stepUp?.mustRepeat && <p className="lead">{texts.stepUp.repeat}</p>}
      {user && (
        <>
          <p className="lead">{texts.confirmLink.user}</p>
          <Person {...user} />
        </>
      )}
      {choices.length === 0 && !stepUp?.mail && (
        <p className="after">{stepUp ? texts.stepUp.none : texts.signIn.none}</p>
      )}
      <SignInOptions view={view} texts={texts} />
      {stepUp?.mail && <MailForm mail={stepUp.mail} view={view} texts={texts} />}
      <SignInLinks links={links} />
      <Reference id={ref} texts={texts} />
    </>
  )
}

interface MailFormProps {
  readonly mail: NonNullable<StepUpForms['mail']>
  readonly view: ViewOf<'signin'>
  readonly texts: Texts
}

/** Mails a code to a user who has to authenticate again. */
function MailForm({ mail, view, texts }: MailFormProps): ReactElement {
  const { csrfToken, callbackUrl, choices } = view
  return (
    <div className="stack">
      {choices.length > 0 && <p className="or">{texts.signIn.or}</p>}
      <Form action={mail.action} fields={{ csrfToken, callbackUrl }}>
        <Button label={texts.stepUp.mail(mail.address)} kind={choices.length > 0 ? 'plain' : 'main'} />
      </Form>
    </div>
  )
}
