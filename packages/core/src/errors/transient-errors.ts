/**
 * Error codes of Node and undici for an unreachable server, and of PostgreSQL (SQLSTATE), MySQL, SQLite, Redis and Prisma for
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
    'OOM|READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|MISCONF|NOREPLICAS',
    'SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)\\w*'
  ]
    .map((codes) => `^(${codes})$`)
    .join('|')
)

/** The codes of them for a connection that was lost, so that another one may be there at once. */
const lostConnectionCodes =
  /^(UND_ERR_SOCKET|P1017|ECONNRESET|EPIPE|08\w{3}|57P0[1-3]|CONNECTION_(CLOSED|DESTROYED|ENDED)|PROTOCOL_CONNECTION_LOST|ER_(SERVER_SHUTDOWN|1927|4031))$/

/** Whether an error, or one of its causes, indicates that the connection to a server was lost. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && lostConnectionCodes.test(String(error.code))) || isLostConnection(error.cause)
}

/** Whether an error, or one of its causes, indicates that a server is temporarily unavailable. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'TimeoutError') return true
  return ('code' in error && transientCodes.test(String(error.code))) || isTransientError(error.cause)
}
