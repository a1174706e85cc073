import type { PageContext } from '@postern/core'
import type { ReactElement } from 'react'
import { safeContactLink } from '../safe-link.ts'
import type { Explanation, Texts } from '../texts/texts.ts'
import type { ViewOf } from '../view.ts'
import { findFailedOption } from './failed-option.ts'
import { Notice } from './notice.tsx'
import { findRecovery } from './sign-in-links.tsx'

type SignInView = ViewOf<'signin'>

/** What is not an error: the user canceled, has yet to sign in, or has no session any more. */
const calm: readonly (SignInView['error'] | SignInView['reason'])[] = [
  ...(['SessionRequired', 'cancelled', 'signed-out', 'session-expired'] as const)
]

/** Whether the page shows an error. */
export function isProblem({ error, reason }: Pick<SignInView, 'error' | 'reason'>): boolean {
  return error !== null && !calm.includes(reason ?? error)
}

interface ProblemProps {
  readonly view: SignInView
  /** For the link to the people who run the site. @defaultValue no link */
  readonly context?: PageContext | undefined
  readonly texts: Texts
}

function explain({ error, reason, wait }: SignInView, texts: Texts): Explanation | null {
  if (reason === 'session-expired') return texts.reasons[reason]
  if (error === null) return null
  if (error === 'RateLimited') {
    const { text, next } = texts.signIn.limited
    return { text, next: `${wait === null ? texts.errors.RateLimited.next : texts.wait(wait)} ${next}` }
  }
  return reason === null ? texts.problems[error] : texts.reasons[reason]
}

/** Explains why the user has to sign in again, if there is a reason. */
export function Problem({ view, context, texts }: ProblemProps): ReactElement | null {
  const tone = isProblem(view) ? 'problem' : 'calm'
  const failed = view.error === 'CredentialsSignin' ? findFailedOption(view) : null
  const recovery = failed && findRecovery(view, failed.id)
  const { wrongPassword } = view.stepUp && view.user?.email ? texts.stepUp : texts.signIn
  const general = recovery ? wrongPassword : explain(view, texts)
  const explanation = view.explanation ?? general
  // Only the people who run the site can help.
  const contact = view.reason === 'misconfigured' && context ? safeContactLink(context.theme.links.support) : null
  const link = contact === null ? recovery : { href: contact, label: texts.support }
  return explanation && <Notice explanation={explanation} tone={tone} link={link} />
}
