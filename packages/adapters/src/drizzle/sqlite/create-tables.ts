import { type CreatedTables, setReferenceType } from '../create-tables.ts'
import type { SqliteUsers } from './adapter.ts'
import { defineOtherTables } from './schema.ts'

/**
 * Creates the drizzle tables beside a users table of the application, for drizzle-kit: accounts and sessions refer to its
 * ids, with their type.
 *
 * @returns All tables that the adapter uses.
 */
export function createTables<Users extends SqliteUsers>({ users, columns, ...tables }: CreatedTables<Users>) {
  const others = defineOtherTables(users, { tables, columns })
  for (const { userId } of [others.accounts, others.sessions]) setReferenceType(userId, users.id.getSQLType())
  return { users, ...others }
}
