/**
 * Error codes of Node and undici for an unreachable server, and of PostgreSQL (SQLSTATE), MySQL, SQLite and Prisma for
 * a database that is unreachable, overloaded, full or read-only. Other errors may be permanent.
 */
const transientCodes = new RegExp(
  [
    'UND_ERR_(SOCKET|CLOSED|DESTROYED|\\w+_TIMEOUT)|P10(01|02|08|17)|P2024',
    'E(CONN|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN)\\w*',
    'Timeout|(08|40|53|57|58)\\w{3}|25006|CONNECT(_TIMEOUT|ION_(CLOSED|DESTROYED|ENDED))',
    'PROTOCOL_CONNECTION_LOST|ER_(SERVER_SHUTDOWN|CON_COUNT_ERROR|TOO_MANY_USER_CONNECTIONS|1927|4031)',
    'ER_(LOCK_\\w+|QUERY_TIMEOUT|1969|DISK_FULL|RECORD_FILE_FULL|ERROR_ON_WRITE|OUT_OF_RESOURCES)',
    'ER_(OPTION_PREVENTS_STATEMENT|CANT_EXECUTE_IN_READ_ONLY_TRANSACTION|READ_ONLY_MODE)',
    'SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)\\w*'
  ]
    .map((codes) => `^(${codes})$`)
    .join('|')
)

/** Whether an error, or one of its causes, indicates that a server is temporarily unavailable. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'TimeoutError') return true
  return ('code' in error && transientCodes.test(String(error.code))) || isTransientError(error.cause)
}
