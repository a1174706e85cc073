import { placeholder } from './placeholders.ts'
import type { View, ViewOf } from './view.ts'

/** A view with placeholders for the values of a request, and those values. */
export interface ExtractedView {
  readonly view: View
  readonly values: readonly string[]
}

/** Extracts values, in order. */
class ValueExtractor {
  readonly values: string[] = []

  extract(value: string): string {
    return placeholder(this.values.push(value) - 1)
  }

  /** A missing value changes the page, so `null` stays. */
  extractNullable(value: string | null): string | null {
    return value === null ? null : this.extract(value)
  }
}

/** Separates the constant part of a page from the values of a request. */
export function extractValues(view: View): ExtractedView {
  const puncher = new ValueExtractor()
  return { view: extractFrom(view, puncher), values: puncher.values }
}

function extractFrom(view: View, puncher: ValueExtractor): View {
  switch (view.name) {
    case 'signin':
      return signIn(view, puncher)
    case 'signout':
      return { ...view, ...form(view, puncher), action: puncher.extract(view.action) }
    case 'verify-request':
      return verifyRequest(view, puncher)
    case 'confirm':
      return confirm(view, puncher)
    case 'error': {
      const [signInUrl, wait] = [puncher.extract(view.signInUrl), puncher.extractNullable(view.wait)]
      return { ...view, signInUrl, wait, ref: puncher.extractNullable(view.ref) }
    }
    case 'start-again':
      return { ...view, ...restart(view, puncher) }
    case 'other-user': {
      return { ...view, ...restart(view, puncher), user: person(view.user, puncher) }
    }
    case 'confirm-link':
      return confirmLink(view, puncher)
    case 'used-link':
      return { ...view, user: person(view.user, puncher), callbackUrl: puncher.extract(view.callbackUrl) }
    case 'welcome':
      return { ...view, user: puncher.extractNullable(view.user), callbackUrl: puncher.extract(view.callbackUrl) }
  }
}

function signIn(view: ViewOf<'signin'>, puncher: ValueExtractor): ViewOf<'signin'> {
  const { failedForm, identifierFirst, ref, stepUp, user, wait } = view
  // An empty identifier changes the page.
  const identifier = puncher.extractNullable(failedForm?.identifier || null) ?? ''
  return {
    ...view,
    ...form(view, puncher),
    failedForm: failedForm && { ...failedForm, identifier },
    identifierFirst: identifierFirst && {
      ...identifierFirst,
      identifier: puncher.extractNullable(identifierFirst.identifier)
    },
    stepUp: stepUp && {
      ...stepUp,
      mail: stepUp.mail && { ...stepUp.mail, address: puncher.extract(stepUp.mail.address) },
      backUrl: puncher.extract(stepUp.backUrl)
    },
    user: user && person(user, puncher),
    wait: puncher.extractNullable(wait),
    ref: puncher.extractNullable(ref)
  }
}

interface FormValues {
  readonly csrfToken: string
  readonly callbackUrl: string
}

function form({ csrfToken, callbackUrl }: FormValues, puncher: ValueExtractor): FormValues {
  return { csrfToken: puncher.extract(csrfToken), callbackUrl: puncher.extract(callbackUrl) }
}

type Restart = Pick<ViewOf<'start-again'>, 'provider' | 'action' | 'csrfToken' | 'callbackUrl' | 'ref'>

function restart(view: Restart, puncher: ValueExtractor): Restart {
  const [provider, action] = [puncher.extract(view.provider), puncher.extract(view.action)]
  return { ...form(view, puncher), provider, action, ref: puncher.extractNullable(view.ref) }
}

function verifyRequest(view: ViewOf<'verify-request'>, puncher: ValueExtractor): ViewOf<'verify-request'> {
  const { identifier, code, resend, ref } = view
  const submit = <T extends { readonly action: string; readonly csrfToken: string }>(form: T): T => ({
    ...form,
    action: puncher.extract(form.action),
    csrfToken: puncher.extract(form.csrfToken)
  })
  return {
    ...view,
    identifier: puncher.extractNullable(identifier),
    code: code && submit(code),
    resend: resend && { ...submit(resend), address: puncher.extract(resend.address) },
    ref: puncher.extractNullable(ref)
  }
}

type Person = ViewOf<'confirm-link'>['user']

function person({ name, email }: Person, puncher: ValueExtractor): Person {
  return { name: puncher.extractNullable(name), email: puncher.extractNullable(email) }
}

function confirmLink(view: ViewOf<'confirm-link'>, puncher: ValueExtractor): ViewOf<'confirm-link'> {
  const { provider, action, user, account, link } = view
  return {
    ...view,
    ...form(view, puncher),
    provider: puncher.extract(provider),
    action: puncher.extract(action),
    user: person(user, puncher),
    account: account && person(account, puncher),
    link: puncher.extract(link)
  }
}

function confirm(view: ViewOf<'confirm'>, puncher: ValueExtractor): ViewOf<'confirm'> {
  const fields = Object.entries(view.fields).map(([name, value]) => [name, puncher.extract(value)] as const)
  const [identifier, action] = [puncher.extract(view.identifier), puncher.extract(view.action)]
  return { ...view, identifier, action, fields: Object.fromEntries(fields) }
}
