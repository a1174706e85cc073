import type { Revocation } from '@postern/core'
import type {
  AccountRow,
  EventRow,
  EvidenceRow,
  FactorRow,
  RecordRow,
  SessionRow,
  TicketRow,
  TokenRow
} from '../../rows.ts'
import type { UserRow } from '../../user-columns.ts'
import type { Fit } from '../fit-columns.ts'
import type { QueryRunner } from '../retry.ts'
import { isKey, type RowTable, type Statements } from './statements.ts'

/** The connection of a database server: its tables, and the functions to query them. */
export interface ServerConnection extends QueryRunner {
  readonly tables: {
    readonly users: RowTable<UserRow>
    readonly accounts: RowTable<AccountRow>
    readonly sessions: RowTable<SessionRow>
    readonly verificationTokens: RowTable<TokenRow>
    readonly posternAccounts: RowTable<EvidenceRow>
    readonly posternEvents: RowTable<EventRow>
    readonly posternFactors: RowTable<FactorRow>
    readonly posternRevocations: RowTable<Revocation & { readonly noted: number }>
    readonly posternSessions: RowTable<RecordRow>
    readonly posternTickets: RowTable<TicketRow>
  }
  readonly statements: Statements
  readonly fit: Fit
}

/** Creates the function that finds the row with a key. */
export function createFind<Row, Field extends keyof Row & string>(
  { statements }: ServerConnection,
  table: RowTable<Row>,
  key: { readonly [F in Field]: RowTable<Row>[F] }
): (values: Pick<Row, Field>) => Promise<Row | null> {
  const find = statements.prepare(table, () => isKey(statements.isExactly, key))
  return async (values) => (await find(values))[0] ?? null
}

/** How the row is found that an insertion may have written, and whether it is that one. */
interface Look<Row> {
  readonly find: (row: Row) => Promise<Row | null>
  readonly isSame: (found: Row, written: Row) => boolean
}

/** Inserts a row once: after a lost connection, what is stored shows whether it was inserted. */
export function insertOnce<Row extends object>(
  { statements, fit, runOnce }: ServerConnection,
  table: RowTable<Row>,
  row: Row,
  { find, isSame }: Look<Row>
): Promise<Row> {
  return runOnce(
    async () => {
      await statements.insert(table, fit(table, row))
      return row
    },
    async () => {
      const found = await find(row)
      return found && isSame(found, row) ? found : null
    }
  )
}

/**
 * Looks up the outcome of a deletion: if the row still exists, nothing was deleted. If it no longer exists, it is unknown which caller
 * deleted it, and the error is thrown.
 */
export function isUndone(find: () => Promise<unknown>): (error: unknown) => Promise<null> {
  return async (error) => {
    if (await find()) return null
    throw error
  }
}
