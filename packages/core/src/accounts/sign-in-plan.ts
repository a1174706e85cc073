import type { User } from '../model/user.ts'
import type { Principal } from '../sessions/strategy.ts'
import type { ResolvedUser } from './resolved-user.ts'

/** The user of a sign-in, before anything is written for them. */
export interface SignInPlan {
  /** The stored user, or the one that the application named; `null` for a new user. */
  readonly user: User | null
  /** The signed-in user who must confirm the link of the account first; `null` if nobody must. */
  readonly linksTo: Principal | null
  /** Whether the session of the browser allows the account to be linked to its user. @defaultValue `false` */
  readonly isSessionLink?: boolean
  /** Whether an account was found that is linked to the user. @defaultValue `false` */
  readonly hasAccount?: boolean
  /** Whether the owner of the address takes over the user. @defaultValue `false` */
  readonly isClaim?: boolean
  /** Signs in, links or creates the user. */
  readonly apply: () => Promise<ResolvedUser>
}
