import type { ReactElement } from 'react'
import { Heading } from '../parts/heading.tsx'
import { Problem } from '../parts/problem.tsx'
import { Reference } from '../parts/reference.tsx'
import { Ways } from '../parts/sign-in-options.tsx'
import type { ScreenProps } from '../view.ts'

/** Every way to sign in. */
export function SignIn({ view, frame, texts }: ScreenProps<'signin'>): ReactElement {
  const { choices, ref } = view
  return (
    <>
      <Heading text={texts.signIn.heading} />
      <p className="lead">{texts.signIn.lead(frame.siteName)}</p>
      <Problem view={view} texts={texts} />
      {choices.length === 0 && <p>{texts.signIn.none}</p>}
      <Ways view={view} texts={texts} />
      <Reference id={ref} texts={texts} />
    </>
  )
}
