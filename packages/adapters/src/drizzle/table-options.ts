import type { AdapterSession, VerificationToken } from '@postern/core'
import { type Column, getTableColumns, type Table } from 'drizzle-orm'
import type { AccountRow, SessionRow, TokenRow } from '../rows.ts'
import { isUserColumn, type UserRow } from '../user-columns.ts'
import { requireFields } from './check-schema.ts'
import type { DatabaseNotes } from './database-problems.ts'
import { withTextIds } from './text-ids.ts'

type Names<Row> = { readonly [Field in keyof Row]?: string | undefined }

/** The names of columns in the database, if they differ from the field names. */
export interface ColumnNames {
  readonly users?: Names<UserRow> | undefined
  readonly accounts?: Names<AccountRow> | undefined
  readonly sessions?: Names<AdapterSession> | undefined
  readonly verificationTokens?: Names<VerificationToken> | undefined
}

/** The names of tables in the database. */
export interface TableNames {
  readonly users?: string | undefined
  readonly accounts?: string | undefined
  readonly sessions?: string | undefined
  readonly verificationTokens?: string | undefined
}

/** The names of tables and columns. */
export interface Naming {
  readonly tables?: TableNames | undefined
  readonly columns?: ColumnNames | undefined
}

/** A table of the application that has the fields of `Row`, and possibly others. */
export type TableOf<Base, Col, Row> = Base & {
  readonly [Field in keyof Row]: Col & { readonly _: FieldType<Field, Row[Field]> }
}

/**
 * The type of a field in a drizzle table: ids may also be numbers, and are text for the adapter. A `customType` converts its own
 * values, so those of an id must be text.
 */
type FieldType<Field, Value> = Field extends 'id' | 'userId'
  ? { readonly data: string } | { readonly data: number | bigint; readonly dataType: 'number' | 'bigint' }
  : { readonly data: Value extends string | null ? string : NonNullable<Value> }

/** The tables of Auth.js that are in use. */
export type FourTables = { readonly [K in keyof TableNames]-?: Table }

/** The four tables: for each, its name in the database, or the application's drizzle table. */
type TableChoice = { readonly [K in keyof TableNames]?: string | Table | undefined }

/** The tables, and whether Postern creates them. */
export interface SchemaChoice {
  readonly migrate?: boolean | undefined
  readonly tables?: TableChoice | undefined
  readonly columns?: ColumnNames | undefined
}

/** The four tables: for each, a name, or a drizzle table of the application. */
export interface TableOptions<Base, Col, Users> {
  /** The rows include the additional columns of the application's table. @defaultValue `'user'` */
  readonly users?: string | Users | undefined
  /** @defaultValue `'account'` */
  readonly accounts?: string | TableOf<Base, Col, AccountRow> | undefined
  /** @defaultValue `'session'` */
  readonly sessions?: string | TableOf<Base, Col, SessionRow> | undefined
  /** @defaultValue `'verificationToken'` */
  readonly verificationTokens?: string | TableOf<Base, Col, TokenRow> | undefined
}

/**
 * The options of every SQL adapter except its database. The type parameters are the base types of tables and columns,
 * and the users table.
 */
export interface SchemaOptions<Base, Col, Users> {
  /** Whether missing tables are created at startup. @defaultValue `true` */
  readonly migrate?: boolean | undefined
  /** The names of the tables, or drizzle tables that the application creates itself. */
  readonly tables?: TableOptions<Base, Col, Users> | undefined
  /** The names of columns that differ from the field names: `{ users: { emailVerified: 'email_verified' } }`. */
  readonly columns?: ColumnNames | undefined
}

/** The tables in use, and those that the application defines. */
export interface ResolvedTables<Tables> {
  readonly tables: Tables
  /** Tables that the application defines, and therefore creates. */
  readonly given: ReadonlySet<Table>
  /** Receives what the start finds in the database. */
  readonly notes: DatabaseNotes
}

/**
 * Resolves the tables.
 *
 * @throws ConfigError if a table of the application lacks a field.
 */
export function resolveTables<Tables extends FourTables>(
  choice: SchemaChoice,
  define: (naming: Naming) => Tables
): ResolvedTables<Tables> {
  const { users, accounts, sessions, verificationTokens } = choice.tables ?? {}
  const own = define({
    columns: choice.columns,
    tables: {
      users: toName(users),
      accounts: toName(accounts),
      sessions: toName(sessions),
      verificationTokens: toName(verificationTokens)
    }
  })
  const given = new Set<Table>()
  const pick = <K extends keyof TableNames>(key: K, table: string | Table | undefined): Tables[K] => {
    if (typeof table !== 'object') return own[key]
    requireFields(key, table, own[key])
    const used = withTextIds(table)
    given.add(used)
    return used
  }
  const tables = {
    ...own,
    users: pick('users', users),
    accounts: pick('accounts', accounts),
    sessions: pick('sessions', sessions),
    verificationTokens: pick('verificationTokens', verificationTokens)
  }
  return {
    tables,
    given,
    notes: { unreadable: null, unread: [], required: [], hasIntegerIds: false, isIdGiven: typeof users === 'object' }
  }
}

/** The fields of the users table that the application has added. */
export function extraFields(users: Table): readonly string[] {
  return Object.keys(getTableColumns(users)).filter((field) => !isUserColumn(field))
}

/** Those whose values the database does not generate: it refuses any other value for one that it does. */
export function writableFields(users: Table): readonly string[] {
  const columns: Record<string, Column> = getTableColumns(users)
  return extraFields(users).filter((field) => {
    const { generated, generatedIdentity } = columns[field] ?? {}
    return !generated && generatedIdentity?.type !== 'always'
  })
}

function toName(table: string | Table | undefined): string | undefined {
  return typeof table === 'string' ? table : undefined
}
