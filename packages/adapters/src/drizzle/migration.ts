import type { Table } from 'drizzle-orm'
import type { ResolvedTables } from './table-options.ts'

/** A step of the schema, as SQL. */
export interface Migration {
  readonly version: number
  /** `0001_tables`; the package has it as a file of this name, too. */
  readonly name: string
  readonly sql: string
}

/** A step of the schema, for tables of whatever names. */
export interface MigrationPlan<Tables> {
  readonly version: number
  readonly name: string
  /** The statements in order, each with the table that it is about. */
  readonly statements: (tables: Tables) => readonly (readonly [table: Table, sql: string])[]
}

/** The SQL of a plan, for those of its tables that are wanted. */
export function toSql<Tables>(
  plan: MigrationPlan<Tables>,
  tables: Tables,
  isWanted: (table: Table) => boolean = () => true
): string {
  const wanted = plan.statements(tables).filter(([table]) => isWanted(table))
  return wanted.map(([, sql]) => `${sql};\n`).join('')
}

/** The plans as SQL. */
export function toMigrations<Tables>(plans: readonly MigrationPlan<Tables>[], tables: Tables): readonly Migration[] {
  return plans.map((plan) => ({ version: plan.version, name: plan.name, sql: toSql(plan, tables) }))
}

/** A table that the database lacks, or a column that one of its tables lacks. */
export interface Missing {
  readonly table: Table
  readonly isWhole: boolean
  /** What to call it. */
  readonly name: string
}

/** Tells of a table that is missing; `name` is quoted. */
export const missingTable = (table: Table, name: string): Missing => ({ table, isWhole: true, name: `table ${name}` })

/** Tells of a column that is missing; `name` is quoted, and that of its table before it. */
export const missingColumn = (table: Table, name: string): Missing => ({
  table,
  isWhole: false,
  name: `column ${name}`
})

/** What is left to do of a plan. */
export interface Work {
  readonly version: number
  readonly sql: string
}

/**
 * What is left to do: plans that were not applied, and tables that are missing although they were: they have another
 * name now, were deleted, or are those of a second application. Tables that are there are left as they are, and so are
 * those that the application defines.
 */
export function toWork<Tables>(
  plans: readonly MigrationPlan<Tables>[],
  { tables, given }: ResolvedTables<Tables>,
  { applied, missing }: { readonly applied: readonly unknown[]; readonly missing: readonly Missing[] }
): readonly Work[] {
  const lacking = new Set(missing.flatMap(({ table, isWhole }) => (isWhole && !given.has(table) ? [table] : [])))
  const work = plans.map((plan) => ({
    version: plan.version,
    sql: toSql(plan, tables, (table) => lacking.has(table))
  }))
  return work.filter(({ version, sql }) => sql !== '' || !applied.includes(version))
}

/** How a start came to miss something. */
export interface Start {
  readonly isMigrated: boolean
  /** What the database said when it refused to make it. */
  readonly refusal: string | null
}

/** What to tell where tables or columns are missing. */
export function describeMissing(
  { dialect, plans }: { readonly dialect: string; readonly plans: readonly { readonly name: string }[] },
  missing: readonly Missing[],
  { isMigrated, refusal }: Start
): string {
  const files = plans.map(({ name }) => `migrations/${dialect}/${name}.sql`).join(', ')
  const names = missing.map(({ name }) => name).join(', ')
  const mend =
    refusal === null
      ? isMigrated
        ? 'tables that exist are never altered, and those that the application defines are for it to make: ' +
          `add what is missing, as ${files} of @postern/adapters has it`
        : `${files} of @postern/adapters makes tables, and so does a start without migrate: false; ` +
          'tables that exist are never altered'
      : `the database refuses to make them (${refusal}): let their owner apply ${files} of @postern/adapters`
  return `expected the tables of Auth.js and those called postern_…, but these are missing: ${names}; ${mend}`
}
