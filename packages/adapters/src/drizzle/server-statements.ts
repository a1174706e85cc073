import { and, eq, isNull } from 'drizzle-orm'
import { isKey, omitKey, type Statements, type Values } from './statements.ts'

/** The statements of a database server that are made of its other ones. */
export function deriveStatements({
  isExactly,
  prepare,
  update
}: Pick<Statements, 'isExactly' | 'prepare' | 'update'>): Pick<Statements, 'find' | 'replace'> {
  return {
    find: (table, key, fields) => {
      const find = prepare(table, () => ({ ...(fields ? { fields } : {}), where: isKey(isExactly, key) }))
      return async (values) => (await find(values))[0] ?? null
    },
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
