import type { SignInOption } from '@postern/core'
import { Fragment, type ReactElement } from 'react'
import type { Texts } from '../texts/texts.ts'
import type { ViewOf } from '../view.ts'
import { CredentialsForm, EmailForm } from './choice-forms.tsx'
import { findFailedOption, isAboutFields } from './failed-option.ts'
import { Form } from './form.tsx'
import { Problem } from './problem.tsx'
import { ProviderButton } from './provider-button.tsx'

type SignInView = ViewOf<'signin'>

interface SignInOptionsProps {
  readonly view: SignInView
  readonly texts: Texts
}

/**
 * Every sign-in option, in the configured order, each in its form. What went wrong is explained in the form that failed,
 * or above all of them.
 */
export function SignInOptions({ view, texts }: SignInOptionsProps): ReactElement {
  const { choices } = view
  const main = choices.find(isForm)
  return (
    <>
      {findFailedOption(view) === null && <Problem view={view} texts={texts} />}
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
    </>
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
  const notice = findFailedOption(view) === choice ? <Problem view={view} texts={texts} /> : null
  switch (choice.type) {
    case 'oauth':
      return (
        <Form action={choice.action} fields={fields}>
          {notice}
          <ProviderButton choice={choice} texts={texts} />
        </Form>
      )
    case 'email':
      return <EmailForm {...{ choice, fields, texts, isMain, notice }} {...getFormError(view, choice)} />
    case 'credentials':
      return <CredentialsForm {...{ choice, fields, texts, isMain, notice }} {...getFormError(view, choice)} />
  }
}

interface FormError {
  readonly isExplained: boolean
  readonly isWrong: boolean
  readonly identifier: string
}

/** The state of a form: with several forms of a kind, it may be unknown which one was submitted. */
function getFormError(view: SignInView, choice: SignInOption): FormError {
  const failed = findFailedOption(view)
  const isAbout = isAboutFields(view, choice)
  const { providerId, identifier = '' } = view.failedForm ?? {}
  return {
    isExplained: failed === choice || (failed === null && isAbout),
    isWrong: failed === choice && isAbout,
    identifier: providerId === choice.id ? identifier : getKnownAddress(view, choice)
  }
}

/** The address of a user who has to authenticate again, for a field that asks for one. */
function getKnownAddress({ stepUp, user }: SignInView, choice: SignInOption): string {
  const asksForAddress =
    choice.type === 'email' ||
    (choice.type === 'credentials' &&
      choice.fields.some(({ name, type }) => name === choice.identifier && type === 'email'))
  return stepUp && asksForAddress ? (user?.email ?? '') : ''
}

function isForm({ type }: SignInOption): boolean {
  return type !== 'oauth'
}

function isApart(choice: SignInOption, before: SignInOption | undefined): boolean {
  return before !== undefined && (isForm(choice) || isForm(before))
}
