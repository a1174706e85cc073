import { requiredMethods } from '@postern/adapters/contract'
import { sqliteAdapter } from '@postern/adapters/sqlite'

const methods: readonly string[] = requiredMethods

/**
 * Our own adapter with the methods that next-auth v4 and Auth.js know: the same statements for all three.
 *
 * It is faster than the adapters that they bring, so that they are measured at their best.
 */
export function coreAdapterMethods(file: string): object {
  const adapter = sqliteAdapter({ file })
  return Object.fromEntries(Object.entries(adapter).filter(([name]) => methods.includes(name)))
}
