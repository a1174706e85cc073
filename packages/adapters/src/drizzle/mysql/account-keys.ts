import type { AccountKey } from '@postern/core'
import { and, type SQL, sql } from 'drizzle-orm'
import type { AccountRow } from '../../rows.ts'
import { faults } from './busy.ts'
import type { MysqlDatabase } from './client.ts'
import type { Connection } from './connection.ts'

/** How accounts are asked for by their keys, written and read. */
export interface AccountKeys {
  readonly isKey: (key: AccountKey) => SQL | undefined
  /** The same for a prepared statement, which `parametersOf` gives its values. */
  readonly isNamedKey: () => SQL | undefined
  readonly parametersOf: (key: AccountKey) => Record<string, unknown>
  readonly insert: (db: MysqlDatabase, row: AccountRow) => Promise<void>
  /** The row with the id that the provider has given. */
  readonly toRow: (row: AccountRow) => AccountRow
}

const prefix = '!postern:'

/** The id in digits that every collation tells apart. */
const spell = (id: string): string => `${prefix}${Buffer.from(id).toString('hex')}`

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
 * asks for an id asks for both spellings. Ids that look spelt are always spelt, and refused where that is too long, so
 * that nobody's is another's spelling.
 * A table that tells all texts apart knows one spelling.
 */
export function createAccountKeys(connection: Connection): AccountKeys {
  const { tables, isExactly } = connection
  const { provider, providerAccountId } = tables.accounts
  const { isOne, spellingsOf } = createSpellings(connection)
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
    insert: createInsert(connection),
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
    if (id.toLowerCase().startsWith(prefix)) return [spelling, spelling]
    return [id, spelling.length <= (room()?.characters ?? 0) ? spelling : id]
  }
  return { isOne, spellingsOf }
}

function createInsert(connection: Connection): AccountKeys['insert'] {
  const { tables, isExactly } = connection
  const { accounts } = tables
  const { provider, providerAccountId } = accounts
  const { spellingsOf } = createSpellings(connection)
  const isSpelt = (row: AccountRow, id: string) =>
    and(isExactly(provider, row.provider), isExactly(providerAccountId, id))
  const isThere = async (db: MysqlDatabase, row: AccountRow, id: string): Promise<boolean> =>
    (await db.select({ provider }).from(accounts).where(isSpelt(row, id))).length > 0
  /** The second spelling, or the first if it is there after all: the unique key then refuses the row. */
  const unlessThere = (row: AccountRow, first: string, second: string): SQL => {
    // A server reads the table that it writes to only by way of another one, which is what a limit makes of it.
    const found = sql`select ${providerAccountId} as id from ${accounts} where ${isSpelt(row, first)} limit 1`
    return sql`ifnull((select found.id from (${found}) as found), ${second})`
  }
  return async (db, row) => {
    const [first, second] = spellingsOf(row.providerAccountId)
    const write = (id: string | SQL) => db.insert(accounts).values({ ...row, providerAccountId: id })
    // To look before is cheaper than to do it in the insertion, where the gaps looked at are locked to others.
    if (first === second || (await isThere(db, row, second))) return void (await write(second))
    try {
      await write(first)
    } catch (error) {
      if (!faults.isDuplicate(error)) throw error
      await write(unlessThere(row, first, second))
    }
  }
}
