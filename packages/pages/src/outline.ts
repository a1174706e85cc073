import { hole } from './placeholders.ts'
import type { View, ViewOf } from './view.ts'

/** A view with holes in place of what differs from visitor to visitor, and what goes into them. */
export interface Outline {
  readonly view: View
  readonly values: readonly string[]
}

/** Takes values out, in order. */
class Puncher {
  readonly values: string[] = []

  punch(value: string): string {
    return hole(this.values.push(value) - 1)
  }

  /** What is not there changes the page, so `null` stays. */
  maybe(value: string | null): string | null {
    return value === null ? null : this.punch(value)
  }
}

/** Separates what a page says to everybody from what it says to one visitor. */
export function outlineOf(view: View): Outline {
  const puncher = new Puncher()
  return { view: punched(view, puncher), values: puncher.values }
}

function punched(view: View, puncher: Puncher): View {
  switch (view.name) {
    case 'signin':
      return { ...view, ...form(view, puncher), ref: puncher.maybe(view.ref) }
    case 'signout':
      return { ...view, ...form(view, puncher), action: puncher.punch(view.action) }
    case 'verify-request':
      return verifyRequest(view, puncher)
    case 'confirm':
      return confirm(view, puncher)
    case 'error': {
      const [signInUrl, wait] = [puncher.punch(view.signInUrl), puncher.maybe(view.wait)]
      return { ...view, signInUrl, wait, ref: puncher.maybe(view.ref) }
    }
    case 'start-again':
      return { ...view, ...restart(view, puncher) }
    case 'other-user': {
      const user = { name: puncher.maybe(view.user.name), email: puncher.maybe(view.user.email) }
      return { ...view, ...restart(view, puncher), user }
    }
    case 'welcome':
      return { ...view, user: puncher.maybe(view.user), callbackUrl: puncher.punch(view.callbackUrl) }
  }
}

interface FormValues {
  readonly csrfToken: string
  readonly callbackUrl: string
}

function form({ csrfToken, callbackUrl }: FormValues, puncher: Puncher): FormValues {
  return { csrfToken: puncher.punch(csrfToken), callbackUrl: puncher.punch(callbackUrl) }
}

type Restart = Pick<ViewOf<'start-again'>, 'provider' | 'action' | 'csrfToken' | 'callbackUrl' | 'ref'>

function restart(view: Restart, puncher: Puncher): Restart {
  const [provider, action] = [puncher.punch(view.provider), puncher.punch(view.action)]
  return { ...form(view, puncher), provider, action, ref: puncher.maybe(view.ref) }
}

function verifyRequest(view: ViewOf<'verify-request'>, puncher: Puncher): ViewOf<'verify-request'> {
  const { identifier, code, ref } = view
  return {
    ...view,
    identifier: puncher.maybe(identifier),
    code: code && { ...code, action: puncher.punch(code.action), csrfToken: puncher.punch(code.csrfToken) },
    ref: puncher.maybe(ref)
  }
}

function confirm(view: ViewOf<'confirm'>, puncher: Puncher): ViewOf<'confirm'> {
  const fields = Object.entries(view.fields).map(([name, value]) => [name, puncher.punch(value)] as const)
  const [identifier, action] = [puncher.punch(view.identifier), puncher.punch(view.action)]
  return { ...view, identifier, action, fields: Object.fromEntries(fields) }
}
