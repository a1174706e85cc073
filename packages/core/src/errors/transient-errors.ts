/**
 * What Node calls a server that cannot be reached, and PostgreSQL (SQLSTATE), MySQL and SQLite a database that cannot be
 * used now: it is away, overloaded, full, or read-only as a standby is. Anything else may be a refusal, which another try would meet again.
 */
const outage = new RegExp(
  [
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

/** Whether an error, or what caused it, says that its server is out of order for now. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && outage.test(String(error.code))) || isOutage(error.cause)
}
