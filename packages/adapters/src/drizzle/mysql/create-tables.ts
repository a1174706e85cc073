import { type CreatedTables, setReferenceType } from '../create-tables.ts'
import type { MysqlUsers } from './adapter.ts'
import { defineOtherTables } from './schema.ts'

/** The type of a column that refers to the ids. */
function getReferenceType(users: MysqlUsers): string {
  const own = users.id.getSQLType()
  return own === 'serial' ? 'bigint unsigned' : own
}

/**
 * Creates the drizzle tables beside a users table of the application, for drizzle-kit: accounts and sessions refer to its
 * ids, with their type.
 *
 * @returns All tables that the adapter uses.
 */
export function createTables<Users extends MysqlUsers>({ users, columns, ...tables }: CreatedTables<Users>) {
  const others = defineOtherTables(users, { tables, columns })
  for (const { userId } of [others.accounts, others.sessions]) setReferenceType(userId, getReferenceType(users))
  return { users, ...others }
}
