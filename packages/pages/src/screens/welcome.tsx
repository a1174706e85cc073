import type { ReactElement } from 'react'
import { LinkButton } from '../parts/button.tsx'
import { Heading } from '../parts/heading.tsx'
import type { ScreenProps } from '../view.ts'

/** Greets a user after their first sign-in. */
export function Welcome({ view, context, texts }: ScreenProps<'welcome'>): ReactElement {
  const { heading, text, submit } = texts.welcome
  return (
    <>
      <Heading text={heading(view.user)} picture="done" />
      <p className="lead">{text(context.siteName)}</p>
      <div className="stack">
        <LinkButton label={submit} href={view.callbackUrl} />
      </div>
    </>
  )
}
