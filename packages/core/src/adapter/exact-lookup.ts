const mark: unique symbol = Symbol.for('postern.exactLookup')

/**
 * Marks a `getUserByAccount` method that compares both members of the key byte for byte, whatever the collation of the
 * database: Postern then skips a second comparison, which costs a query.
 *
 * @returns The method.
 */
export function exactLookup<M extends (...args: never[]) => unknown>(method: M): M {
  return Object.assign(method, { [mark]: true })
}

/** Whether `exactLookup` marked this method. */
export function isExactLookup(method: unknown): boolean {
  return typeof method === 'function' && mark in method
}
