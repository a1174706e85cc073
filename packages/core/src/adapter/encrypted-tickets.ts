import type { KeyRing } from '../tokens/keys.ts'
import { createStoredCipher } from '../tokens/stored-cipher.ts'
import type { AdapterCall } from './adapter.ts'
import { endedSessionsKind } from './ended-sessions.ts'
import type { RewriteRow } from './rewrite-row.ts'
import { approvalKind, claimEpochKinds, claimKinds, pendingClaimKind, revocationKinds } from './sign-in-markers.ts'
import type { Store, TicketStore } from './store.ts'
import { suspensionKind } from './suspension-marker.ts'
import { keptSessionKind, type Ticket } from './ticket.ts'
import { isLinkMarkerKind } from './unsettled-link.ts'

/** Whether tickets of a kind are stored as they are: they contain no secret, and must outlive every secret. */
export const isPlainTicket = (kind: string): boolean =>
  kind === suspensionKind ||
  kind === endedSessionsKind ||
  kind === keptSessionKind ||
  kind === approvalKind ||
  [...claimKinds, ...revocationKinds, ...claimEpochKinds].some((one) => one === kind) ||
  isLinkMarkerKind(kind)

/**
 * Encrypts the data of tickets before it reaches the adapter. What an earlier secret has encrypted is encrypted with the
 * first one when it is read.
 *
 * A ticket whose data cannot be decrypted, because its secret was removed, counts as missing; that of a claim which
 * is not complete has empty data. Suspensions, markers of claims, ends of sessions and links, approvals of accounts, counts of
 * ended sessions, and reservations of sessions that end the others are not encrypted.
 *
 * @param rewrite - `null` if the adapter cannot replace data.
 */
export function withEncryptedTickets(store: Store, keys: KeyRing, rewrite: RewriteRow | null = null): Store {
  const { tickets, transact } = store
  if (!tickets) return store
  const cipher = createStoredCipher(keys)
  const encrypt = async (ticket: Ticket): Promise<Ticket> =>
    isPlainTicket(ticket.kind) ? ticket : { ...ticket, data: await cipher.encrypt(ticket.data) }
  const decrypt = async (ticket: Ticket | null): Promise<Ticket | null> => {
    if (ticket && isPlainTicket(ticket.kind)) return ticket
    const data = ticket && (await cipher.decrypt(ticket.data))
    if (ticket === null || (data === null && ticket.kind !== pendingClaimKind)) return null
    return { ...ticket, data: data ?? '' }
  }
  const rewriteOld = async (stored: Ticket | null, read: Ticket | null): Promise<Ticket | null> => {
    if (!rewrite || !stored || !read || isPlainTicket(stored.kind)) return read
    const { kind: group, id, data } = stored
    if ((await cipher.findKey(data)) === 'other')
      rewrite('ticket', { group, id, texts: { data } }, async () => ({ data: await cipher.encrypt(read.data) }))
    return read
  }
  const readStored = async (stored: Ticket | null): Promise<Ticket | null> => rewriteOld(stored, await decrypt(stored))
  const encryptCall = async (call: AdapterCall): Promise<AdapterCall> =>
    call.method === 'createTicket' ? { ...call, args: [await encrypt(call.args[0])] } : call
  const encrypted: TicketStore = {
    ...tickets,
    create: async (ticket) => tickets.create(await encrypt(ticket)),
    read: async (key) => readStored(await tickets.read(key)),
    readAll: async (keys) => Promise.all((await tickets.readAll(keys)).map(readStored)),
    consume: async (key) => decrypt(await tickets.consume(key))
  }
  return {
    ...store,
    tickets: encrypted,
    transact: transact && (async (calls) => transact(await Promise.all(calls.map(encryptCall))))
  }
}
