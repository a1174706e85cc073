interface OwnedTables<Table> {
  readonly sessions: Table
  readonly posternSessions: Table
  readonly posternTickets: Table
  readonly posternFactors: Table
  readonly posternAccounts: Table
  readonly accounts: Table
}

/** The tables whose rows are deleted with their user. The table of accounts is the last one. */
export function listOwnedTables<Table>(tables: OwnedTables<Table>): readonly Table[] {
  const { sessions, posternSessions, posternTickets, posternFactors, posternAccounts, accounts } = tables
  return [sessions, posternSessions, posternTickets, posternFactors, posternAccounts, accounts]
}
