import { DatabaseError } from '../../database-error.ts'
import type { Faults } from '../retry.ts'
import { driverErrorOf, withoutValues } from '../driver-error.ts'

/** Deadlocks, and MariaDB's "record has changed since last read". */
const busy = /^(ER_LOCK_DEADLOCK|ER_CHECKREAD)$/
/** Shut-downs, connections that were killed (MariaDB's 1927, MySQL's 4031), and what the network says. */
const broken = /^(PROTOCOL_CONNECTION_LOST|ER_SERVER_SHUTDOWN|ER_1927|ER_4031|ECONNRESET|EPIPE|ETIMEDOUT)$/
/** What mysql2 says without a code. */
const brokenMessage = /closed state$/
/** What mysql2 says without a code where too many wait for a connection. */
const crowdedMessage = /^Queue limit reached/
/** Errors whose quoted parts are names of tables, columns and users, and never values. */
const naming = [1044, 1045, 1049, 1054, 1142, 1146, 1273, 1364, 1406]

/** What the errors of MySQL and MariaDB mean. */
export const faults: Faults = {
  database: 'mysql',
  isBusy: (error) => busy.test(codeOf(error)),
  isBroken: (error) => broken.test(codeOf(error)) || brokenMessage.test(driverErrorOf(error).message),
  isDuplicate: (error) => codeOf(error).startsWith('ER_DUP_ENTRY'),
  toPublic: (error) => {
    const { message, errno } = driverErrorOf(error)
    const isNaming = typeof errno === 'number' && naming.includes(errno)
    const code = codeOf(error) || nameOf(error)
    return new DatabaseError(code, `mysql: ${(isNaming ? message : withoutValues(message)) || code}`)
  }
}

/** A code for what the driver says without one. */
function nameOf(error: unknown): string {
  if (faults.isBroken(error)) return 'PROTOCOL_CONNECTION_LOST'
  return crowdedMessage.test(driverErrorOf(error).message) ? 'ER_CON_COUNT_ERROR' : ''
}

/** The name of an error, or its number where mysql2 has no name for it, as for those of MariaDB. */
function codeOf(error: unknown): string {
  const { code, errno } = driverErrorOf(error)
  if (typeof code === 'string') return code
  return typeof errno === 'number' ? `ER_${errno}` : ''
}
