import type { AccountTokens } from '../model/account.ts'
import type { StoredCipher } from '../tokens/stored-cipher.ts'
import type { AccountKey, Adapter, AdapterAccount, AdapterCall } from './adapter.ts'
import type { EncryptedTable } from './encrypted-row.ts'
import type { Factor } from './factor.ts'
import { type FactorStore, type Store, StoreError, type TicketStore } from './store.ts'
import type { Ticket } from './ticket.ts'

/** The ciphers of the tables. */
export type TableCiphers = Readonly<Record<EncryptedTable, StoredCipher>>

/** How what is stored is encrypted. */
export interface StoreEncryption {
  readonly ciphers: TableCiphers
  /** Whether the tokens of providers are encrypted when they are written. */
  readonly encryptTokens: boolean
  /** Types of factors whose data is one-way, such as a password hash: it is not encrypted. */
  readonly hashedFactors: ReadonlySet<string>
  /** Returns a random text: an adapter recognizes what a call has written by its data, so no two calls write the same. */
  readonly createNonce: () => string
  /** Starts work that no response waits for. */
  readonly runLater: (work: () => Promise<unknown>) => void
}

/** Replaces the data of a row that was read, if another key than the first one has encrypted it. */
type Renew = (
  row: { readonly group: string; readonly id: string; readonly data: string },
  text: string
) => Promise<void>

/**
 * Encrypts what is secret before it reaches the adapter: the tokens of accounts, the data of tickets and of factors; and decrypts it
 * when it is read. What an earlier secret has encrypted is encrypted with the first one when it is read.
 */
export function withEncryption(store: Store, encryption: StoreEncryption): Store {
  const { tickets, factors, transact } = store
  const accountRows = createAccountCipher(encryption)
  const ticketRows = createTicketCipher(encryption.ciphers.ticket, createRenew('ticket', store, encryption))
  const factorRows = createFactorCipher(encryption, createRenew('factor', store, encryption))
  const encryptCall = async (call: AdapterCall): Promise<AdapterCall> => {
    switch (call.method) {
      case 'linkAccount':
        return { ...call, args: [await accountRows.encrypt(call.args[0])] }
      case 'updateAccount': {
        const [account, ...expected] = call.args
        return { ...call, args: [await accountRows.encrypt(account), ...expected] }
      }
      case 'createTicket':
        return { ...call, args: [await ticketRows.encrypt(call.args[0])] }
      case 'putTicket':
        return { ...call, args: await ticketRows.encryptPut(...call.args) }
      case 'createFactor':
        return { ...call, args: [await factorRows.encrypt(call.args[0])] }
      case 'updateFactor': {
        const [factor, expectedVersion] = call.args
        return { ...call, args: [await factorRows.encrypt(factor), expectedVersion] }
      }
      default:
        return call
    }
  }
  return {
    ...store,
    ...withEncryptedTokens(store, accountRows),
    tickets: tickets && withEncryptedTickets(tickets, ticketRows),
    factors: factors && withEncryptedFactors(factors, factorRows),
    transact: transact && (async (calls) => transact(await Promise.all(calls.map(encryptCall))))
  }
}

/**
 * Replaces data in the background. If another writer came first, or the store fails, nothing is replaced: the row stays readable as
 * long as its key is listed.
 */
function createRenew(
  table: 'factor' | 'ticket',
  { encryptedRows: rows }: Store,
  { ciphers, runLater }: StoreEncryption
): Renew {
  const cipher = ciphers[table]
  return async ({ group, id, data }, text) => {
    // An adapter without these methods cannot replace data alone.
    if (!rows || (await cipher.findKey(data)) !== 'other') return
    runLater(async () => {
      const texts = { data: await cipher.encrypt(text) }
      // The invoker has logged the failure.
      await rows.replace(table, { group, id, texts: { data } }, texts).catch(() => false)
    })
  }
}

/** The prefix of encrypted tokens: a table may contain both encrypted and plain rows. */
const mark = 's1.'

/** @returns What was encrypted of a stored token; `null` if it is stored as plain text. */
export const getEncryptedToken = (token: string): string | null =>
  token.startsWith(mark) ? token.slice(mark.length) : null

/** @returns The stored form of an encrypted token. */
export const markToken = (encrypted: string): string => mark + encrypted

const tokenNames = ['access_token', 'refresh_token', 'id_token'] as const

type AccountCipher = ReturnType<typeof createAccountCipher>

/**
 * Encrypted tokens are decrypted even after encryption was switched off; if the secret was removed, the token is `null`.
 */
function createAccountCipher({ ciphers: { account: cipher }, encryptTokens }: StoreEncryption) {
  /** The stored refresh tokens of accounts that were read: encrypting one again gives a different string. */
  const storedTokens = new WeakMap<object, AdapterAccount['refresh_token']>()
  const decryptToken = async (token: string): Promise<string | null> => {
    const encrypted = getEncryptedToken(token)
    return encrypted === null ? token : cipher.decrypt(encrypted)
  }
  return {
    storedTokens,
    decryptToken,
    encrypt: async <T extends AccountTokens>(account: T): Promise<T> => {
      if (!encryptTokens) return account
      const encrypted: AccountTokens = {}
      for (const name of tokenNames) {
        const token = account[name]
        if (typeof token === 'string') encrypted[name] = markToken(await cipher.encrypt(token))
      }
      return { ...account, ...encrypted }
    },
    decrypt: async (row: AdapterAccount): Promise<AdapterAccount> => {
      const account = { ...row }
      for (const name of tokenNames) {
        // The column of another library may hold something else.
        const token: unknown = row[name]
        if (typeof token === 'string' && token.startsWith(mark)) account[name] = await decryptToken(token)
      }
      storedTokens.set(account, row.refresh_token)
      return account
    }
  }
}

function withEncryptedTokens(store: Store, rows: AccountCipher) {
  const { createUserWithAccount, getAccounts, linkAccount } = store
  const { encrypt, decrypt } = rows
  return {
    linkAccount: async (account) => linkAccount(await encrypt(account)),
    createUserWithAccount:
      createUserWithAccount && (async (user, account) => createUserWithAccount(user, await encrypt(account))),
    updateAccount: createUpdate(store, rows),
    getAccounts: getAccounts && (async (userId) => Promise.all((await getAccounts(userId)).map(decrypt))),
    findUser: async (by) => {
      const found = await store.findUser(by)
      return found?.account ? { ...found, account: await decrypt(found.account) } : found
    }
  } satisfies Partial<Store>
}

/** The expected account when its tokens are written. */
type Expected = Partial<Pick<AdapterAccount, 'refresh_token' | 'userId'>>

/** Creates the update of an account that may be expected as it was read. */
function createUpdate(
  { updateAccount, getAccounts }: Store,
  { encrypt, decryptToken, storedTokens }: AccountCipher
): Store['updateAccount'] {
  if (!updateAccount) return null
  const getExpected = (account: Expected): Expected => ({
    ...(account.userId === undefined ? {} : { userId: account.userId }),
    ...('refresh_token' in account || storedTokens.has(account)
      ? { refresh_token: (storedTokens.has(account) ? storedTokens.get(account) : account.refresh_token) ?? null }
      : {})
  })
  /** Returns the expected account as it is stored now, if its refresh token is the same, but was encrypted again. */
  const findReencrypted = async (key: AccountKey, before: Expected): Promise<Expected | null> => {
    const { userId, refresh_token } = before
    if (!getAccounts || userId === undefined || !refresh_token || !storedTokens.has(before)) return null
    const isKey = (row: AdapterAccount): boolean =>
      row.provider === key.provider && row.providerAccountId === key.providerAccountId
    const token = (await getAccounts(userId)).find(isKey)?.refresh_token
    if (!token || token === storedTokens.get(before) || (await decryptToken(token)) !== refresh_token) return null
    return { userId, refresh_token: token }
  }
  return async (account, expected) => {
    const encrypted = await encrypt(account)
    if (!expected) return updateAccount(encrypted)
    if (await updateAccount(encrypted, getExpected(expected))) return true
    // Otherwise the tokens of a provider that replaces refresh tokens would be lost.
    const now = await findReencrypted(account, expected)
    return now !== null && updateAccount(encrypted, now)
  }
}

type TicketCipher = ReturnType<typeof createTicketCipher>

/** A ticket whose data cannot be decrypted, because its secret was removed, counts as missing. */
function createTicketCipher(cipher: StoredCipher, renew: Renew) {
  /** The stored data of tickets that were read: encrypting it again gives a different text. */
  const storedData = new WeakMap<Ticket, string>()
  const encrypt = async (ticket: Ticket): Promise<Ticket> => ({ ...ticket, data: await cipher.encrypt(ticket.data) })
  const decrypt = async (ticket: Ticket | null): Promise<Ticket | null> => {
    const data = ticket && (await cipher.decrypt(ticket.data))
    if (ticket === null || data === null) return null
    const decrypted = { ...ticket, data }
    storedData.set(decrypted, ticket.data)
    return decrypted
  }
  return {
    encrypt,
    encryptPut: async (ticket: Ticket, expected: Ticket | null): Promise<readonly [Ticket, Ticket | null]> => [
      await encrypt(ticket),
      expected && { ...expected, data: storedData.get(expected) ?? expected.data }
    ],
    decrypt,
    decryptStored: async (stored: Ticket | null): Promise<Ticket | null> => {
      const read = await decrypt(stored)
      if (stored && read) await renew({ group: stored.kind, id: stored.id, data: stored.data }, read.data)
      return read
    }
  }
}

function withEncryptedTickets(tickets: TicketStore, rows: TicketCipher): TicketStore {
  const { put, listDue } = tickets
  const { encrypt, encryptPut, decrypt, decryptStored } = rows
  return {
    ...tickets,
    create: async (ticket) => tickets.create(await encrypt(ticket)),
    read: async (key) => decryptStored(await tickets.read(key)),
    readAll: async (keys) => Promise.all((await tickets.readAll(keys)).map(decryptStored)),
    consume: async (key) => decrypt(await tickets.consume(key)),
    put: put && (async (ticket, expected) => put(...(await encryptPut(ticket, expected)))),
    listDue: listDue && ((kind, now, max) => listReadable((count) => listDue(kind, now, count), max, decryptStored))
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

/** The type of the authenticators of Auth.js, which an adapter stores beside the factors, without encryption. */
const foreignType = 'authenticator'

/** The prefix of data that is not encrypted: no key has this id. */
const plainMark = '.'

/** Whether the data of a stored factor is encrypted. */
export const isEncryptedFactor = (type: string, data: string): boolean =>
  type !== foreignType && !data.startsWith(plainMark)

type FactorCipher = ReturnType<typeof createFactorCipher>

/**
 * Data that is one-way is stored as `.<nonce>.<data>`.
 *
 * A factor that cannot be decrypted is never reported as missing: a user whose second factor cannot be read must not sign in without
 * it.
 */
function createFactorCipher(
  { ciphers: { factor: cipher }, hashedFactors, createNonce }: StoreEncryption,
  renew: Renew
) {
  return {
    encrypt: async (factor: Factor): Promise<Factor> => {
      const isHashed = hashedFactors.has(factor.type)
      const data = isHashed ? `${plainMark}${createNonce()}.${factor.data}` : await cipher.encrypt(factor.data)
      return { ...factor, data }
    },
    /** @throws StoreError if the key is not in the ring, or the data was not encrypted with it. */
    decrypt: async (factor: Factor, method: keyof Adapter): Promise<Factor> => {
      const { type, id, data: stored } = factor
      if (!isEncryptedFactor(type, stored)) return { ...factor, data: stored.slice(stored.indexOf('.', 1) + 1) }
      if ((await cipher.findKey(stored)) === 'missing')
        throw new StoreError(method, 'the key of a factor is missing: expected its secret in dataSecret')
      const data = await cipher.decrypt(stored)
      if (data === null) throw new StoreError(method, 'the data of a factor cannot be decrypted: it was modified')
      await renew({ group: type, id, data: stored }, data)
      return { ...factor, data }
    }
  }
}

function withEncryptedFactors(factors: FactorStore, { encrypt, decrypt }: FactorCipher): FactorStore {
  return {
    ...factors,
    create: async (factor) => factors.create(await encrypt(factor)),
    get: async (key) => {
      const factor = await factors.get(key)
      return factor && decrypt(factor, 'getFactor')
    },
    list: async (userId, type) => {
      const found = await factors.list(userId, type)
      const own = found.filter((factor) => factor.type !== foreignType)
      return Promise.all(own.map((factor) => decrypt(factor, 'listFactors')))
    },
    update: async (factor, expectedVersion) => factors.update(await encrypt(factor), expectedVersion)
  }
}
