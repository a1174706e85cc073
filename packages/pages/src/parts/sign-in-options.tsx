import type { SignInOption } from '@postern/core'
import { Fragment, type ReactElement } from 'react'
import type { Texts } from '../texts/texts.ts'
import type { ViewOf } from '../view.ts'
import { CredentialsForm, EmailForm } from './choice-forms.tsx'
import { Form } from './form.tsx'
import { ProviderButton } from './provider-button.tsx'

type SignInView = ViewOf<'signin'>

interface SignInOptionsProps {
  readonly view: SignInView
  readonly texts: Texts
}

/** Every sign-in option, in the configured order, each in its form. */
export function SignInOptions({ view, texts }: SignInOptionsProps): ReactElement {
  const { choices } = view
  const main = choices.find(isForm)
  return (
    <div className="stack">
      {choices.map((choice, at) => (
        <Fragment key={choice.id}>
          {isApart(choice, choices[at - 1]) && <p className="or">{texts.signIn.or}</p>}
          <div className="provider">
            <SignInOptionForm choice={choice} view={view} texts={texts} isMain={choice === main} />
          </div>
        </Fragment>
      ))}
    </div>
  )
}

interface SignInOptionFormProps extends SignInOptionsProps {
  readonly choice: SignInOption
  /** Whether this is the primary form. */
  readonly isMain: boolean
}

function SignInOptionForm({ choice, view, texts, isMain }: SignInOptionFormProps): ReactElement {
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
      return <EmailForm {...{ choice, fields, texts, isMain }} {...fieldError(view, 'EmailSignin', 'email')} />
    case 'credentials':
      return (
        <CredentialsForm
          {...{ choice, fields, texts, isMain }}
          {...fieldError(view, 'CredentialsSignin', 'credentials')}
        />
      )
  }
}

interface FieldError {
  readonly isExplained: boolean
  readonly isWrong: boolean
}

/** The fields that the notice is about. With several forms of a kind, it is unknown which one was submitted. */
function fieldError(
  { error, reason, choices }: SignInView,
  code: SignInView['error'],
  type: SignInOption['type']
): FieldError {
  const isExplained = error === code && reason === null
  return { isExplained, isWrong: isExplained && choices.filter((choice) => choice.type === type).length === 1 }
}

function isForm({ type }: SignInOption): boolean {
  return type !== 'oauth'
}

function isApart(choice: SignInOption, before: SignInOption | undefined): boolean {
  return before !== undefined && (isForm(choice) || isForm(before))
}
