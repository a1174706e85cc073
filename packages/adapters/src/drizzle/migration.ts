import type { Table } from 'drizzle-orm'

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

/** The SQL of a plan; nothing is done to tables that the application defines. */
export function toSql<Tables>(
  plan: MigrationPlan<Tables>,
  tables: Tables,
  given: ReadonlySet<Table> = new Set()
): string {
  const own = plan.statements(tables).filter(([table]) => !given.has(table))
  return own.map(([, sql]) => `${sql};\n`).join('')
}

/** The plans as SQL. */
export function toMigrations<Tables>(plans: readonly MigrationPlan<Tables>[], tables: Tables): readonly Migration[] {
  return plans.map((plan) => ({ version: plan.version, name: plan.name, sql: toSql(plan, tables) }))
}

/** What to tell where tables or columns are missing. */
export function describeMissing(
  dialect: string,
  missing: readonly string[],
  plans: readonly { readonly name: string }[]
): string {
  const files = plans.map(({ name }) => `migrations/${dialect}/${name}.sql`).join(', ')
  return (
    `expected the tables of Auth.js and those called postern_…, but these are missing: ${missing.join(', ')}; ` +
    `${files} of @postern/adapters makes them, and is applied at start unless migrate is false; ` +
    'tables that exist are never altered'
  )
}
