import type { AdapterUser } from '../adapter/adapter.ts'
import type { Store, TicketStore } from '../adapter/store.ts'
import type { TicketKey } from '../adapter/ticket.ts'
import { sha256 } from '../tokens/hash.ts'
import { AccountError } from './account-error.ts'

/** An invitation: the next person who proves the user's address joins the user. */
export const invitationKind = 'invitation'
const kind = invitationKind

/** Options of an invitation. */
export interface InviteOptions {
  /** Seconds until the invitation expires. */
  readonly expiresIn: number
}

/** @returns The key of an invitation. It contains the email address: another address is another ticket. */
export async function invitationKey(userId: string, email: string | null | undefined): Promise<TicketKey> {
  return { kind, id: await sha256(JSON.stringify([userId, email?.toLowerCase() ?? ''])) }
}

/**
 * Allows one join by the user's current email address. A new invitation replaces the previous one.
 *
 * @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_USER`, `NO_EMAIL`
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
  const user = await store.getUser(userId)
  if (!user) throw new AccountError('UNKNOWN_USER', 'there is no user with this id')
  const email = user.email?.toLowerCase()
  if (!email) throw new AccountError('NO_EMAIL', 'the user has no email address to invite')
  if ((await store.getUserByEmail(email))?.id !== userId)
    throw new AccountError('NO_EMAIL', 'sign-ins do not find the user by this address; store it in lower case')
  const { tickets } = store
  const expires = new Date(now + expiresIn * 1000)
  const key = await invitationKey(userId, email)
  const replace = async (): Promise<void> => {
    await tickets.delete(userId, kind)
    await tickets.create({ ...key, userId, data: email, tries: 0, expires })
  }
  await replace().catch(async (error: unknown) => {
    // A concurrent call may have created one.
    if (!(await tickets.read(key))) throw error
    await replace()
  })
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
