import { describeType, getMissingMethods } from '../check-options.ts'
import { isObject } from '../is-object.ts'

/** @throws TypeError if this is not an adapter with these methods. */
export function requireAdapter(value: unknown, name: 'adapter' | 'posternTables', methods: readonly string[]): void {
  const lacking = getMissingMethods(value, methods)
  if (lacking.length === 0) return
  const type = describeType(value)
  const isAdapter = isObject(value) && lacking.length < methods.length
  const got = isAdapter ? `one without ${lacking.join(', ')}` : type
  const hint = type === 'a promise' ? 'await it' : 'write withPosternTables(adapter, sqliteAdapter({ file }))'
  throw new TypeError(`withPosternTables(${name}): expected an adapter, got ${got}; ${hint}`)
}
