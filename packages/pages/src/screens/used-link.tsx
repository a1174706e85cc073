import type { ReactElement } from 'react'
import { LinkButton } from '../parts/button.tsx'
import { Heading } from '../parts/heading.tsx'
import { Identity } from '../parts/identity.tsx'
import type { ScreenProps } from '../view.ts'

/** Shown to a signed-in user who opens a mailed link that is no longer valid: names the user, and continues. */
export function UsedLink({ view, texts }: ScreenProps<'used-link'>): ReactElement {
  const { user, callbackUrl } = view
  const { heading, user: signedInAs, text, submit } = texts.usedLink
  const [name, detail] = user.name === null ? [user.email, null] : [user.name, user.email]
  return (
    <>
      <Heading text={heading} picture="done" />
      <p className="lead">{text}</p>
      {name !== null && (
        <>
          <p className="lead after">{signedInAs}</p>
          <Identity name={name} detail={detail} />
        </>
      )}
      <div className="stack">
        <LinkButton label={submit} href={callbackUrl} />
      </div>
    </>
  )
}
