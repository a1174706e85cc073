import type { FactorKey } from '@postern/core'
import { and, asc, eq } from 'drizzle-orm'
import type { FactorMethods } from '../../methods.ts'
import { type FactorRow, isSameFactor, resolveFactorUpdate, toFactorPatch, toFactorRow } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { placeholder, unnamedPlaceholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'

/** The methods for factors. */
export function factorMethods(connection: Connection): FactorMethods {
  const { db, tables, fit, retryIdempotent, runOnce } = connection
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
      const isOfType = type === undefined ? undefined : eq(factors.type, type)
      const isListed = and(eq(factors.userId, userId), isOfType)
      return retryIdempotent(() =>
        db.select().from(factors).where(isListed).orderBy(asc(factors.createdAt), asc(factors.id))
      )
    },
    updateFactor: createUpdate(connection, find),
    deleteFactor: (key) =>
      runOnce(
        async () => (await db.delete(factors).where(isKey(connection, key)).returning({ id: factors.id })).length === 1,
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
  const { db, tables, fit, runOnce } = connection
  const { posternFactors: factors } = tables
  return (...[factor, expectedVersion]) => {
    const isVersion = eq(factors.version, expectedVersion)
    const isExpected = and(isKey(connection, factor), eq(factors.userId, factor.userId), isVersion)
    return runOnce(
      async () => {
        const patch = fit(factors, toFactorPatch(factor, expectedVersion))
        const written = db.update(factors).set(patch).where(isExpected)
        return (await written.returning({ version: factors.version })).length === 1
      },
      async (error) => resolveFactorUpdate(await find(factor), [factor, expectedVersion], error)
    )
  }
}

function isKey({ tables }: Connection, { type, id }: FactorKey) {
  const { posternFactors: factors } = tables
  return and(eq(factors.type, type), eq(factors.id, id))
}

function prepareByKey({ db, tables }: Connection) {
  const { posternFactors: factors } = tables
  return db
    .select()
    .from(factors)
    .where(and(eq(factors.type, placeholder('type')), eq(factors.id, placeholder('id'))))
    .prepare(unnamedPlaceholder)
}
