import { type CreatedTables, setReferenceType } from '../create-tables.ts'
import type { PostgresUsers } from './adapter.ts'
import { defineOtherTables } from './schema.ts'

/** The type of a column that refers to the ids. */
function getReferenceType(users: PostgresUsers): string {
  const own = users.id.getSQLType()
  const serial = /^(big|small)?serial$/.exec(own)
  return serial ? ({ big: 'bigint', small: 'smallint' }[serial[1] ?? ''] ?? 'integer') : own
}

/**
 * Creates the drizzle tables beside a users table of the application, for drizzle-kit: accounts and sessions refer to its
 * ids, with their type.
 *
 * @returns All tables that the adapter uses.
 */
export function createTables<Users extends PostgresUsers>({ users, columns, ...tables }: CreatedTables<Users>) {
  const others = defineOtherTables(users, { tables, columns })
  for (const { userId } of [others.accounts, others.sessions]) setReferenceType(userId, getReferenceType(users))
  return { users, ...others }
}
