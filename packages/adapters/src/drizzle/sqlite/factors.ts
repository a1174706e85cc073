import type { Factor, FactorKey } from '@postern/core'
import { and, asc, eq, isNull, or } from 'drizzle-orm'
import type { FactorMethods } from '../../methods.ts'
import { toFactorPatch, toFactorRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholder, placeholders } from '../placeholder.ts'
import { tableColumns } from '../table-columns.ts'
import type { Connection } from './connection.ts'

const { type, id, userId, createdAt, ...changes } = placeholders(tableColumns.factors.columns)
const expectedVersion = placeholder('expectedVersion')

/** The synchronous parts of the methods that a transaction may contain. */
export function factorOperations(connection: Connection) {
  const bind = createEncode(connection.tables.posternFactors)
  const statements = lazy(() => prepareChanges(connection))
  return {
    createFactor: (factor: Factor): void => void statements().insert.run(bind(toFactorRow(factor))),
    updateFactor: (factor: Factor, expectedVersion: number): boolean => {
      const { type, id, userId } = factor
      const patch = bind(toFactorPatch(factor, expectedVersion))
      return statements().update.run({ type, id, userId, expectedVersion, ...patch }).changes === 1
    },
    deleteFactor: ({ type, id }: FactorKey): boolean => statements().delete.run({ type, id }).changes === 1
  }
}

/** The methods for factors. */
export function factorMethods({ db, tables, read }: Connection): Pick<FactorMethods, 'getFactor' | 'listFactors'> {
  const { posternFactors: factors } = tables
  const byKey = lazy(() => db.select().from(factors).where(isKey(tables)).prepare())
  const byUser = lazy(() =>
    db
      .select()
      .from(factors)
      .where(and(eq(factors.userId, userId), or(isNull(type), eq(factors.type, type))))
      .orderBy(asc(factors.createdAt), asc(factors.id))
      .prepare()
  )
  return {
    getFactor: ({ type, id }) => read(() => byKey().get({ type, id }) ?? null),
    listFactors: (userId, type) => read(() => byUser().all({ userId, type: type ?? null }))
  }
}

function prepareChanges({ db, tables }: Connection) {
  const { posternFactors: factors } = tables
  const isExpected = and(isKey(tables), eq(factors.userId, userId), eq(factors.version, expectedVersion))
  return {
    insert: db
      .insert(factors)
      .values({ type, id, userId, createdAt, ...changes })
      .prepare(),
    update: db.update(factors).set(changes).where(isExpected).prepare(),
    delete: db.delete(factors).where(isKey(tables)).prepare()
  }
}

function isKey({ posternFactors: factors }: Connection['tables']) {
  return and(eq(factors.type, type), eq(factors.id, id))
}
