import type { SignInOption, StepUpForms } from '@postern/core'
import type { ViewOf } from '../view.ts'
import { getFormState, getForms, getMembers, isOf, type OptionForm } from './arrange-options.ts'

type SignInView = ViewOf<'signin'>

/** One way in which the user authenticates again: a button, a form, or a code by email. */
export type StepUpWay =
  | { readonly kind: 'button'; readonly option: Extract<SignInOption, { readonly type: 'oauth' }> }
  | { readonly kind: 'form'; readonly form: OptionForm }
  | { readonly kind: 'mail'; readonly mail: NonNullable<StepUpForms['mail']> }

/** The ways as the screen shows them: one at first, and the rest folded. */
export interface StepUpArrangement {
  /** `null` if there is no way. */
  readonly main: StepUpWay | null
  readonly others: readonly StepUpWay[]
}

/** The strongest way first: a passkey, an account at a provider, what the user knows, and a code by email. */
function getWays({ choices, stepUp }: SignInView): readonly StepUpWay[] {
  const buttons = choices.filter(isOf('oauth'))
  const isPasskey = ({ symbol }: (typeof buttons)[number]): boolean => symbol === 'passkey'
  const sorted = [...buttons.filter(isPasskey), ...buttons.filter((option) => !isPasskey(option))]
  return [
    ...sorted.map((option): StepUpWay => ({ kind: 'button', option })),
    ...getForms(choices).map((form): StepUpWay => ({ kind: 'form', form })),
    ...(stepUp?.mail ? [{ kind: 'mail', mail: stepUp.mail } as const] : [])
  ]
}

/** @returns The ids of the options of a way. */
function getIds(way: StepUpWay): readonly string[] {
  if (way.kind === 'button') return [way.option.id]
  return way.kind === 'form' ? getMembers(way.form).map(({ id }) => id) : []
}

/** Arranges the ways: the one that failed, or that was used last, or the strongest one first. */
export function arrangeStepUp(view: SignInView): StepUpArrangement {
  const ways = getWays(view)
  const failed = ways.find((way) => way.kind === 'form' && getFormState(view, way.form).isFailed)
  const last = ways.find((way) => view.lastUsed !== null && getIds(way).includes(view.lastUsed))
  const main = failed ?? last ?? ways[0] ?? null
  return { main, others: ways.filter((way) => way !== main) }
}
