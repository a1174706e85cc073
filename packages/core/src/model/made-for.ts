/**
 * What is made for an object when it is first asked for, and is the same from then on; it goes with the object.
 *
 * @param make - Must not answer `undefined`.
 */
export function madeFor<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const all = new WeakMap<K, V>()
  return (key) => {
    const known = all.get(key)
    if (known !== undefined) return known
    const made = make(key)
    all.set(key, made)
    return made
  }
}
