import type { FeatureRequest, PlanChange } from '@postern/core/feature'

/** Changes access for a session, or without one. */
export type ChangeAccess<Refusal extends string> = (
  plan: PlanChange<Refusal>
) => Promise<'changed' | 'conflict' | Refusal>

/** For a session, in which other changes of the user do not prevent it. */
export const changeInSession =
  <Refusal extends string>(request: FeatureRequest): ChangeAccess<Refusal> =>
  (plan) =>
    request.changeAccess(plan, { isLimited: false })
