import type { ReactElement } from 'react'
import { LinkButton } from '../parts/button.tsx'
import { Heading } from '../parts/heading.tsx'
import type { ScreenProps } from '../view.ts'

/** Greets somebody who signed in for the first time. */
export function Welcome({ view, frame, texts }: ScreenProps<'welcome'>): ReactElement {
  const { heading, text, submit } = texts.welcome
  return (
    <>
      <Heading text={heading(view.user)} picture="done" />
      <p className="lead">{text(frame.siteName)}</p>
      <div className="stack">
        <LinkButton label={submit} href={view.callbackUrl} />
      </div>
    </>
  )
}
