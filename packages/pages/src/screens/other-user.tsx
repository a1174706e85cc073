import type { ReactElement } from 'react'
import { Button, LinkButton } from '../parts/button.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { Identity } from '../parts/identity.tsx'
import { Reference } from '../parts/reference.tsx'
import type { ScreenProps } from '../view.ts'

/**
 * Shown if another user has signed in since the sign-in started: names the user, and offers to continue or start again.
 */
export function OtherUser({ view, texts }: ScreenProps<'other-user'>): ReactElement {
  const { user, provider, action, csrfToken, callbackUrl, ref } = view
  const { heading, user: signedInAs, text, stay } = texts.otherUser
  const [name, detail] = user.name === null ? [user.email, null] : [user.name, user.email]
  return (
    <>
      <Heading text={heading} picture="person" />
      {name !== null && (
        <>
          <p className="lead">{signedInAs}</p>
          <Identity name={name} detail={detail} />
        </>
      )}
      <p className="lead after">{text(provider)}</p>
      <div className="stack">
        <LinkButton label={stay} href={callbackUrl} />
        <Form action={action} fields={{ csrfToken, callbackUrl }}>
          <Button label={texts.signIn.submit(provider)} kind="plain" />
        </Form>
      </div>
      <Reference id={ref} texts={texts} />
    </>
  )
}
