import { DatabaseError } from '../../database-error.ts'
import type { Faults } from '../retry.ts'
import { driverErrorOf, withoutValues } from '../driver-error.ts'

/** Serialization failure, and deadlock. */
const busy = /^40(001|P01)$/
/** Connection exceptions, shut-downs, what the network says, and what postgres.js does. */
const broken = /^(08...|57P0[123]|ECONNRESET|EPIPE|ETIMEDOUT|CONNECTION_(CLOSED|DESTROYED|ENDED))$/
/** What node-postgres says without a code. */
const brokenMessage = /^Connection terminated|not queryable/

/** What node-postgres says without a code where a connection, or an answer, took too long. */
const lateMessage = /timeout/i

const connectionFailure = '08006'

/** What PostgreSQL's errors mean, by SQLSTATE. */
export const faults: Faults = {
  database: 'postgres',
  isBusy: (error) => busy.test(codeOf(error)),
  isBroken: (error) => broken.test(codeOf(error)) || brokenMessage.test(driverErrorOf(error).message),
  isDuplicate: (error) => codeOf(error) === '23505',
  toPublic: (error) => {
    const code = codeOf(error) || nameOf(error)
    const message = driverErrorOf(error).message || code
    // Of the errors that PostgreSQL tells, those about data show it.
    return new DatabaseError(code, `postgres: ${code.startsWith('22') ? withoutValues(message) : message}`)
  }
}

/** A code for what the driver says without one. */
function nameOf(error: unknown): string {
  if (faults.isBroken(error)) return connectionFailure
  return lateMessage.test(driverErrorOf(error).message) ? 'Timeout' : ''
}

function codeOf(error: unknown): string {
  const { code } = driverErrorOf(error)
  return typeof code === 'string' ? code : ''
}
