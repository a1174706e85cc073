/**
 * Memoizes a value per object, for the lifetime of the object.
 *
 * @param create - Must not return `undefined`.
 */
export function weakMemoize<K extends object, V>(create: (key: K) => V): (key: K) => V {
  const all = new WeakMap<K, V>()
  return (key) => {
    const known = all.get(key)
    if (known !== undefined) return known
    const value = create(key)
    all.set(key, value)
    return value
  }
}
