import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import { getDriverError } from '../driver-error.ts'
import type { MysqlClient } from './client.ts'

/**
 * Runs several statements as one, in a transaction.
 *
 * @returns `false`, without any effect, if the server does not support it.
 */
export type CompoundStatement = (statements: readonly SQL[]) => Promise<boolean>

const unknownSyntax = 1064

/**
 * Creates a compound statement, which MariaDB supports: it saves the round trips of the transaction, and of all
 * statements but one. MySQL, and MariaDB in Oracle mode, reject it as a whole.
 */
export function createCompoundStatement({ onConnection }: Pick<MysqlClient, 'onConnection'>): CompoundStatement {
  let isRefused = false
  return async (statements) => {
    if (isRefused) return false
    const body = sql.join([...statements], sql`; `)
    const compound = sql`begin not atomic
      declare exit handler for sqlexception begin rollback; resignal; end;
      start transaction; ${body}; commit;
    end`
    try {
      await onConnection((db) => db.execute(compound))
      return true
    } catch (error) {
      if (getDriverError(error).errno !== unknownSyntax) throw error
      isRefused = true
      return false
    }
  }
}
