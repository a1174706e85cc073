import { DatabaseError } from '../../database-error.ts'
import { getDriverError, withoutValues } from '../driver-error.ts'
import type { ErrorClassifier } from '../retry.ts'

/** Serialization failure, and deadlock. */
const busy = /^40(001|P01)$/
/** Connection exceptions, shutdowns, network errors, and those of postgres.js. */
const broken = /^(08...|57P0[123]|ECONNRESET|EPIPE|ETIMEDOUT|CONNECTION_(CLOSED|DESTROYED|ENDED))$/
/** The messages of node-postgres errors without a code. */
const brokenMessage = /^Connection terminated|not queryable/

/** The messages of node-postgres without a code if a connection or a response timed out. */
const lateMessage = /timeout/i

const connectionFailure = '08006'

/** Classifies PostgreSQL's errors by SQLSTATE. */
export const errorClassifier: ErrorClassifier = {
  database: 'postgres',
  isBusy: (error) => busy.test(getCode(error)),
  isBroken: (error) => broken.test(getCode(error)) || brokenMessage.test(getDriverError(error).message),
  isDuplicate: (error) => getCode(error) === '23505',
  toPublic: (error) => {
    if (isParameterRefused(error)) return new DatabaseError('Setting', `postgres: ${refusedParameter}`)
    const code = getCode(error) || getName(error)
    const message = getDriverError(error).message || code
    // PostgreSQL's messages for data exceptions contain values.
    return new DatabaseError(code, `postgres: ${code.startsWith('22') ? withoutValues(message) : message}`)
  }
}

const refusedParameter =
  'unsupported startup parameter: statement_timeout: write statementTimeout: 0 for PgBouncer, ' +
  'and limit statements with "alter role … set statement_timeout"'

/** PgBouncer refuses what it cannot keep for its client. */
function isParameterRefused(error: unknown): boolean {
  const { message } = getDriverError(error)
  return message.startsWith('unsupported startup parameter') && message.includes('statement_timeout')
}

/**
 * Whether the server has refused the values of a statement, which says nothing about the connection: data exceptions,
 * violated constraints, and transactions that meet another one.
 */
export function isRefusal(error: unknown): boolean {
  return /^(22|23|40)/.test(getCode(error))
}

/** A code for driver errors without one. */
function getName(error: unknown): string {
  if (errorClassifier.isBroken(error)) return connectionFailure
  return lateMessage.test(getDriverError(error).message) ? 'Timeout' : ''
}

function getCode(error: unknown): string {
  const { code } = getDriverError(error)
  return typeof code === 'string' ? code : ''
}
