import type { SignInOption } from '@postern/core'
import type { ViewOf } from '../view.ts'

type SignInView = ViewOf<'signin'>

/** The codes of an error that is about the fields of a form, by the type of the form. */
const fieldCodes: { readonly [T in SignInOption['type']]: SignInView['error'] } = {
  oauth: null,
  email: 'EmailSignin',
  credentials: 'CredentialsSignin'
}

/** Whether the error of the page is about the fields of such a form. A captcha is no field: what was typed may be right. */
export function isAboutFields(
  { error, reason }: Pick<SignInView, 'error' | 'reason'>,
  { type }: Pick<SignInOption, 'type'>
): boolean {
  return error !== null && reason !== 'captcha' && error === fieldCodes[type]
}

/** @returns The option whose form failed; `null` if none did, or if several may have and it is unknown which one. */
export function findFailedOption({ choices, error, failedForm }: SignInView): SignInOption | null {
  if (error === null) return null
  const known = choices.find(({ id }) => id === failedForm?.providerId)
  if (known) return known
  const [first = null, ...others] = choices.filter(({ type }) => error === fieldCodes[type])
  return others.length === 0 ? first : null
}
