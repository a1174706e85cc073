import t from 'tap'
import { isTransientError } from '../../src/errors/transient-errors.ts'

const withCode = (code: string, cause?: unknown): Error => Object.assign(new Error('failed', { cause }), { code })

t.test('outage-1: what Node and the databases call a server that is out of order', async (t) => {
  const node = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN']
  const postgres = ['08006', '40001', '40P01', '53100', '53300', '57014', '57P01', '58030', '25006', 'Timeout']
  const mysql = ['PROTOCOL_CONNECTION_LOST', 'ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_1927', 'ER_DISK_FULL']
  const slow = ['ER_QUERY_TIMEOUT', 'ER_1969', 'CONNECTION_CLOSED', 'CONNECT_TIMEOUT']
  const full = ['ER_RECORD_FILE_FULL', 'ER_ERROR_ON_WRITE', 'ER_TOO_MANY_USER_CONNECTIONS']
  const readOnly = ['ER_OPTION_PREVENTS_STATEMENT', 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION', 'ER_READ_ONLY_MODE']
  const sqlite = ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY']
  for (const code of [...node, ...postgres, ...mysql, ...slow, ...full, ...readOnly, ...sqlite]) {
    t.ok(isTransientError(withCode(code)), code)
    t.ok(
      isTransientError(new Error('wrapped', { cause: new Error('twice', { cause: withCode(code) }) })),
      `${code}, wrapped`
    )
  }
})

t.test('a refusal is not transient, and neither is an empty error', async (t) => {
  const codes = ['23505', '23514', '22001', '42P01', 'ER_DUP_ENTRY', 'ER_BAD_NULL_ERROR', 'SQLITE_CONSTRAINT_CHECK']
  for (const code of [
    ...codes,
    'SQLITE_ERROR',
    'Duplicate',
    '22021',
    'CharacterSet',
    '',
    'ERR_INVALID_ARG_TYPE',
    'P2002'
  ])
    t.notOk(isTransientError(withCode(code)), code)
  for (const value of [new Error('failed'), 'ECONNREFUSED', { code: 'ECONNREFUSED' }, null, undefined])
    t.notOk(isTransientError(value))
})
