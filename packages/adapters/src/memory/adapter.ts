import { type Adapter, exactLookup } from '@postern/core'
import { type AuthenticatorMethods, authenticatorMethods } from '../authenticators.ts'
import { performAllNow, performEach } from '../calls.ts'
import { encryptedRowMethods } from './encrypted-rows.ts'
import { createLeases } from './leases.ts'
import { createOperations } from './operations.ts'
import { createQueries } from './queries.ts'
import { createStore } from './store.ts'
import { undoable } from './table.ts'

/**
 * Stores everything in this process until it ends, for tests and experiments.
 *
 * Arguments and results are copied, so stored values cannot be changed from outside.
 */
export function memoryAdapter(): Required<Adapter> & AuthenticatorMethods {
  const store = createStore()
  const [queries, operations] = [createQueries(store), createOperations(store)]
  const methods = performEach({ ...queries, ...operations }, async (perform) => perform())
  const transact: Required<Adapter>['transact'] = async (calls) =>
    undoable(store.journal, () => performAllNow(operations, calls))
  const adapter: Required<Adapter> = {
    ...methods,
    getUserByAccount: exactLookup(methods.getUserByAccount),
    addEvents: (events) => transact([{ method: 'addEvents', args: [events] }]),
    ...encryptedRowMethods(store),
    findProblems: async () => [],
    checkUserDeletion: async () => undefined,
    withLease: createLeases(),
    transact,
    close: async () => undefined
  }
  return { ...adapter, ...authenticatorMethods(adapter) }
}
