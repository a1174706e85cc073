import type { FeatureContext, FeatureRequest, FeatureWrite, Ticket, TicketKey } from '@postern/core/feature'
import { type TimedKind, ticketKinds } from '../ticket-kinds.ts'

/** The codes that are typed for one ticket. */
const maxTries = 5

/** @returns 32 random bytes, for a link. */
export function createToken({ randomBytes }: FeatureContext): string {
  return Buffer.from(randomBytes(32)).toString('base64url')
}

/**
 * Counts a code that was typed for a ticket, and compares it.
 *
 * @returns `'spent'` after too many codes, and `'gone'` if the ticket has ended.
 */
export async function checkTypedCode(
  ticket: TicketKey,
  isRight: () => Promise<boolean>,
  { tickets }: FeatureContext
): Promise<'right' | 'wrong' | 'spent' | 'gone'> {
  const tries = await tickets.countTry(ticket)
  if (tries === null) return 'gone'
  if (tries > maxTries) return 'spent'
  return (await isRight()) ? 'right' : 'wrong'
}

const bindToken = (token: string, { applicationId }: FeatureContext): string => `${token} ${applicationId}`

/** The id of the ticket: only a hash of the token is stored, which binds the link to the application and to its secret. */
export function getTicketId(kind: TimedKind, token: string, context: FeatureContext): Promise<string> {
  return context.key(kind.name).hash(bindToken(token, context))
}

/** @returns The ticket of a token; `null` if it was used or has expired, or if the token is unknown. */
export async function readTicket(kind: TimedKind, token: string, context: FeatureContext): Promise<Ticket | null> {
  if (!/^[\w-]{43}$/.test(token)) return null
  for (const id of await context.key(kind.name).hashes(bindToken(token, context))) {
    const ticket = await context.tickets.read({ kind: kind.name, id })
    if (ticket) return ticket
  }
  return null
}

const usedLinkKey = (id: string): TicketKey => ({ kind: ticketKinds.usedLink.name, id })

/**
 * Create it in the transaction that consumes the ticket of a link. What ends a link otherwise creates none.
 *
 * @param userId - The user with whom it is deleted. @defaultValue none
 */
export const toUsedLink = ({
  id,
  expires,
  userId = null
}: Pick<Ticket, 'id' | 'expires'> & Partial<Pick<Ticket, 'userId'>>): Ticket => ({
  ...usedLinkKey(id),
  userId,
  data: '',
  tries: 0,
  expires
})

export const markUsed = (ticket: Pick<Ticket, 'id' | 'expires'>): FeatureWrite => ({
  method: 'createTicket',
  args: [toUsedLink(ticket)]
})

/** @param ids - What the link may be stored under. */
export async function isUsed(ids: readonly string[], { tickets }: FeatureContext): Promise<boolean> {
  return (await tickets.readAll(ids.map(usedLinkKey))).some((ticket) => ticket !== null)
}

/** Whether the link of a token has done what it is for. */
export async function wasUsed(kind: TimedKind, token: string, context: FeatureContext): Promise<boolean> {
  return /^[\w-]{43}$/.test(token) && isUsed(await context.key(kind.name).hashes(bindToken(token, context)), context)
}

/** A mail to send, with the ticket of its token. */
export interface TicketMail {
  readonly ticket: Pick<Ticket, 'id' | 'userId' | 'data'> & { readonly kind: TimedKind }
  readonly to: string
  readonly mail: string
  readonly values: Readonly<Record<string, string>>
}

const create = (ticket: Ticket, { tickets }: FeatureContext): Promise<void> => tickets.create(ticket)

/** @param write - Stores it. @defaultValue creates it: its id is random */
export async function storeTicket(
  ticket: TicketMail['ticket'],
  context: FeatureContext,
  write: typeof create = create
): Promise<void> {
  const { name: kind, lifetime } = ticket.kind
  await write({ ...ticket, kind, tries: 0, expires: new Date(context.now() + lifetime * 1000) }, context)
}

/** Stores the ticket and sends the mail. A mail that could not be sent leaves no ticket. */
export async function sendTicket(
  { ticket, to, mail, values }: TicketMail,
  request: FeatureRequest,
  context: FeatureContext,
  write: typeof create = create
): Promise<void> {
  await storeTicket(ticket, context, write)
  try {
    await context.sendMail(to, mail, values, { request })
  } catch (error) {
    await context.tickets.consume({ kind: ticket.kind.name, id: ticket.id })
    throw error
  }
}
