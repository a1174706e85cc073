import type { EventPayloads } from '../hooks/events.ts'
import type { FeatureHooks } from '../hooks/feature-hooks.ts'
import type { Provider } from '../model/provider.ts'

/** The rules of the application about accounts. */
export interface AccountRules {
  readonly providers: ReadonlyMap<string, Provider>
  /** What happens if a signed-in user returns from a provider with an account that no user has. */
  readonly signedIn: 'confirm' | 'link'
  /** Whether a sign-in with an unverified address must not show whether a user has it. */
  readonly concealUsers: boolean
  /** Seconds since sign-in in which an account can be linked to the signed-in user; `null` for any time. */
  readonly linkFreshWithin: number | null
  readonly isDatabaseSession: boolean
  /** Whether users may sign in who are not in the store: those of a form, with JWT sessions. */
  readonly hasUnstoredUsers: boolean
  /** What features have to say about a user. */
  readonly features: FeatureHooks
  /** Whether callbacks of the application run within a sign-in: they may take long, and change the user. */
  readonly hasCallbacks: boolean
  /** The adapter methods that are missing to remove all accounts and sessions of a user. */
  readonly missingToReclaim: readonly string[]
  /** Calls the application's `reclaimUser` listener and rejects if it fails; `null` if there is none. */
  readonly reclaimUser: ((reclaim: EventPayloads['reclaimUser']) => Promise<unknown>) | null
  /** Milliseconds since 1970. */
  readonly now: () => number
}
