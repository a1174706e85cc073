import { and, type Column, isNotNull } from 'drizzle-orm'
import type { Naming, TableNames } from './table-options.ts'

/**
 * What a column holds, by which each dialect chooses its type. Keys are compared and indexed; texts may be long. Instants have
 * milliseconds.
 */
export type ColumnKind =
  | 'userId'
  | 'id'
  | 'reference'
  | 'key'
  | 'nullableKey'
  | 'uniqueText'
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

/** A table of the schema, and its name by default. */
export interface TableColumns<Name extends string, Columns extends ColumnKinds> extends TableKeys<string> {
  readonly name: Name
  readonly columns: Columns
}

const define = <const Name extends string, Columns extends ColumnKinds>(
  table: TableColumns<Name, Columns> & TableKeys<keyof Columns & string>
): TableColumns<Name, Columns> => table

/** The tables of Auth.js, and Postern's own. */
export const tableColumns = {
  users: define({
    name: 'user',
    columns: {
      id: 'userId',
      name: 'nullableText',
      email: 'uniqueText',
      emailVerified: 'nullableInstant',
      image: 'nullableText'
    }
  }),
  accounts: define({
    name: 'account',
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
    name: 'session',
    columns: { sessionToken: 'id', userId: 'reference', expires: 'instant' },
    indexes: { userId_expires: ['userId', 'expires'], expires: ['expires'] }
  }),
  verificationTokens: define({
    name: 'verificationToken',
    columns: { identifier: 'key', token: 'key', expires: 'instant' },
    primaryKey: ['identifier', 'token'],
    indexes: { expires: ['expires'] }
  }),
  posternLocks: define({
    name: 'postern_lock',
    label: 'lock',
    columns: { key: 'id', owner: 'key', until: 'number' }
  }),
  posternSessions: define({
    name: 'postern_session',
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
  posternRevocations: define({
    name: 'postern_revocation',
    label: 'revocation',
    columns: { subject: 'subject', version: 'number', until: 'instant', noted: 'number' },
    indexes: { noted: ['noted'], until: ['until'] }
  }),
  posternAccounts: define({
    name: 'postern_account',
    label: 'evidence',
    columns: { provider: 'key', providerAccountId: 'key', userId: 'key', email: 'text', verifiedAt: 'instant' },
    primaryKey: ['provider', 'providerAccountId'],
    indexes: { userId: ['userId'] }
  }),
  posternTickets: define({
    name: 'postern_ticket',
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
  posternFactors: define({
    name: 'postern_factor',
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
  posternEvents: define({
    name: 'postern_event',
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
  posternUsers: define({
    name: 'postern_user',
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

type AllTables = typeof tableColumns

/** A table beside the one of users. */
export type OtherTable = Exclude<keyof AllTables, 'users'>

/** The name of a table in the database, which applications choose for those of Auth.js. */
export type TableName<Key extends keyof AllTables> = Key extends keyof TableNames ? string : AllTables[Key]['name']

/** The columns of a table by what they hold. */
export type ColumnsOf<Key extends keyof AllTables> = AllTables[Key]['columns']

/** The names of a table and its columns, if they differ from the fields. */
export interface TableNaming<Name extends string> {
  readonly name: Name
  readonly names: Readonly<Record<string, string | undefined>>
}

/** Finds the names of a table in the options. */
export function nameTable(key: keyof AllTables, { tables, columns }: Naming): TableNaming<string> {
  const chosen: Readonly<Record<string, string | undefined>> = { ...tables }
  const names: Readonly<Record<string, TableNaming<string>['names'] | undefined>> = { ...columns }
  return { name: chosen[key] ?? tableColumns[key].name, names: names[key] ?? {} }
}

/** Defines each table beside the one of users with the function of a dialect. */
export function defineEach<Tables>(
  naming: Naming,
  define: (table: TableColumns<string, ColumnKinds>, naming: TableNaming<string>, key: OtherTable) => unknown
): Tables {
  const { users, ...others } = tableColumns
  const keys = Object.keys(others).filter((key): key is OtherTable => Object.hasOwn(others, key))
  return Object.fromEntries(keys.map((key): unknown[] => [key, define(others[key], nameTable(key, naming), key)]))
}

/** The builders of a dialect: each creates a column. */
export type ColumnBuilders<Types> = { readonly [Kind in keyof Types]: (name: string) => Types[Kind] }

/** Creates the columns of a table. */
export function buildColumns<Columns extends ColumnKinds, Types extends Record<ColumnKind, unknown>>(
  columns: Columns,
  builders: ColumnBuilders<Types>,
  names: TableNaming<string>['names']
): { [Field in keyof Columns]: Types[Columns[Field]] } {
  const built = Object.entries(columns).map(([field, kind]) => [field, builders[kind](names[field] ?? field)])
  return Object.fromEntries(built)
}

/**
 * The columns of the primary key, if it has several, and those of each index with its name. No query looks for `null`: where the
 * database has indexes of some rows, they leave out those with `null` in a column.
 */
export function findKeys<OwnColumn extends Column>(
  { label, primaryKey, indexes = {} }: TableKeys<string>,
  name: string,
  table: object
) {
  const pick = ([first, ...others]: Some<string>): [OwnColumn, ...OwnColumn[]] => [
    Reflect.get(table, first),
    ...others.map((field): OwnColumn => Reflect.get(table, field))
  ]
  return {
    primaryKeys: primaryKey ? [pick(primaryKey)] : [],
    indexes: Object.entries(indexes).map(([end, fields]) => {
      const columns = pick(fields)
      const where = and(...columns.filter(({ notNull }) => !notNull).map((column) => isNotNull(column)))
      return { name: `postern_${label ?? name}_${end}`, columns, where }
    })
  }
}
