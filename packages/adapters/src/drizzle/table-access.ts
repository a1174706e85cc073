import type { Revocation } from '@postern/core'
import type {
  AccountRow,
  EventRow,
  EvidenceRow,
  FactorRow,
  RecordRow,
  SessionRow,
  TicketRow,
  TokenRow,
  VersionRow
} from '../rows.ts'
import type { UserRow } from '../user-columns.ts'
import type { RowTable, Statements } from './statements.ts'

/** A row of the table `postern_lock`. */
interface LeaseRow {
  readonly key: string
  readonly owner: string
  readonly until: number
}

/** The tables in use, and the statements on them. */
export interface TableAccess {
  readonly tables: {
    readonly users: RowTable<UserRow>
    readonly accounts: RowTable<AccountRow>
    readonly sessions: RowTable<SessionRow>
    readonly verificationTokens: RowTable<TokenRow>
    readonly posternAccounts: RowTable<EvidenceRow>
    readonly posternEvents: RowTable<EventRow>
    readonly posternLocks: RowTable<LeaseRow>
    readonly posternFactors: RowTable<FactorRow>
    readonly posternRevocations: RowTable<Revocation & { readonly noted: number }>
    readonly posternSessions: RowTable<RecordRow>
    readonly posternTickets: RowTable<TicketRow>
    readonly posternUsers: RowTable<VersionRow & { readonly deleteAfter: Date | null }>
  }
  readonly statements: Statements
}
