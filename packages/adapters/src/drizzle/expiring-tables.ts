/** A table with expiring rows: its key columns and its expiry column. */
export interface ExpiringTable<Table, Column> {
  readonly table: Table
  readonly key: Readonly<Record<string, Column>>
  readonly end: Column
}

type Has<Table, Column, Field extends string> = Table & { readonly [F in Field]: Column }

/** The tables with expiring rows. */
export interface ExpiringTables<Table, Column> {
  readonly sessions: Has<Table, Column, 'sessionToken' | 'expires'>
  readonly verificationTokens: Has<Table, Column, 'identifier' | 'token' | 'expires'>
  readonly posternSessions: Has<Table, Column, 'id' | 'expires'>
  readonly posternRevocations: Has<Table, Column, 'subject' | 'until'>
  readonly posternLocks: Has<Table, Column, 'key' | 'until'>
  readonly posternTickets: Has<Table, Column, 'kind' | 'id' | 'expires'>
  readonly posternUsers: Has<Table, Column, 'userId' | 'deleteAfter'>
}

/** Finds the tables with expiring rows. */
export function findExpiringTables<Table, Column>(
  tables: ExpiringTables<Table, Column>
): readonly ExpiringTable<Table, Column>[] {
  const { sessions, verificationTokens: tokens, posternSessions, posternRevocations, posternLocks } = tables
  const { posternTickets: tickets, posternUsers } = tables
  return [
    { table: sessions, key: { sessionToken: sessions.sessionToken }, end: sessions.expires },
    { table: tokens, key: { identifier: tokens.identifier, token: tokens.token }, end: tokens.expires },
    { table: posternSessions, key: { id: posternSessions.id }, end: posternSessions.expires },
    { table: posternRevocations, key: { subject: posternRevocations.subject }, end: posternRevocations.until },
    { table: posternLocks, key: { key: posternLocks.key }, end: posternLocks.until },
    { table: tickets, key: { kind: tickets.kind, id: tickets.id }, end: tickets.expires },
    { table: posternUsers, key: { userId: posternUsers.userId }, end: posternUsers.deleteAfter }
  ]
}
