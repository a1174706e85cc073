import type { AdapterUser } from '../adapter/adapter.ts'
import type { AdmitRules } from './admit.ts'

/**
 * Notes that a visitor has just opened a link sent to this user's address.
 *
 * Whoever made the user before may not have been the owner of the address: what was attached to it unproven ends
 * before the address counts as proven, so that nobody keeps a way in that the owner does not know of.
 *
 * @see "Pre-hijacked accounts", arXiv 2205.10174
 */
export async function proveAddress(user: AdapterUser, rules: AdmitRules): Promise<AdapterUser> {
  const { store, tell, now, unproven } = rules
  if (!user.emailVerified && unproven === 'unlink') await endUnproven(user, rules)
  const proven = await store.updateUser({ id: user.id, emailVerified: new Date(now()) })
  await tell('updateUser', { user: proven })
  return proven
}

async function endUnproven({ id }: AdapterUser, { store, verifiesEmail, endTokens }: AdmitRules): Promise<void> {
  await store.deleteSessions?.(id)
  await endTokens?.(id)
  const accounts = (await store.getAccounts?.(id)) ?? []
  for (const { provider, providerAccountId } of accounts) {
    if (!verifiesEmail(provider)) await store.unlinkAccount?.({ provider, providerAccountId })
  }
}
