import { approvalKey } from '../adapter/account-approval.ts'
import type { AccountKey, AdapterCall, AdapterUser } from '../adapter/adapter.ts'
import { type Store, StoreError } from '../adapter/store.ts'
import type { Ticket } from '../adapter/ticket.ts'
import type { Identity } from '../model/identity.ts'

/** Copies the approval of an account to the id that it gets. */
async function moveApproval(from: AccountKey, to: AccountKey, { tickets }: Store): Promise<Ticket | null> {
  const approval = (await tickets?.read(await approvalKey(from))) ?? null
  return approval && { ...approval, ...(await approvalKey(to)) }
}

/** Makes the calls in one transaction if the store has them. @throws StoreError */
async function run(calls: readonly AdapterCall[], store: Store, otherwise: () => Promise<void>): Promise<void> {
  if (!store.transact) return otherwise()
  const outcome = await store.transact(calls)
  if (outcome.kind === 'unknown') throw outcome.reason
  // Another request of this user may have renamed the account since: the caller reads it again.
}

/**
 * Renames an account that an earlier version has stored under another id, because that id can pass to another person. The
 * account gets the tokens of this sign-in. Does not wait for the sign-in: the provider has proven both ids.
 *
 * @returns The owner of the account, or `null` if nobody has it under either id.
 * @throws AuthError `StoreUnavailable`, also if the adapter cannot remove an account.
 */
export async function renameFormerAccount(
  { account: { provider, providerAccountId }, row, formerAccountId }: Identity,
  store: Store
): Promise<AdapterUser | null> {
  if (!formerAccountId || formerAccountId === providerAccountId) return null
  const former = { provider, providerAccountId: formerAccountId }
  const owner = await store.getUserByAccount(former)
  if (!owner) return null
  const { unlinkAccount } = store
  if (!unlinkAccount)
    throw new StoreError('unlinkAccount', 'expected the adapter to have it: an account has to be renamed')
  const renamed = { ...row, userId: owner.id }
  const approval = await moveApproval(former, row, store)
  const calls: readonly AdapterCall[] = [
    { method: 'unlinkAccount', args: [former] },
    { method: 'linkAccount', args: [renamed] },
    ...(approval ? [{ method: 'createTicket' as const, args: [approval] as const }] : [])
  ]
  await run(calls, store, async () => {
    if (approval) await store.tickets?.create(approval)
    // A second account is better than none if this process ends in between.
    await store.linkAccount(renamed).catch(async (error: unknown) => {
      if (!(await store.getUserByAccount(row))) throw error
    })
    await unlinkAccount(former)
  })
  return store.getUserByAccount(row)
}
