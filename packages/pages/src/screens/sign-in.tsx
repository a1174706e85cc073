import type { ReactElement } from 'react'
import { Heading } from '../parts/heading.tsx'
import { Reference } from '../parts/reference.tsx'
import { SignInLinks } from '../parts/sign-in-links.tsx'
import { SignInOptions } from '../parts/sign-in-options.tsx'
import type { ScreenProps } from '../view.ts'

/** Shows every sign-in option. */
export function SignIn({ view, context, texts }: ScreenProps<'signin'>): ReactElement {
  const { choices, links, ref } = view
  return (
    <>
      <Heading text={texts.signIn.heading} />
      <p className="lead">{texts.signIn.lead(context.siteName)}</p>
      {choices.length === 0 && <p>{texts.signIn.none}</p>}
      <SignInOptions view={view} texts={texts} />
      <SignInLinks links={links} />
      <Reference id={ref} texts={texts} />
    </>
  )
}
