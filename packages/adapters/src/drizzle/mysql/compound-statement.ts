import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import { driverErrorOf } from '../driver-error.ts'
import type { MysqlClient } from './client.ts'

/**
 * Runs several statements by one: all of them take effect, or none.
 *
 * @returns `false`, and nothing has happened, where the server has no such statement.
 */
export type Together = (statements: readonly SQL[]) => Promise<boolean>

const unknownSyntax = 1064

/**
 * Makes the way of running statements together: MariaDB's compound statement, which saves the trips for the beginning,
 * the end and all statements but one. MySQL, and MariaDB in Oracle's mode, refuse it as a whole.
 */
export function createTogether({ onConnection }: Pick<MysqlClient, 'onConnection'>): Together {
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
      if (driverErrorOf(error).errno !== unknownSyntax) throw error
      isRefused = true
      return false
    }
  }
}
