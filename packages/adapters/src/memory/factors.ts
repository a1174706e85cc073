import type { FactorMethods } from '../methods.ts'
import type { createOperations } from './operations.ts'
import { factorKey, type Store } from './store.ts'

/** The methods for factors. */
export function factorMethods(
  { factors }: Store,
  { createFactor, updateFactor, deleteFactor }: ReturnType<typeof createOperations>
): FactorMethods {
  return {
    createFactor: async (factor) => createFactor(factor),
    getFactor: async (key) => factors.get(factorKey(key)),
    listFactors: async (userId, type) =>
      factors
        .filter((factor) => factor.userId === userId && (type === undefined || factor.type === type))
        .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime()),
    updateFactor: async (factor, expectedVersion) => updateFactor(factor, expectedVersion),
    deleteFactor: async (key) => deleteFactor(key)
  }
}
