import type { AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { userByAddress } from '../adapter/user-by-email.ts'
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
 * Looks up what there is to know about a proven identity, and writes nothing.
 *
 * @param owner - Whose it was when that was looked up.
 * @throws AuthError `StoreUnavailable`
 */
export async function survey(
  { account, user, emailVerified }: Identity,
  owner: AdapterUser | null,
  signedIn: SignedIn | null,
  { store, mayLinkByEmail }: SurveyRules
): Promise<Known> {
  const said = { isEmailVerified: emailVerified, mayLinkByEmail }
  // A link signs in whoever has the mailbox; who else is signed in here says nothing about that.
  if (account.type === 'email') return { current: null, owner: null, namesake: owner, isUnclaimed: false, ...said }
  const current = signedIn && (await store.getUser(signedIn.userId))
  const namesake = owner || current ? null : await userByAddress(user.email, store)
  // Another first sign-in may have been written between the two looks: then the account is the namesake's by now.
  const ownerNow = owner ?? (namesake && (await store.getUserByAccount(account)))
  const accounts = namesake && !ownerNow && store.getAccounts ? await store.getAccounts(namesake.id) : null
  return { current, owner: ownerNow, namesake, isUnclaimed: accounts?.length === 0, ...said }
}
