import type { AccountKey } from '@postern/core'
import { and, type SQL, sql } from 'drizzle-orm'
import type { AccountRow } from '../../rows.ts'
import { faults } from './driver-errors.ts'
import type { MysqlDatabase } from './client.ts'
import type { Connection } from './connection.ts'

/** How accounts are asked for by their keys, written and read. */
export interface AccountKeys {
  readonly isKey: (key: AccountKey) => SQL | undefined
  /** The same for a prepared statement, which `parametersOf` gives its values. */
  readonly isNamedKey: () => SQL | undefined
  readonly parametersOf: (key: AccountKey) => Record<string, unknown>
  /**
   * Writes a row in a transaction, which is to be taken back if this fails: of two that write one id in two spellings
   * at the same moment, at least one learns of the other when both have written.
   */
  readonly insert: (db: MysqlDatabase, row: AccountRow) => Promise<void>
  /** Writes a row by itself. */
  readonly insertAlone: (row: AccountRow) => Promise<void>
  /** The row with the id that the provider has given. */
  readonly toRow: (row: AccountRow) => AccountRow
}

const prefix = '!postern:'

/** The id in digits that every collation tells apart. */
const spell = (id: string): string => `${prefix}${Buffer.from(id).toString('hex')}`

/** How an id begins that a collation may take for a spelling: it folds to `!`, or is nothing to it. */
const mayFold = /^[^\x20\x22-\x7e]/

/** Whether some collation may take an id for a spelling, where it has no room to be spelt itself. */
const looksSpelt = (id: string): boolean =>
  id
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\p{Lm}\p{Sk}]/gu, '')
    .toLowerCase()
    .startsWith(prefix)

/** What was spelt so; anything else is an id as it is. */
function unspell(stored: string): string {
  if (!stored.startsWith(prefix)) return stored
  const id = Buffer.from(stored.slice(prefix.length), 'hex').toString()
  return spell(id) === stored ? id : stored
}

/**
 * Makes the ways of dealing with the keys of accounts.
 *
 * Two ids that differ in case, an accent or a space at the end are two people, but a table with another collation than
 * ours has room for one of them: its unique key refuses the second. That one is written in another spelling, and who
 * asks for an id asks for both spellings. Ids that a collation may take for a spelling are spelt first, so that they do
 * not take another's place; those that begin as spellings do are spelt always, so that nobody's is another's spelling.
 * Both are refused where that is too long.
 * A table that tells all texts apart knows one spelling.
 */
export function createAccountKeys(connection: Connection): AccountKeys {
  const { db, tables, isExactly, transaction } = connection
  const { provider, providerAccountId } = tables.accounts
  const { isOne, spellingsOf } = createSpellings(connection)
  const insert = createInsert(connection)
  return {
    isKey: (key) => {
      const [id, spelling] = spellingsOf(key.providerAccountId)
      const isId = isOne() ? isExactly(providerAccountId, id) : isExactly(providerAccountId, id, spelling)
      return and(isExactly(provider, key.provider), isId)
    },
    isNamedKey: () => {
      const [id, spelling] = [sql.placeholder('providerAccountId'), sql.placeholder('spelling')]
      const isId = isOne() ? isExactly(providerAccountId, id) : isExactly(providerAccountId, id, spelling)
      return and(isExactly(provider, sql.placeholder('provider')), isId)
    },
    parametersOf: ({ provider, providerAccountId: id }) => {
      const [providerAccountId, spelling] = spellingsOf(id)
      return { provider, providerAccountId, spelling }
    },
    insert,
    insertAlone: (row) => (isOne() ? insert(db, row) : transaction((db) => insert(db, row))),
    toRow: (row) => (isOne() ? row : { ...row, providerAccountId: unspell(row.providerAccountId) })
  }
}

function createSpellings({ tables, roomOf }: Connection) {
  const room = () => roomOf(tables.accounts.providerAccountId)
  const isOne = (): boolean => room()?.tellsApart ?? true
  /** The spelling to write, and the one to write where the table takes that for another's: the same if there is none. */
  const spellingsOf = (id: string): readonly [first: string, second: string] => {
    if (isOne()) return [id, id]
    const spelling = spell(id)
    if (id.startsWith(prefix)) return [spelling, spelling]
    if (spelling.length > (room()?.characters ?? 0)) return looksSpelt(id) ? [spelling, spelling] : [id, id]
    return mayFold.test(id) ? [spelling, id] : [id, spelling]
  }
  return { isOne, spellingsOf }
}

function createInsert(connection: Connection): (db: MysqlDatabase, row: AccountRow) => Promise<void> {
  const { tables, isExactly } = connection
  const { accounts } = tables
  const { provider, providerAccountId } = accounts
  const { spellingsOf } = createSpellings(connection)
  return async (db, row) => {
    const [first, second] = spellingsOf(row.providerAccountId)
    const write = (id: string) => db.insert(accounts).values({ ...row, providerAccountId: id })
    const isSpelt = (id: string) => and(isExactly(provider, row.provider), isExactly(providerAccountId, id))
    const isThere = async (id: string): Promise<boolean> =>
      (await db.select({ provider }).from(accounts).where(isSpelt(id))).length > 0
    /** Who is just writing or deleting it is waited for. */
    const isThereNow = async (id: string): Promise<boolean> =>
      (
        await db
          .select({ provider })
          .from(accounts)
          .where(sql`${isSpelt(id)} lock in share mode`)
      ).length > 0
    const writeOne = async (): Promise<string> => {
      if (first === second || (await isThere(second))) return write(second).then(() => second)
      try {
        return await write(first).then(() => first)
      } catch (error) {
        if (!faults.isDuplicate(error) || (await isThereNow(first))) throw error
        return write(second).then(() => second)
      }
    }
    const written = await writeOne()
    if (first === second || !(await isThereNow(written === first ? second : first))) return
    // Another has written the other spelling meanwhile. The unique key refuses the row, which takes back this one.
    await write(written)
  }
}
