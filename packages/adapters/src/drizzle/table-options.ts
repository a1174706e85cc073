import type { AdapterSession, VerificationToken } from '@postern/core'
import { getTableColumns, type Table } from 'drizzle-orm'
import type { AccountRow, SessionRow, TokenRow, UserRow } from '../rows.ts'
import { requireFields } from './check-schema.ts'

type Names<Row> = { readonly [Field in keyof Row]?: string | undefined }

/** What the columns of each table are called in the database, where it is not the name of the field. */
export interface ColumnNames {
  readonly users?: Names<UserRow> | undefined
  readonly accounts?: Names<AccountRow> | undefined
  readonly sessions?: Names<AdapterSession> | undefined
  readonly verificationTokens?: Names<VerificationToken> | undefined
}

/** What the tables are called in the database. */
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

/** A table of the application's own that has the fields of `Row`, and maybe more. */
export type TableOf<Base, Col, Row> = Base & { readonly [Field in keyof Row]: Col }

/** The tables of Auth.js, as they are in use. */
export type FourTables = { readonly [K in keyof TableNames]-?: Table }

/** The four tables: for each the name that it has in the database, or the application's own drizzle table. */
type TableChoice = { readonly [K in keyof TableNames]?: string | Table | undefined }

/** Which tables there are, and whether we create them. */
export interface SchemaChoice {
  readonly migrate?: boolean | undefined
  readonly tables?: TableChoice | undefined
  readonly columns?: ColumnNames | undefined
}

/** The four tables: for each a name, or a drizzle table of the application's own. */
export interface TableOptions<Base, Col, Users> {
  /** The rows have the columns that a table of yours has besides. @defaultValue `'user'` */
  readonly users?: string | Users | undefined
  /** @defaultValue `'account'` */
  readonly accounts?: string | TableOf<Base, Col, AccountRow> | undefined
  /** @defaultValue `'session'` */
  readonly sessions?: string | TableOf<Base, Col, SessionRow> | undefined
  /** @defaultValue `'verificationToken'` */
  readonly verificationTokens?: string | TableOf<Base, Col, TokenRow> | undefined
}

/** What every SQL adapter takes besides its database: the base type of its tables and columns, and of its users. */
export interface SchemaOptions<Base, Col, Users> {
  /** Whether missing tables are created at start. @defaultValue `true` */
  readonly migrate?: boolean | undefined
  /** The names of the tables, or drizzle tables of the application's own, which it creates itself. */
  readonly tables?: TableOptions<Base, Col, Users> | undefined
  /** The names of columns, where they are not those of the fields: `{ users: { emailVerified: 'email_verified' } }`. */
  readonly columns?: ColumnNames | undefined
}

/** The tables in use, and which of them are the application's own. */
export interface ResolvedTables<Tables> {
  readonly tables: Tables
  /** Tables that the application defines, so that it is for the application to create them. */
  readonly given: ReadonlySet<Table>
}

/**
 * Finds out which tables are meant.
 *
 * @throws ConfigError where a table of the application's lacks a field.
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
  const given = [users, accounts, sessions, verificationTokens].filter((table) => typeof table === 'object')
  const pick = <K extends keyof TableNames>(key: K, table: string | Table | undefined): Tables[K] => {
    if (typeof table !== 'object') return own[key]
    requireFields(key, table, own[key])
    return table
  }
  const tables = {
    ...own,
    users: pick('users', users),
    accounts: pick('accounts', accounts),
    sessions: pick('sessions', sessions),
    verificationTokens: pick('verificationTokens', verificationTokens)
  }
  return { tables, given: new Set(given) }
}

/** The fields of the table of users that are the application's own. */
export function extraFields(users: Table): readonly string[] {
  const standard = ['id', 'name', 'email', 'emailVerified', 'image']
  return Object.keys(getTableColumns(users)).filter((field) => !standard.includes(field))
}

function toName(table: string | Table | undefined): string | undefined {
  return typeof table === 'string' ? table : undefined
}
