import type { Adapter } from '@postern/core'
import { accountMethods } from './accounts.ts'
import { attemptAtStart } from './busy.ts'
import { openClient, type SqliteClient, type SqliteSource, unwrapClient } from './client.ts'
import { connect } from './connection.ts'
import { leaseMethods } from './leases.ts'
import { checkSchema, migrate } from './migrations.ts'
import { sessionMethods } from './sessions.ts'
import { userMethods } from './users.ts'
import { verificationTokenMethods } from './verification-tokens.ts'

/** What `sqliteAdapter` takes. */
export type SqliteOptions = SqliteSource & {
  /** Whether missing tables are created at start. @defaultValue `true` */
  readonly migrate?: boolean | undefined
}

/**
 * Keeps everything in SQLite, through better-sqlite3 and drizzle-orm.
 *
 * With `file` the database is opened in WAL mode, and `close` closes it. With `db` the connection stays the
 * application's: its pragmas are left alone, and `close` leaves it open.
 *
 * While another process holds the database, writes are tried again for 5 s. A key that is there already is a
 * `DuplicateError`.
 *
 * @throws Error where a table or a column is missing, and TypeError where `db` is not better-sqlite3.
 */
export function sqliteAdapter(options: SqliteOptions): Required<Adapter> {
  const isOwn = 'file' in options
  const client = isOwn ? attemptAtStart(() => openClient(options.file)) : unwrapClient(options.db)
  const close = (): void => {
    if (isOwn) client.close()
  }
  try {
    attemptAtStart(() => prepareSchema(client, options.migrate ?? true))
    return toAdapter(client, close)
  } catch (error) {
    close()
    throw error
  }
}

function prepareSchema(client: SqliteClient, isMigrated: boolean): void {
  if (isMigrated) migrate(client)
  checkSchema(client)
}

function toAdapter(client: SqliteClient, close: () => void): Required<Adapter> {
  const connection = connect(client)
  return {
    ...userMethods(connection),
    ...accountMethods(connection),
    ...sessionMethods(connection),
    ...verificationTokenMethods(connection),
    ...leaseMethods(connection),
    close: async () => close()
  }
}
