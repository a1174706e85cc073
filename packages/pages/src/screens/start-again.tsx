import type { ReactElement } from 'react'
import { Button } from '../parts/button.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { Reference } from '../parts/reference.tsx'
import type { ScreenProps } from '../view.ts'

/** Shown if the sign-in's state is missing or expired: a button starts again. */
export function StartAgain({ view, context, texts }: ScreenProps<'start-again'>): ReactElement {
  const { provider, action, csrfToken, callbackUrl, ref } = view
  const { heading, text } = texts.startAgain
  return (
    <>
      <Heading text={heading} picture="clock" />
      <p className="lead">{text}</p>
      <div className="stack">
        <Form action={action} fields={{ csrfToken, callbackUrl }}>
          <Button label={texts.signIn.submit(provider)} />
        </Form>
      </div>
      <ul className="links">
        <li>
          <a className="link" href={`${context.basePath}/signin`}>
            {texts.signIn.more}
          </a>
        </li>
      </ul>
      <Reference id={ref} texts={texts} />
    </>
  )
}
