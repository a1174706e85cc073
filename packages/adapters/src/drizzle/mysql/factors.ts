import type { FactorKey } from '@postern/core'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { FactorMethods } from '../../methods.ts'
import { type FactorRow, isSameFactor, resolveFactorUpdate, toFactorPatch, toFactorRow } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { type Connection, getAffectedRows } from './connection.ts'

/** The methods for factors. */
export function factorMethods(connection: Connection): FactorMethods {
  const { db, tables, fit, isExactly, retryIdempotent, runOnce } = connection
  const { posternFactors: factors } = tables
  const byKey = lazy(() => prepareByKey(connection))
  const find = async ({ type, id }: FactorKey): Promise<FactorRow | null> =>
    (await byKey().execute({ type, id }))[0] ?? null
  return {
    createFactor: (factor) => {
      const row = toFactorRow(factor)
      return runOnce(
        async () => {
          await db.insert(factors).values(fit(factors, row))
          return row
        },
        async () => {
          const found = await find(row)
          return found && isSameFactor(found, row) ? found : null
        }
      )
    },
    getFactor: (key) => retryIdempotent(() => find(key)),
    listFactors: (userId, type) => {
      const isOfType = type === undefined ? undefined : isExactly(factors.type, type)
      const isListed = and(isExactly(factors.userId, userId), isOfType)
      return retryIdempotent(() =>
        db.select().from(factors).where(isListed).orderBy(asc(factors.createdAt), asc(factors.id))
      )
    },
    updateFactor: createUpdate(connection, find),
    deleteFactor: (key) =>
      runOnce(
        async () => getAffectedRows(await db.delete(factors).where(isKey(connection, key))) === 1,
        async (error) => {
          // If the factor still exists, nothing was deleted. If it no longer exists, it is unknown which caller deleted it.
          if (await find(key)) return null
          throw error
        }
      )
  }
}

/** Updates a factor that has the expected version and user. @returns `false` if it has not. */
function createUpdate(
  connection: Connection,
  find: (key: FactorKey) => Promise<FactorRow | null>
): FactorMethods['updateFactor'] {
  const { db, tables, fit, isExactly, runOnce } = connection
  const { posternFactors: factors } = tables
  return (...[factor, expectedVersion]) => {
    const isVersion = eq(factors.version, expectedVersion)
    const isExpected = and(isKey(connection, factor), isExactly(factors.userId, factor.userId), isVersion)
    return runOnce(
      async () => {
        const patch = fit(factors, toFactorPatch(factor, expectedVersion))
        return getAffectedRows(await db.update(factors).set(patch).where(isExpected)) === 1
      },
      async (error) => resolveFactorUpdate(await find(factor), [factor, expectedVersion], error)
    )
  }
}

function isKey({ tables, isExactly }: Connection, { type, id }: FactorKey) {
  const { posternFactors: factors } = tables
  return and(isExactly(factors.type, type), isExactly(factors.id, id))
}

function prepareByKey({ db, tables, isExactly }: Connection) {
  const { posternFactors: factors } = tables
  const [type, id] = [sql.placeholder('type'), sql.placeholder('id')]
  return db
    .select()
    .from(factors)
    .where(and(isExactly(factors.type, type), isExactly(factors.id, id)))
    .prepare()
}
