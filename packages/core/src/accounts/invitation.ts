import type { AdapterUser } from '../adapter/adapter.ts'
import { type FoundUser, isCommitted, type Store, StoreError, type TicketStore } from '../adapter/store.ts'
import type { Ticket, TicketKey } from '../adapter/ticket.ts'
import type { UserVersion } from '../adapter/user-version.ts'
import { AccountError } from '../errors/account-error.ts'
import { ticketKinds } from '../model/ticket-kinds.ts'
import { createConflictError, maxRestarts } from '../sessions/user-versions.ts'
import { sha256 } from '../tokens/hash.ts'

const kind = ticketKinds.invitation.name

/** Options of an invitation. */
export interface InviteOptions {
  /** Seconds until the invitation expires. */
  readonly expiresIn: number
}

/** @returns The key of an invitation. It contains the email address: another address is another ticket. */
export async function invitationKey(userId: string, email: string | null | undefined): Promise<TicketKey> {
  return { kind, id: await sha256(JSON.stringify([userId, email?.toLowerCase() ?? ''])) }
}

/** @throws AccountError `UNKNOWN_USER`, `NO_EMAIL` */
async function findInvitable(userId: string, store: Store): Promise<FoundUser & { readonly email: string }> {
  const found = await store.findUser({ userId })
  if (!found) throw new AccountError('UNKNOWN_USER', 'there is no user with this id')
  const email = found.user.email?.toLowerCase()
  if (!email) throw new AccountError('NO_EMAIL', 'the user has no email address to invite')
  if ((await store.getUserByEmail(email))?.id !== userId)
    throw new AccountError('NO_EMAIL', 'sign-ins do not find the user by this address; store it in lower case')
  return { ...found, email }
}

/**
 * Allows one join by the user's current email address. A new invitation replaces the previous one.
 *
 * @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_USER`, `NO_EMAIL`; AuthError `StoreUnavailable`
 */
export async function invite(
  userId: string,
  { expiresIn }: InviteOptions,
  store: Store | null,
  now: number
): Promise<void> {
  if (!store?.tickets)
    throw new AccountError(
      'ADAPTER_INCOMPLETE',
      'expected an adapter that stores tickets (createTicket, consumeTicket, …)'
    )
  const { tickets } = store
  const expires = new Date(now + expiresIn * 1000)
  for (let restarts = 0; restarts <= maxRestarts; restarts++) {
    const { email, version } = await findInvitable(userId, store)
    const ticket = { ...(await invitationKey(userId, email)), userId, data: email, tries: 0, expires }
    if (await replaceInvitation(ticket, version, { ...store, tickets })) return
  }
  throw createConflictError(userId)
}

/** @returns `false` if the user has changed since the row was read, or another call has just invited them. */
async function replaceInvitation(
  ticket: Ticket,
  { userId, version }: UserVersion,
  { tickets, transact, versions }: Store & { readonly tickets: TicketStore }
): Promise<boolean> {
  if (!transact || !versions) {
    await tickets.delete(userId, kind)
    return tickets.create(ticket).then(
      () => true,
      (error: unknown) => {
        if (error instanceof StoreError && !error.isOutage) return false
        throw error
      }
    )
  }
  const outcome = await transact([
    { method: 'requireUserVersion', args: [userId, version] },
    { method: 'deleteTickets', args: [userId, kind] },
    { method: 'createTicket', args: [ticket] }
  ])
  return isCommitted(outcome)
}

/**
 * Returns whether a user has a valid invitation for their current email address. @throws AuthError `StoreUnavailable`
 */
export async function isInvited({ id, email }: AdapterUser, tickets: TicketStore, now: number): Promise<boolean> {
  const ticket = await tickets.read(await invitationKey(id, email))
  return (
    ticket !== null &&
    ticket.userId === id &&
    ticket.expires.getTime() > now &&
    email !== null &&
    ticket.data === email.toLowerCase()
  )
}
