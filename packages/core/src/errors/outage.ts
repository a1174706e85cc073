/**
 * What Node calls a server that cannot be reached, and PostgreSQL (SQLSTATE), MySQL and SQLite a database that cannot be
 * used now. Anything else may be a refusal, which another try would meet again.
 */
const outage = new RegExp(
  [
    'E(CONN|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN)\\w*',
    'Timeout|(08|40|53|57)\\w{3}',
    'PROTOCOL_CONNECTION_LOST|ER_(SERVER_SHUTDOWN|CON_COUNT_ERROR|LOCK_\\w+|DISK_FULL|1927|4031)',
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
