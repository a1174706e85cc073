import type { Choice } from '@postern/core'
import { Fragment, type ReactElement } from 'react'
import { CredentialsForm, EmailForm } from '../parts/choice-forms.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import { ProviderButton } from '../parts/provider-button.tsx'
import { Reference } from '../parts/reference.tsx'
import type { Texts } from '../texts/texts.ts'
import type { ScreenProps, ViewOf } from '../view.ts'

/** Every way to sign in, in the order of the configuration. */
export function SignIn({ view, frame, texts }: ScreenProps<'signin'>): ReactElement {
  const { choices, ref } = view
  return (
    <>
      <Heading text={texts.signIn.heading} />
      <p className="lead">{texts.signIn.lead(frame.siteName)}</p>
      <Problem view={view} texts={texts} />
      {choices.length === 0 && <p>{texts.signIn.none}</p>}
      <div className="stack">
        {choices.map((choice, at) => (
          <Fragment key={choice.id}>
            {isApart(choice, choices[at - 1]) && <p className="or">{texts.signIn.or}</p>}
            <div className="provider">
              <Way choice={choice} view={view} texts={texts} isMain={choice === choices.find(isForm)} />
            </div>
          </Fragment>
        ))}
      </div>
      <Reference id={ref} texts={texts} />
    </>
  )
}

type SignInView = ViewOf<'signin'>

/** What somebody did on purpose, or has yet to do, is no problem. */
const calm: readonly (SignInView['error'] | SignInView['reason'])[] = ['SessionRequired', 'cancelled']

function Problem({ view: { error, reason }, texts }: Omit<WayProps, 'choice' | 'isMain'>): ReactElement | null {
  if (error === null) return null
  const explanation = reason === null ? texts.problems[error] : texts.reasons[reason]
  return <Notice explanation={explanation} tone={calm.includes(reason ?? error) ? 'calm' : 'problem'} />
}

interface WayProps {
  readonly choice: Choice
  readonly view: SignInView
  readonly texts: Texts
  /** Whether this is the form that stands out. */
  readonly isMain: boolean
}

function Way({ choice, view, texts, isMain }: WayProps): ReactElement {
  const { csrfToken, callbackUrl } = view
  const fields = { csrfToken, callbackUrl }
  switch (choice.type) {
    case 'oauth':
      return (
        <Form action={choice.action} fields={fields}>
          <ProviderButton choice={choice} texts={texts} />
        </Form>
      )
    case 'email':
      return <EmailForm {...{ choice, fields, texts, isMain }} {...blame(view, 'EmailSignin', 'email')} />
    case 'credentials':
      return (
        <CredentialsForm {...{ choice, fields, texts, isMain }} {...blame(view, 'CredentialsSignin', 'credentials')} />
      )
  }
}

interface Blame {
  readonly isExplained: boolean
  readonly isWrong: boolean
}

/** Which fields the notice is about. With several forms of a kind nobody knows which one was sent. */
function blame({ error, reason, choices }: SignInView, code: SignInView['error'], type: Choice['type']): Blame {
  const isExplained = error === code && reason === null
  return { isExplained, isWrong: isExplained && choices.filter((choice) => choice.type === type).length === 1 }
}

function isForm({ type }: Choice): boolean {
  return type !== 'oauth'
}

function isApart(choice: Choice, before: Choice | undefined): boolean {
  return before !== undefined && (isForm(choice) || isForm(before))
}
