/** The field that every row has in addition. */
const ownKey = 'rowId'

/** Of rows without an id in the contract, `id` is a further field: sessions, accounts and one-time tokens. */
const withoutId = /^(?:createSession|updateSession|linkAccount|createVerificationToken|putAccountEvidence)$/

/** The fields of the keys that these methods accept. */
const keys: Readonly<Record<string, readonly string[]>> = {
  getUserByAccount: ['provider', 'providerAccountId'],
  unlinkAccount: ['provider', 'providerAccountId'],
  useVerificationToken: ['identifier', 'token'],
  getVerificationToken: ['identifier', 'token']
}

const isRow = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

function addKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addKeys)
  if (!isRow(value)) return value
  if ('session' in value && 'user' in value)
    return { ...value, session: addKeys(value['session']), user: addKeys(value['user']) }
  const own = crypto.randomUUID()
  return { id: own, ...value, [ownKey]: own }
}

function refuseKeys(method: string, args: readonly unknown[]): void {
  const allowed = keys[method]
  for (const row of args.flat().filter(isRow)) {
    const unknown = allowed && Object.keys(row).find((name) => !allowed.includes(name))
    const isWithoutId = withoutId.test(method) && row === args[0]
    const generated = [ownKey, ...(isWithoutId ? ['id'] : [])].find((name) => name in row)
    const name = unknown ?? generated
    if (name) throw new Error(`${method}: cannot insert a value into the column ${name}, which is always generated`)
    if (Array.isArray(row['args'])) refuseKeys(String(row['method']), row['args'])
  }
}

/**
 * Makes an adapter that generates further columns, as those of other libraries do: every row that it returns has a unique
 * `rowId`, and an `id` if the contract has none. It refuses to write either, and a key with any further field.
 */
export function withOwnKeys<A extends object>(adapter: A): A {
  return new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string') return method
      const call = async (...args: readonly unknown[]): Promise<unknown> => {
        refuseKeys(name, args)
        return addKeys(await Reflect.apply(method, target, args))
      }
      // A mark on a method, such as that of `exactLookup`, stays.
      return Object.assign(call, method)
    }
  })
}
