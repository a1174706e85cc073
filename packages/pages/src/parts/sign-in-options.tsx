import type { Choice } from '@postern/core'
import { Fragment, type ReactElement } from 'react'
import type { Texts } from '../texts/texts.ts'
import type { ViewOf } from '../view.ts'
import { CredentialsForm, EmailForm } from './choice-forms.tsx'
import { Form } from './form.tsx'
import { ProviderButton } from './provider-button.tsx'

type SignInView = ViewOf<'signin'>

interface WaysProps {
  readonly view: SignInView
  readonly texts: Texts
}

/** Every way to sign in, in the order of the configuration, each in its form. */
export function Ways({ view, texts }: WaysProps): ReactElement {
  const { choices } = view
  const main = choices.find(isForm)
  return (
    <div className="stack">
      {choices.map((choice, at) => (
        <Fragment key={choice.id}>
          {isApart(choice, choices[at - 1]) && <p className="or">{texts.signIn.or}</p>}
          <div className="provider">
            <Way choice={choice} view={view} texts={texts} isMain={choice === main} />
          </div>
        </Fragment>
      ))}
    </div>
  )
}

interface WayProps extends WaysProps {
  readonly choice: Choice
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
