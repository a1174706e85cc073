import type { PageContext } from '@postern/core'
import type { ReactElement, ReactNode } from 'react'
import type { Texts } from '../texts/texts.ts'
import type { ViewOf } from '../view.ts'
import { AddressForm, IdentifierForm } from './address-form.tsx'
import { type Arrangement, arrangeOptions, getFormState, getMembers, type OptionForm } from './arrange-options.ts'
import { CredentialsForm } from './choice-forms.tsx'
import { isAboutFields } from './failed-option.ts'
import { Form } from './form.tsx'
import { Problem } from './problem.tsx'
import { ProviderButton } from './provider-button.tsx'
import { findRecovery } from './sign-in-links.tsx'

type SignInView = ViewOf<'signin'>

interface SignInOptionsProps {
  readonly view: SignInView
  /** For the link to the people who run the site. @defaultValue no link */
  readonly context?: PageContext | undefined
  readonly texts: Texts
}

/**
 * Every sign-in option: the buttons in one group, one form with one address, and the rest folded. What went wrong is
 * explained in the form that failed, which is then the first thing, or above all of them.
 */
export function SignInOptions({ view, context, texts }: SignInOptionsProps): ReactElement {
  const arrangement = arrangeOptions(view)
  const { buttons, form, foldedForms, isFormFirst } = arrangement
  const isExplained = form !== null && getFormState(view, form).isFailed
  const parts = [
    buttons.length > 0 && (
      <Buttons key="buttons" arrangement={arrangement} view={view} context={context} texts={texts} />
    ),
    buttons.length > 0 && form && (
      <p key="or" className="or">
        {texts.signIn.or}
      </p>
    ),
    form && (
      <div key="form" className="provider">
        <OptionFormView form={form} view={view} context={context} texts={texts} isMain={true} />
      </div>
    )
  ]
  return (
    <>
      {!isExplained && <Problem view={view} context={context} texts={texts} />}
      <div className="stack">
        {isFormFirst ? parts.toReversed() : parts}
        {foldedForms.map((folded) => (
          <Fold key={getMembers(folded)[0]?.id} label={getLabel(folded, texts)}>
            <OptionFormView form={folded} view={view} context={context} texts={texts} isMain={false} />
          </Fold>
        ))}
      </div>
    </>
  )
}

interface ButtonsProps extends SignInOptionsProps {
  readonly arrangement: Arrangement
}

/** The buttons; many of them are folded after the first ones. */
function Buttons({ arrangement: { buttons, foldedButtons }, view, texts }: ButtonsProps): ReactElement {
  const { csrfToken, callbackUrl, lastUsed } = view
  const toForm = (choice: Arrangement['buttons'][number]): ReactElement => (
    <div key={choice.id} className="provider">
      <Form action={choice.action} fields={{ csrfToken, callbackUrl }}>
        <ProviderButton choice={choice} texts={texts} isLastUsed={choice.id === lastUsed} />
      </Form>
    </div>
  )
  return (
    <>
      {buttons.map(toForm)}
      {foldedButtons.length > 0 && <Fold label={texts.signIn.more}>{foldedButtons.map(toForm)}</Fold>}
    </>
  )
}

interface FoldProps {
  /** @defaultValue `false` */
  readonly isOpen?: boolean
  readonly label: string
  readonly children: ReactNode
}

export function Fold({ label, isOpen = false, children }: FoldProps): ReactElement {
  return (
    <details className="fold" open={isOpen}>
      <summary>{label}</summary>
      <div className="stack">{children}</div>
    </details>
  )
}

/** The text that opens a form. */
function getLabel(form: OptionForm, { signIn }: Texts): string {
  const [option] = getMembers(form)
  if (!option) return signIn.more
  if (option.submit && option.type === 'email') return option.submit
  if (option.name === 'Email' && option.type === 'email')
    return option.sends === 'code' ? signIn.byCode : signIn.byEmail
  return option.name === 'Credentials' ? signIn.byCredentials : signIn.submit(option.name)
}

interface OptionFormViewProps extends SignInOptionsProps {
  readonly form: OptionForm
  readonly isMain: boolean
}

/** The form of options. */
export function OptionFormView({ form, view, context, texts, isMain }: OptionFormViewProps): ReactElement {
  const { csrfToken, callbackUrl, identifierFirst, stepUp, user } = view
  // The user knows how they signed in.
  const lastUsed = stepUp ? null : view.lastUsed
  const { isFailed, ...blame } = getFormState(view, form)
  const fields = { csrfToken, callbackUrl }
  const notice = isFailed ? <Problem view={view} context={context} texts={texts} /> : null
  const shared = { fields, texts, isMain, notice, lastUsed, identifier: getIdentifier(view, form), ...blame }
  if (form.kind === 'fields')
    return <CredentialsForm {...shared} choice={form.option} recovery={findRecovery(view, form.option.id)} />
  const { password, emails } = form
  if (identifierFirst && identifierFirst.identifier === null)
    return (
      <IdentifierForm
        {...shared}
        password={password}
        emails={emails}
        action={identifierFirst.action}
        isWrong={isFailed}
      />
    )
  const recovery = password && findRecovery(view, password.id)
  // The callback URL is in a cookie.
  const start = identifierFirst && { href: identifierFirst.action, label: texts.verifyRequest.otherAddress }
  const blamesPassword = password !== null && isAboutFields(view, password)
  const isFixed = stepUp !== null && Boolean(user?.email)
  return (
    <AddressForm
      {...shared}
      password={password}
      emails={emails}
      recovery={recovery}
      blamesPassword={blamesPassword}
      isFixed={isFixed}
      chosen={start}
    />
  )
}

/** What a form contains at first: what was typed into it, or the address of a user who has to authenticate again. */
function getIdentifier({ failedForm, identifierFirst, stepUp, user }: SignInView, form: OptionForm): string {
  const known = stepUp && asksForAddress(form) ? (user?.email ?? '') : ''
  if (known !== '' && form.kind === 'address') return known
  if (getMembers(form).some(({ id }) => id === failedForm?.providerId)) return failedForm?.identifier ?? ''
  if (form.kind === 'address' && identifierFirst?.identifier) return identifierFirst.identifier
  return known
}

function asksForAddress(form: OptionForm): boolean {
  if (form.kind === 'address') return true
  const { fields, identifier } = form.option
  return fields.some(({ name, type }) => name === identifier && type === 'email')
}
