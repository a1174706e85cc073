import type { ReactElement } from 'react'
import { Button, LinkButton } from '../parts/button.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { Person } from '../parts/person.tsx'
import { Reference } from '../parts/reference.tsx'
import { SignInLinks } from '../parts/sign-in-links.tsx'
import { SignInOptions } from '../parts/sign-in-options.tsx'
import { StepUp } from '../parts/step-up.tsx'
import { SupportLink } from '../parts/support-link.tsx'
import { safeLink } from '../safe-link.ts'
import type { ScreenProps } from '../view.ts'

/** Shows every sign-in option, and who is signed in; to a user who can continue, that alone. */
export function SignIn(props: ScreenProps<'signin'>): ReactElement {
  const { view, context, texts } = props
  const { choices, links, ref, signOutUrl, stepUp, user } = view
  if (stepUp) return <StepUp {...props} stepUp={stepUp} />
  if (user && signOutUrl !== null) return <Continue {...props} user={user} signOutUrl={signOutUrl} />
  return (
    <>
      <Heading text={texts.signIn.heading} />
      <p className="lead">{texts.signIn.lead(context.siteName)}</p>
      {user && (
        <>
          <p className="lead">{texts.confirmLink.user}</p>
          <Person {...user} />
        </>
      )}
      {choices.length === 0 && (
        <>
          <p className="after">{texts.signIn.none}</p>
          <SupportLink context={context} texts={texts} />
        </>
      )}
      <SignInOptions view={view} context={context} texts={texts} />
      <SignInLinks links={links} view={view} texts={texts} />
      <Reference id={ref} texts={texts} />
    </>
  )
}

interface ContinueProps extends ScreenProps<'signin'> {
  readonly user: NonNullable<ScreenProps<'signin'>['view']['user']>
  readonly signOutUrl: string
}

/** A user who is signed in continues, or signs out to sign in with another account. */
function Continue({ view, context, texts, user, signOutUrl }: ContinueProps): ReactElement {
  const { csrfToken, callbackUrl } = view
  return (
    <>
      <Heading text={texts.signIn.heading} />
      <p className="lead">{texts.signIn.lead(context.siteName)}</p>
      <Person {...user} />
      <div className="stack">
        <LinkButton label={texts.signIn.continueAs(user.name ?? user.email ?? '')} href={safeLink(callbackUrl)} />
        <Form action={signOutUrl} fields={{ csrfToken, callbackUrl, another: 'true' }}>
          <Button label={texts.signIn.anotherAccount} kind="plain" />
        </Form>
      </div>
    </>
  )
}
