import type { AccountKey } from '@postern/core'
import { and, type SQL, sql } from 'drizzle-orm'
import type { AccountRow } from '../../rows.ts'
import type { MysqlDatabase } from './client.ts'
import type { Connection } from './connection.ts'
import { errorClassifier } from './driver-errors.ts'

/** Writes and compares the keys of accounts. */
export interface AccountKeys {
  readonly isKey: (key: AccountKey) => SQL | undefined
  /** The same condition for a prepared statement, whose values `getParameters` returns. */
  readonly isNamedKey: () => SQL | undefined
  readonly getParameters: (key: AccountKey) => Record<string, unknown>
  /**
   * Inserts a row in a transaction, which must be rolled back if this fails: if two transactions insert the plain and
   * the encoded form of one id at the same time, at least one detects the other after both have written.
   */
  readonly insert: (db: MysqlDatabase, row: AccountRow) => Promise<void>
  /** Inserts a separate row in a transaction. */
  readonly insertAlone: (row: AccountRow) => Promise<void>
  /** The row with the id as the provider issued it. */
  readonly toRow: (row: AccountRow) => AccountRow
}

const prefix = '!postern:'

/** Encodes an id with characters that every collation distinguishes. */
const encodeId = (id: string): string => `${prefix}${Buffer.from(id).toString('hex')}`

/** Ids whose start a collation may confuse with the prefix: a character that folds to `!`, or has no weight. */
const mayCollate = /^[^\x20\x22-\x7e]/

/** Whether a collation may confuse an id with an encoded one, if the column is too short for its own encoding. */
const looksEncoded = (id: string): boolean =>
  id
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\p{Lm}\p{Sk}]/gu, '')
    .toLowerCase()
    .startsWith(prefix)

/** Decodes an encoded id; any other id is returned unchanged. */
function decodeId(stored: string): string {
  if (!stored.startsWith(prefix)) return stored
  const id = Buffer.from(stored.slice(prefix.length), 'hex').toString()
  return encodeId(id) === stored ? id : stored
}

/**
 * Creates the functions for the keys of accounts.
 *
 * Two ids that differ in case, accents or trailing spaces belong to different users, but under a foreign collation the
 * unique key rejects the second one. It is then stored in an encoded form, and lookups compare both forms. Ids that a
 * collation may confuse with an encoded id are encoded first, so that they do not block another id; those that start
 * with the prefix are always encoded, so that no plain id equals an encoded one. Both are rejected if the encoded form
 * is too long.
 * A table that distinguishes all strings only has plain ids.
 */
export function createAccountKeys(connection: Connection): AccountKeys {
  const { db, tables, isExactly, transaction } = connection
  const { provider, providerAccountId } = tables.accounts
  const { isOne, spellingsOf: getSpellings } = createSpellings(connection)
  const insert = createInsert(connection)
  return {
    isKey: (key) => {
      const [id, spelling] = getSpellings(key.providerAccountId)
      const isId = isOne() ? isExactly(providerAccountId, id) : isExactly(providerAccountId, id, spelling)
      return and(isExactly(provider, key.provider), isId)
    },
    isNamedKey: () => {
      const [id, spelling] = [sql.placeholder('providerAccountId'), sql.placeholder('spelling')]
      const isId = isOne() ? isExactly(providerAccountId, id) : isExactly(providerAccountId, id, spelling)
      return and(isExactly(provider, sql.placeholder('provider')), isId)
    },
    getParameters: ({ provider, providerAccountId: id }) => {
      const [providerAccountId, spelling] = getSpellings(id)
      return { provider, providerAccountId, spelling }
    },
    insert,
    insertAlone: (row) => (isOne() ? insert(db, row) : transaction((db) => insert(db, row))),
    toRow: (row) => (isOne() ? row : { ...row, providerAccountId: decodeId(row.providerAccountId) })
  }
}

function createSpellings({ tables, columnLimits }: Connection) {
  const room = () => columnLimits(tables.accounts.providerAccountId)
  const isOne = (): boolean => room()?.comparesExactly ?? true
  /**
   * The form to store, and the form to use if that one conflicts with another id; both are equal if there is no
   * alternative.
   */
  const getSpellings = (id: string): readonly [first: string, second: string] => {
    if (isOne()) return [id, id]
    const spelling = encodeId(id)
    if (id.startsWith(prefix)) return [spelling, spelling]
    if (spelling.length > (room()?.characters ?? 0)) return looksEncoded(id) ? [spelling, spelling] : [id, id]
    return mayCollate.test(id) ? [spelling, id] : [id, spelling]
  }
  return { isOne, spellingsOf: getSpellings }
}

function createInsert(connection: Connection): (db: MysqlDatabase, row: AccountRow) => Promise<void> {
  const { tables, isExactly } = connection
  const { accounts } = tables
  const { provider, providerAccountId } = accounts
  const { spellingsOf: getSpellings } = createSpellings(connection)
  return async (db, row) => {
    const [first, second] = getSpellings(row.providerAccountId)
    const write = (id: string) => db.insert(accounts).values({ ...row, providerAccountId: id })
    const isEncoded = (id: string) => and(isExactly(provider, row.provider), isExactly(providerAccountId, id))
    const isThere = async (id: string): Promise<boolean> =>
      (await db.select({ provider }).from(accounts).where(isEncoded(id))).length > 0
    /** Waits for transactions that are inserting or deleting the row. */
    const isThereNow = async (id: string): Promise<boolean> =>
      (
        await db
          .select({ provider })
          .from(accounts)
          .where(sql`${isEncoded(id)} lock in share mode`)
      ).length > 0
    const writeOne = async (): Promise<string> => {
      if (first === second || (await isThere(second))) return write(second).then(() => second)
      try {
        return await write(first).then(() => first)
      } catch (error) {
        if (!errorClassifier.isDuplicate(error) || (await isThereNow(first))) throw error
        return write(second).then(() => second)
      }
    }
    const written = await writeOne()
    if (first === second || !(await isThereNow(written === first ? second : first))) return
    // A concurrent transaction has stored the other form. Inserting again violates the unique key, which rolls back
    // this one.
    await write(written)
  }
}
