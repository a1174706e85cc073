import type { KeyRing } from '../tokens/keys.ts'
import { createStoredCipher } from '../tokens/stored-cipher.ts'
import type { AdapterCall } from './adapter.ts'
import type { RewriteRow } from './rewrite-row.ts'
import type { Store, TicketStore } from './store.ts'
import type { Ticket } from './ticket.ts'

/**
 * Encrypts the data of tickets before it reaches the adapter. What an earlier secret has encrypted is encrypted with the
 * first one when it is read.
 *
 * A ticket whose data cannot be decrypted, because its secret was removed, counts as missing.
 *
 * @param rewrite - `null` if the adapter cannot replace data.
 */
export function withEncryptedTickets(store: Store, keys: KeyRing, rewrite: RewriteRow | null = null): Store {
  const { tickets, transact } = store
  if (!tickets) return store
  const { put, listDue } = tickets
  const { encrypt, encryptPut, encryptCall, decrypt, readStored } = createTicketCipher(keys, rewrite)
  const encrypted: TicketStore = {
    ...tickets,
    create: async (ticket) => tickets.create(await encrypt(ticket)),
    read: async (key) => readStored(await tickets.read(key)),
    readAll: async (keys) => Promise.all((await tickets.readAll(keys)).map(readStored)),
    consume: async (key) => decrypt(await tickets.consume(key)),
    put: put && (async (ticket, expected) => put(...(await encryptPut(ticket, expected)))),
    listDue: listDue && ((kind, now, max) => listReadable((count) => listDue(kind, now, count), max, readStored))
  }
  return {
    ...store,
    tickets: encrypted,
    transact: transact && (async (calls) => transact(await Promise.all(calls.map(encryptCall))))
  }
}

/** Lists tickets that can be read: those that cannot, because their secret was removed, must not hide later ones. */
async function listReadable(
  list: (count: number) => Promise<readonly Ticket[]>,
  max: number,
  read: (stored: Ticket) => Promise<Ticket | null>
): Promise<readonly Ticket[]> {
  for (let count = max; ; count *= 2) {
    const stored = await list(count)
    const readable = (await Promise.all(stored.map(read))).filter((ticket) => ticket !== null)
    if (stored.length < count || readable.length >= max) return readable.slice(0, max)
  }
}

/** Encrypts and decrypts the data of tickets, those of calls included. */
function createTicketCipher(keys: KeyRing, rewrite: RewriteRow | null) {
  const cipher = createStoredCipher(keys)
  /** The stored data of tickets that were read: encrypting it again gives a different text. */
  const storedData = new WeakMap<Ticket, string>()
  const encrypt = async (ticket: Ticket): Promise<Ticket> => ({ ...ticket, data: await cipher.encrypt(ticket.data) })
  const encryptPut = async (ticket: Ticket, expected: Ticket | null): Promise<readonly [Ticket, Ticket | null]> => [
    await encrypt(ticket),
    expected && { ...expected, data: storedData.get(expected) ?? expected.data }
  ]
  const decrypt = async (ticket: Ticket | null): Promise<Ticket | null> => {
    const data = ticket && (await cipher.decrypt(ticket.data))
    if (ticket === null || data === null) return null
    const decrypted = { ...ticket, data }
    storedData.set(decrypted, ticket.data)
    return decrypted
  }
  const rewriteOld = async (stored: Ticket | null, read: Ticket | null): Promise<Ticket | null> => {
    if (!rewrite || !stored || !read) return read
    const { kind: group, id, data } = stored
    if ((await cipher.findKey(data)) === 'other')
      rewrite('ticket', { group, id, texts: { data } }, async () => ({ data: await cipher.encrypt(read.data) }))
    return read
  }
  return {
    encrypt,
    encryptPut,
    encryptCall: async (call: AdapterCall): Promise<AdapterCall> => {
      if (call.method === 'createTicket') return { ...call, args: [await encrypt(call.args[0])] }
      return call.method === 'putTicket' ? { ...call, args: await encryptPut(...call.args) } : call
    },
    decrypt,
    /** Decrypts a ticket that was read, and encrypts what an earlier secret has encrypted with the first one. */
    readStored: async (stored: Ticket | null): Promise<Ticket | null> => rewriteOld(stored, await decrypt(stored))
  }
}
