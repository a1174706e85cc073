import type { FactorMethods } from '../methods.ts'
import { factorKey, type Store } from './store.ts'

/** The methods for factors. */
export function factorMethods({ factors }: Store): Pick<FactorMethods, 'getFactor' | 'listFactors'> {
  return {
    getFactor: async (key) => factors.get(factorKey(key)),
    listFactors: async (userId, type) =>
      factors
        .filter((factor) => factor.userId === userId && (type === undefined || factor.type === type))
        .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
  }
}
