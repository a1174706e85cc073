import type { ReactElement } from 'react'
import { Button, LinkButton } from '../parts/button.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import type { ScreenProps } from '../view.ts'

/** Asks the user to confirm the sign-out. */
export function SignOut({ view, texts }: ScreenProps<'signout'>): ReactElement {
  const { action, csrfToken, callbackUrl } = view
  const { heading, question, submit, stay } = texts.signOut
  return (
    <>
      <Heading text={heading} />
      <p className="lead">{question}</p>
      <div className="stack">
        <Form action={action} fields={{ csrfToken, callbackUrl }}>
          <Button label={submit} id="submitButton" />
        </Form>
        <LinkButton label={stay} href={callbackUrl} kind="plain" />
      </div>
    </>
  )
}
