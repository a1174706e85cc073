import type { Factor, FactorKey } from '@postern/core'
import { asc } from 'drizzle-orm'
import { toFactorPatch, toFactorRow } from '../../rows.ts'
import { isKey, type Key } from '../statements.ts'
import type { TableAccess } from '../table-access.ts'

/** Reads factors. */
export function factorQueries({ tables: { posternFactors: factors }, statements }: TableAccess) {
  const { type, id, userId, createdAt } = factors
  const { isExactly, prepare } = statements
  const list = (by: Key) =>
    prepare(factors, () => ({ where: isKey(isExactly, by), orderBy: [asc(createdAt), asc(id)] }))
  const [ofUser, ofType] = [list({ userId }), list({ userId, type })]
  const find = statements.find(factors, { type, id })
  return {
    getFactor: ({ type, id }: FactorKey) => find({ type, id }),
    listFactors: (userId: string, type?: string) => (type === undefined ? ofUser({ userId }) : ofType({ userId, type }))
  }
}

/** Writes factors. */
export function factorOperations({ tables: { posternFactors: factors }, statements }: TableAccess) {
  const { type, id, userId, version } = factors
  const insert = statements.insert(factors)
  const update = statements.replace(factors, { type, id }, { userId, version })
  const remove = statements.deleteOne(factors, { type, id })
  return {
    createFactor: (factor: Factor) => insert(toFactorRow(factor)),
    updateFactor: (factor: Factor, version: number) => {
      const { type, id, userId } = factor
      return update({ type, id, ...toFactorPatch(factor, version) }, { userId, version })
    },
    deleteFactor: ({ type, id }: FactorKey) => remove({ type, id })
  }
}
