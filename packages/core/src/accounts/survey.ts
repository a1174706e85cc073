import type { Store } from '../adapter/store.ts'
import type { Identity } from '../model/identity.ts'
import type { SignedIn } from '../sessions/strategy.ts'
import type { Known } from './decide.ts'

/** What is needed to look. */
export interface SurveyRules {
  readonly store: Store
  /** Whether this provider's addresses may join two accounts. */
  readonly mayLinkByEmail: boolean
}

/**
 * Looks up what is known about a proven identity, and writes nothing.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function survey(
  { account, user, emailVerified }: Identity,
  signedIn: SignedIn | null,
  { store, mayLinkByEmail }: SurveyRules
): Promise<Known> {
  const current = signedIn && (await store.getUser(signedIn.userId))
  const isByMail = account.type === 'email'
  const known = isByMail ? null : await store.getUserByAccount(account)
  const isNamesakeAsked = user.email && (isByMail || (!known && !current))
  const found = isNamesakeAsked && user.email ? await store.getUserByEmail(user.email) : null
  // A store that compares addresses loosely must not decide who somebody is.
  const namesake = found?.email?.toLowerCase() === user.email ? found : null
  // Another first sign-in may have been written between the two looks: then the account is the namesake's by now.
  const owner = known ?? (namesake && !isByMail ? await store.getUserByAccount(account) : null)
  const accounts = namesake && !owner && !isByMail && store.getAccounts ? await store.getAccounts(namesake.id) : null
  return {
    current,
    owner,
    namesake,
    isUnclaimed: accounts?.length === 0,
    isEmailVerified: emailVerified,
    mayLinkByEmail
  }
}
