import type { Store } from '../adapter/store.ts'
import type { UserVersion } from '../adapter/user-version.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import type { User } from '../model/user.ts'
import type { Principal } from '../sessions/strategy.ts'
import type { AccountRules } from './account-rules.ts'
import type { Unproven } from './reclaim.ts'
import type { SignInTransaction } from './sign-in-transaction.ts'

/** What a plan knows of the user. */
interface Planned {
  /** The stored user, or the one that the application named. */
  readonly user: User
  /** The row of the user as it was read; `null` if the adapter stores none. */
  readonly row: UserVersion | null
}

/** The user of a sign-in and what it does, before anything is written. */
export type SignInPlan =
  /** @property writesTokens - Whether the account of the user gets the tokens of the sign-in. */
  | (Planned & { readonly kind: 'known'; readonly writesTokens: boolean; readonly verifiesAddress: boolean })
  /** @property principal - The signed-in user. @property mustConfirm - Whether they must confirm the link first. */
  | (Planned & { readonly kind: 'linked'; readonly principal: Principal; readonly mustConfirm: boolean })
  /** @property isInvited - Whether an invitation allows it. */
  | (Planned & { readonly kind: 'joined' | 'reclaimed'; readonly isInvited: boolean })
  /** @property row - That of the id that the application named, which a deleted user may have had. */
  | { readonly kind: 'created'; readonly user: null; readonly row: UserVersion | null }

/** How a plan is written. */
export interface PlanWriting {
  /** How the sign-in method finds the user. */
  readonly policy: AccountPolicy
  readonly transaction: SignInTransaction
  /** The store of the transaction. */
  readonly store: Store
  readonly rules: AccountRules
  /** What a reclaim removes. */
  readonly unproven: Unproven
  /** Whether another change came first, and everything was read again. */
  readonly isRestarted: boolean
}
