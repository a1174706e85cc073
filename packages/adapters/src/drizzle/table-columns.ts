/**
 * What a column holds, by which each dialect chooses its type. Keys are compared and indexed; texts may be long. Instants have
 * milliseconds.
 */
export type ColumnKind =
  | 'id'
  | 'reference'
  | 'key'
  | 'nullableKey'
  | 'uniqueToken'
  | 'accountType'
  | 'subject'
  | 'providerSessionId'
  | 'text'
  | 'nullableText'
  | 'instant'
  | 'nullableInstant'
  | 'count'
  | 'number'
  | 'nullableNumber'

/** The columns of a table. */
export type ColumnKinds = Readonly<Record<string, ColumnKind>>

type Some<Field> = readonly [Field, ...Field[]]

/** The keys of a table. */
interface TableKeys<Field extends string> {
  /** What the names of the indexes begin with, if it is not the name of the table. */
  readonly label?: string
  /** The primary key, if it has several columns. */
  readonly primaryKey?: Some<Field>
  /** The columns of each index, by the end of its name. */
  readonly indexes?: Readonly<Record<string, Some<Field>>>
}

/** A table of the schema. */
export interface TableColumns<Columns extends ColumnKinds> extends TableKeys<keyof Columns & string> {
  readonly columns: Columns
}

const define = <Columns extends ColumnKinds>(table: TableColumns<Columns>): TableColumns<Columns> => table

/** The tables beside the one of users: those of Auth.js, and Postern's own. */
export const tableColumns = {
  accounts: define({
    columns: {
      userId: 'reference',
      type: 'accountType',
      provider: 'key',
      providerAccountId: 'key',
      refresh_token: 'nullableText',
      access_token: 'nullableText',
      expires_at: 'nullableNumber',
      token_type: 'nullableText',
      scope: 'nullableText',
      id_token: 'nullableText',
      session_state: 'nullableText'
    },
    primaryKey: ['provider', 'providerAccountId'],
    indexes: { userId: ['userId'] }
  }),
  sessions: define({
    columns: { sessionToken: 'id', userId: 'reference', expires: 'instant' },
    indexes: { userId_expires: ['userId', 'expires'], expires: ['expires'] }
  }),
  verificationTokens: define({
    columns: { identifier: 'key', token: 'key', expires: 'instant' },
    primaryKey: ['identifier', 'token'],
    indexes: { expires: ['expires'] }
  }),
  locks: define({ label: 'lock', columns: { key: 'id', owner: 'key', until: 'number' } }),
  records: define({
    label: 'record',
    columns: {
      id: 'id',
      userId: 'key',
      sessionToken: 'uniqueToken',
      provider: 'nullableKey',
      providerSessionId: 'providerSessionId',
      userAgent: 'nullableText',
      address: 'nullableText',
      createdAt: 'instant',
      lastSeen: 'instant',
      expires: 'instant',
      data: 'nullableText'
    },
    indexes: {
      userId_expires: ['userId', 'expires'],
      provider: ['provider', 'providerSessionId'],
      expires: ['expires']
    }
  }),
  revocations: define({
    label: 'revocation',
    columns: { subject: 'subject', version: 'number', until: 'instant', noted: 'number' },
    indexes: { noted: ['noted'], until: ['until'] }
  }),
  evidence: define({
    label: 'evidence',
    columns: { provider: 'key', providerAccountId: 'key', userId: 'key', email: 'text', verifiedAt: 'instant' },
    primaryKey: ['provider', 'providerAccountId'],
    indexes: { userId: ['userId'] }
  }),
  tickets: define({
    label: 'ticket',
    columns: {
      kind: 'key',
      id: 'key',
      userId: 'nullableKey',
      data: 'text',
      tries: 'count',
      expires: 'instant',
      dueAt: 'nullableInstant'
    },
    primaryKey: ['kind', 'id'],
    indexes: { userId: ['userId'], expires: ['expires'], dueAt: ['dueAt'] }
  }),
  factors: define({
    label: 'factor',
    columns: {
      type: 'key',
      id: 'key',
      userId: 'key',
      name: 'nullableText',
      data: 'text',
      createdAt: 'instant',
      lastUsedAt: 'nullableInstant',
      version: 'count'
    },
    primaryKey: ['type', 'id'],
    indexes: { userId: ['userId'] }
  }),
  events: define({
    label: 'event',
    columns: {
      id: 'id',
      time: 'instant',
      type: 'key',
      userId: 'nullableKey',
      sessionId: 'nullableKey',
      ip: 'nullableText',
      userAgent: 'nullableText',
      provider: 'nullableKey',
      requestId: 'nullableText',
      data: 'nullableText'
    },
    indexes: { userId: ['userId', 'time'], time: ['time'] }
  }),
  userVersions: define({
    label: 'user',
    columns: {
      userId: 'id',
      version: 'number',
      sessionsFrom: 'number',
      suspendedAt: 'nullableInstant',
      changeId: 'nullableKey',
      until: 'nullableInstant',
      /** When the row may be deleted: `null` while the user exists. */
      deleteAfter: 'nullableInstant'
    },
    indexes: { deleteAfter: ['deleteAfter'] }
  })
}

/** The builders of a dialect: each creates a column. Only that of a reference uses the table of users. */
export type ColumnBuilders<Types, Users> = {
  readonly [Kind in keyof Types]: (name: string, users: Users) => Types[Kind]
}

/** The table that accounts and sessions refer to, and the names of columns that differ from their fields. */
export interface ColumnContext<Users> {
  readonly users: Users
  readonly names?: Readonly<Record<string, string | undefined>> | undefined
}

/** Creates the columns of a table. */
export function buildColumns<Columns extends ColumnKinds, Types extends Record<ColumnKind, unknown>, Users>(
  columns: Columns,
  builders: ColumnBuilders<Types, Users>,
  { users, names = {} }: ColumnContext<Users>
): { [Field in keyof Columns]: Types[Columns[Field]] } {
  const built = Object.entries(columns).map(([field, kind]) => [field, builders[kind](names[field] ?? field, users)])
  return Object.fromEntries(built)
}

/** The columns of the primary key, if it has several, and those of each index with its name. */
export function findKeys<Column>({ label, primaryKey, indexes = {} }: TableKeys<string>, name: string, table: object) {
  const pick = ([first, ...others]: Some<string>): [Column, ...Column[]] => [
    Reflect.get(table, first),
    ...others.map((field): Column => Reflect.get(table, field))
  ]
  return {
    primaryKeys: primaryKey ? [pick(primaryKey)] : [],
    indexes: Object.entries(indexes).map(([end, fields]) => ({
      name: `postern_${label ?? name}_${end}`,
      columns: pick(fields)
    }))
  }
}
