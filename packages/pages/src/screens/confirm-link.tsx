import type { ReactElement } from 'react'
import { Button, LinkButton } from '../parts/button.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { Person } from '../parts/person.tsx'
import type { ScreenProps } from '../view.ts'

/** Asks a signed-in user whether an account at a provider is to be linked: names both. */
export function ConfirmLink({ view, texts }: ScreenProps<'confirm-link'>): ReactElement {
  const { user, account, provider, action, csrfToken, callbackUrl, link } = view
  const { heading, user: signedInAs, account: accountAt, text, submit, stay } = texts.confirmLink
  return (
    <>
      <Heading text={heading} picture="person" />
      <p className="lead">{signedInAs}</p>
      <Person {...user} />
      {account && (
        <>
          <p className="lead after">{accountAt(provider)}</p>
          <Person {...account} />
        </>
      )}
      <p className="lead after">{text(provider)}</p>
      <div className="stack">
        <Form action={action} fields={{ csrfToken, callbackUrl, link }}>
          <Button label={submit} />
        </Form>
        <LinkButton label={stay} href={callbackUrl} kind="plain" />
      </div>
    </>
  )
}
