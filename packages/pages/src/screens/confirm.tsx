import type { ReactElement } from 'react'
import { Button } from '../parts/button.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { Identity } from '../parts/identity.tsx'
import type { ScreenProps } from '../view.ts'

/** Asks the user to confirm that they requested the link. */
export function Confirm({ view, context, texts }: ScreenProps<'confirm'>): ReactElement {
  const { heading, lead, submit, warning } = texts.confirm
  return (
    <>
      <Heading text={heading} picture="mail" />
      <p className="lead">{lead(context.siteName)}</p>
      <Identity name={view.identifier} />
      <div className="stack">
        <Form action={view.action} fields={view.fields}>
          <Button label={submit} />
        </Form>
      </div>
      <p className="hint after">{warning}</p>
      <ul className="links">
        <li>
          <a className="link" href={`${context.basePath}/signin`}>
            {texts.verifyRequest.otherAddress}
          </a>
        </li>
      </ul>
    </>
  )
}
