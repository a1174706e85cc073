import { and, asc, eq } from 'drizzle-orm'
import type { FactorMethods } from '../../methods.ts'
import { isSameFactor, resolveFactorUpdate, toFactorPatch, toFactorRow } from '../../rows.ts'
import { createFind, insertOnce, isUndone, type ServerConnection } from './connection.ts'
import { isKey } from './statements.ts'

/** The methods for factors. */
export function factorMethods(connection: ServerConnection): FactorMethods {
  const { tables, statements, fit, retryIdempotent, runOnce } = connection
  const { posternFactors: factors } = tables
  const { isExactly } = statements
  const key = { type: factors.type, id: factors.id }
  const find = createFind(connection, factors, key)
  return {
    createFactor: (factor) => insertOnce(connection, factors, toFactorRow(factor), { find, isSame: isSameFactor }),
    getFactor: (key) => retryIdempotent(() => find(key)),
    listFactors: (userId, type) => {
      const isOfType = type === undefined ? undefined : isExactly(factors.type, type)
      const where = and(isExactly(factors.userId, userId), isOfType)
      const orderBy = [asc(factors.createdAt), asc(factors.id)]
      return retryIdempotent(() => statements.select(factors, { where, orderBy }))
    },
    // Updates a factor that has the expected version and user.
    updateFactor: (...[factor, expectedVersion]) => {
      const { type, id, userId } = factor
      const isVersion = eq(factors.version, expectedVersion)
      const isExpected = and(isKey(isExactly, key, { type, id }), isExactly(factors.userId, userId), isVersion)
      return runOnce(
        async () => {
          const patch = fit(factors, toFactorPatch(factor, expectedVersion))
          return (await statements.update(factors, patch, isExpected)) === 1
        },
        async (error) => resolveFactorUpdate(await find(factor), [factor, expectedVersion], error)
      )
    },
    deleteFactor: ({ type, id }) =>
      runOnce(
        () => statements.deleteOne(factors, key, { type, id }),
        isUndone(() => find({ type, id }))
      )
  }
}
