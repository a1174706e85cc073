import type { Table } from 'drizzle-orm'
import type { ResolvedTables } from './table-options.ts'

/** A migration of the schema, as SQL. */
export interface Migration {
  readonly version: number
  /** `0001_tables`; the package also contains a file of this name. */
  readonly name: string
  readonly sql: string
}

/**
 * A migration of the schema, for tables with any names. Each dialect has its own plans, because the SQL that creates a table
 * differs; the contract suite holds all of them to one behavior.
 */
export interface MigrationPlan<Tables> {
  readonly version: number
  readonly name: string
  /** The statements in order, each with its table. */
  readonly statements: (tables: Tables) => readonly (readonly [table: Table, sql: string])[]
}

/** The SQL of a plan, limited to some of its statements. */
export function toSql<Tables>(
  plan: MigrationPlan<Tables>,
  tables: Tables,
  matches: (table: Table) => boolean = () => true
): string {
  const required = plan.statements(tables).filter(([table]) => matches(table))
  return required.map(([, sql]) => `${sql};\n`).join('')
}

/** Converts plans to SQL. */
export function toMigrations<Tables>(plans: readonly MigrationPlan<Tables>[], tables: Tables): readonly Migration[] {
  return plans.map((plan) => ({ version: plan.version, name: plan.name, sql: toSql(plan, tables) }))
}

/** A table that the database lacks, or a missing column of a table. */
export interface Missing {
  readonly table: Table
  readonly isComplete: boolean
  /** The name of the column; `null` for a table. */
  readonly column: string | null
  /** The name for messages. */
  readonly name: string
}

/** Describes a missing table; `name` is quoted. */
export const missingTable = (table: Table, name: string): Missing => ({
  table,
  isComplete: true,
  column: null,
  name: `table ${name}`
})

/** Describes a missing column; `name` is quoted, and prefixed with its table. */
export const missingColumn = (table: Table, column: string, name: string): Missing => ({
  table,
  isComplete: false,
  column,
  name: `column ${name}`
})

/** The remaining part of a plan. */
export interface Work {
  readonly version: number
  readonly sql: string
}

/**
 * Returns the remaining work: plans that were not applied, and tables that are missing although they were, because they
 * were renamed, deleted, or belong to a second application. An existing table is not changed.
 */
export function toWork<Tables>(
  plans: readonly MigrationPlan<Tables>[],
  { tables, given }: ResolvedTables<Tables>,
  { applied, missing }: { readonly applied: readonly unknown[]; readonly missing: readonly Missing[] }
): readonly Work[] {
  const lacking = new Set(missing.flatMap(({ table, isComplete }) => (isComplete && !given.has(table) ? [table] : [])))
  const work = plans.map((plan) => ({
    version: plan.version,
    sql: toSql(plan, tables, (table) => lacking.has(table))
  }))
  return work.filter(({ version, sql }) => sql !== '' || !applied.includes(version))
}

/** Why tables or columns may be missing at startup. */
export interface Start {
  readonly isMigrated: boolean
  /** The database's message if it refused to create them. */
  readonly refusal: string | null
}

/** The error message for missing tables or columns. */
export function describeMissing(
  { dialect, plans }: { readonly dialect: string; readonly plans: readonly { readonly name: string }[] },
  missing: readonly Missing[],
  { isMigrated, refusal }: Start
): string {
  const files = plans.map(({ name }) => `migrations/${dialect}/${name}.sql`).join(', ')
  const names = missing.map(({ name }) => name).join(', ')
  const hint =
    refusal === null
      ? isMigrated
        ? 'tables of Auth.js that exist are never altered, and the application creates the tables that it defines: ' +
          `add the missing parts, as in ${files} of @postern/adapters`
        : `${files} of @postern/adapters creates the tables, and so does a start without migrate: false; ` +
          'tables of Auth.js that exist are never altered'
      : `the database refuses to create them (${refusal}): let their owner apply ${files} of @postern/adapters`
  return `expected the tables of Auth.js and those called postern_…, but these are missing: ${names}; ${hint}`
}
