import type { ReactElement } from 'react'
import { Heading } from '../parts/heading.tsx'
import { Person } from '../parts/person.tsx'
import { Reference } from '../parts/reference.tsx'
import { SignInLinks } from '../parts/sign-in-links.tsx'
import { SignInOptions } from '../parts/sign-in-options.tsx'
import type { ScreenProps } from '../view.ts'

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
      {choices.length === 0 && <p className="after">{stepUp ? texts.stepUp.none : texts.signIn.none}</p>}
      <SignInOptions view={view} texts={texts} />
      <SignInLinks links={links} />
      <Reference id={ref} texts={texts} />
    </>
  )
}
