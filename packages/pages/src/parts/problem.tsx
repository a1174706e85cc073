import type { ReactElement } from 'react'
import type { Texts } from '../texts/texts.ts'
import type { ViewOf } from '../view.ts'
import { Notice } from './notice.tsx'

type SignInView = ViewOf<'signin'>

/** Codes that are not errors: the user canceled, has yet to sign in, or has signed out. */
const calm: readonly (SignInView['error'] | SignInView['reason'])[] = ['SessionRequired', 'cancelled', 'signed-out']

interface ProblemProps {
  readonly view: SignInView
  readonly texts: Texts
}

/** Explains why the user has to sign in again, if there is a reason. */
export function Problem({ view: { error, explanation, reason }, texts }: ProblemProps): ReactElement | null {
  if (error === null) return null
  const general = reason === null ? texts.problems[error] : texts.reasons[reason]
  return <Notice explanation={explanation ?? general} tone={calm.includes(reason ?? error) ? 'calm' : 'problem'} />
}
