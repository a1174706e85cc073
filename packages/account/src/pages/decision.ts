import type { PlainScreen } from '@postern/core/feature'
import { hiddenFields, toForm, toLinks } from '../plain-screen.ts'

/** What the owner of an address decides on the page of a mailed link. */
export type Decision = 'confirm' | 'cancel'

/** The values of a page on which the owner of an address decides. */
export interface DecisionProps {
  /** Of the form with `token` and `decision`: `confirm` or `cancel`. */
  readonly action: string
  readonly token: string
  /** Whether the page without a renderer has the form that cancels. */
  readonly isCancellation: boolean
}

/** The page without a renderer: it has one form, and a link to the page with the other one. */
export function toPlainDecision(
  { action, token, isCancellation }: DecisionProps,
  labels: Readonly<Record<Decision, string>>
): Pick<PlainScreen, 'form' | 'links'> {
  const decision = isCancellation ? 'cancel' : 'confirm'
  const cancelUrl = `${action}?${new URLSearchParams({ token, decision: 'cancel' })}`
  return {
    links: toLinks([labels.cancel, isCancellation ? null : cancelUrl]),
    ...toForm(action, labels[decision], hiddenFields({ token, decision }))
  }
}
