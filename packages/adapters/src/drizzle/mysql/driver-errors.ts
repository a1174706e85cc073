import { DatabaseError } from '../../database-error.ts'
import { getDriverError, withoutValues } from '../driver-error.ts'
import type { ErrorClassifier } from '../retry.ts'

/** Deadlocks, and MariaDB's "record has changed since last read". */
const busy = /^(ER_LOCK_DEADLOCK|ER_CHECKREAD)$/
/** Shutdowns, killed connections (MariaDB's 1927, MySQL's 4031), and network errors. */
const broken = /^(PROTOCOL_CONNECTION_LOST|ER_SERVER_SHUTDOWN|ER_1927|ER_4031|ECONNRESET|EPIPE|ETIMEDOUT)$/
/** The messages of mysql2 errors without a code. */
const brokenMessage = /closed state$/
/** The message of mysql2 without a code if too many callers wait for a connection. */
const crowdedMessage = /^Queue limit reached/
/** Errors whose quoted parts are names of tables, columns and users, but never values. */
const naming = [1044, 1045, 1049, 1054, 1142, 1146, 1273, 1364, 1406]

/** Classifies the errors of MySQL and MariaDB. */
export const errorClassifier: ErrorClassifier = {
  database: 'mysql',
  isBusy: (error) => busy.test(getCode(error)),
  isBroken: (error) => broken.test(getCode(error)) || brokenMessage.test(getDriverError(error).message),
  isDuplicate: (error) => getCode(error).startsWith('ER_DUP_ENTRY'),
  toPublic: (error) => {
    const { message, errno } = getDriverError(error)
    const isNaming = typeof errno === 'number' && naming.includes(errno)
    const code = getCode(error) || getName(error)
    return new DatabaseError(code, `mysql: ${(isNaming ? message : withoutValues(message)) || code}`)
  }
}

/** A code for driver errors without one. */
function getName(error: unknown): string {
  if (errorClassifier.isBroken(error)) return 'PROTOCOL_CONNECTION_LOST'
  return crowdedMessage.test(getDriverError(error).message) ? 'ER_CON_COUNT_ERROR' : ''
}

/** The name of an error, or its number if mysql2 has no name for it, as for MariaDB's own errors. */
function getCode(error: unknown): string {
  const { code, errno } = getDriverError(error)
  if (typeof code === 'string') return code
  return typeof errno === 'number' ? `ER_${errno}` : ''
}
