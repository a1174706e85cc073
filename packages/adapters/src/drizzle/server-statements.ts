import { and, eq, isNull } from 'drizzle-orm'
import { isKey, omitKey, type Prepared, type Statements, toRows, type Values } from './statements.ts'

/** A query that drizzle has prepared for a server. */
export function toPrepared<Row>(statement: {
  execute(values: Record<string, unknown>): Promise<unknown>
}): Prepared<Row> {
  const all = async (values: Values) => toRows<Row>(await statement.execute({ ...values }))
  return { all, first: async (values) => (await all(values))[0] ?? null }
}

/** Creates the statement that changes a row of a server if some of its columns are as expected. */
export function createReplace({
  isExactly,
  update
}: Pick<Statements, 'isExactly' | 'update'>): Pick<Statements, 'replace'> {
  return {
    replace: (table, key, expected) => async (row, values) => {
      const given: Values = { ...values }
      const areExpected = Object.entries(expected).map(([field, column]) => {
        const value = given[field] ?? null
        if (value === null) return isNull(column)
        return typeof value === 'string' ? isExactly(column, value) : eq(column, value)
      })
      const where = and(isKey(isExactly, key, { ...row }), ...areExpected)
      return (await update(table, omitKey(key, { ...row }), where)) === 1
    }
  }
}
