import type { SignInOption } from '@postern/core'
import type { ViewOf } from '../view.ts'

type SignInView = ViewOf<'signin'>

/** The codes of an error that is about the fields of a form, by the type of the form. */
const fieldCodes: { readonly [T in SignInOption['type']]: SignInView['error'] } = {
  oauth: null,
  email: 'EmailSignin',
  credentials: 'CredentialsSignin'
}

/** Whether the error of the page is about the fields of such a form. */
export function isAboutFields({ error }: Pick<SignInView, 'error'>, { type }: Pick<SignInOption, 'type'>): boolean {
  return error !== null && error === fieldCodes[type]
}

/** @returns The option whose form failed; `null` if none did, or if several may have and it is unknown which one. */
export function findFailedOption({ choices, error, failedForm }: SignInView): SignInOption | null {
  if (error === null) return null
  const known = choices.find(({ id }) => id === failedForm?.providerId)
  if (known) return known
  const [first = null, ...others] = choices.filter((choice) => isAboutFields({ error }, choice))
  return others.length === 0 ? first : null
}
