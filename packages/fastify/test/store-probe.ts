import type { Adapter } from '@postern/core'

/** One call of an adapter's method. */
export interface StoreCall {
  readonly method: string
  readonly args: readonly unknown[]
}

/** An adapter as others write them: users and accounts are made one after the other. */
export function withoutTransactions(adapter: Adapter): Adapter {
  const { createUserWithAccount: _, transact: __, ...others } = adapter
  return others
}

/** Runs before each call of an adapter, in every process. */
export interface Gate {
  /** Notes a call. @throws what a database that is broken would. */
  readonly beforeCall: (method: string, args: readonly unknown[]) => void
  /** Records the result. */
  readonly afterCall: (method: string, args: readonly unknown[], result: unknown) => void
}

/** An adapter that records its calls, and that can be broken. */
export interface StoreProbe {
  readonly adapter: Adapter
  /** Watches another instance's adapter too; both are broken and restored together. */
  readonly also: (adapter: Adapter) => Adapter
  /** Watches an adapter of another process, by `behind`. */
  readonly gate: Gate
  readonly calls: readonly StoreCall[]
  /** How often a method was called, or any of them. */
  readonly count: (method?: keyof Adapter) => number
  readonly forget: () => void
  /** Makes these methods fail; without any, the whole database is unreachable. */
  readonly breakDown: (...methods: readonly (keyof Adapter)[]) => void
  readonly restore: () => void
}

/** The calls of a transaction: they count as made when it is made, and one that is broken breaks it. */
function callsIn([calls]: readonly unknown[]): readonly StoreCall[] {
  const isCall = (value: unknown): value is StoreCall =>
    typeof value === 'object' && value !== null && 'method' in value && 'args' in value
  return Array.isArray(calls) ? calls.filter(isCall) : []
}

const unreachable = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED db.internal:5432'), { code: 'ECONNREFUSED' })

const refusal = (): Error => Object.assign(new Error('the row violates a check constraint'), { code: '23514' })

/** Methods that no request calls: keys of stored rows are looked for once, in the background of a start. */
const unwatched: ReadonlySet<string> = new Set(['close', 'ready', 'listEncryptedRows', 'findProblems'])
const isUnwatched = (name: string): boolean => unwatched.has(name)

/** Puts a gate in front of an adapter. */
export function behind({ beforeCall, afterCall }: Gate, adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string' || isUnwatched(name)) return method
      const watched = async (...args: readonly unknown[]): Promise<unknown> => {
        beforeCall(name, args)
        const result: unknown = await Reflect.apply(method, target, args)
        if (name === 'transact') afterCall(name, args, result)
        return result
      }
      // With what the method says of itself.
      return Object.assign(watched, { ...method })
    }
  })
}

/** Puts a probe in front of an adapter. */
export function watch(adapter: Adapter): StoreProbe {
  const calls: StoreCall[] = []
  let faulty: ReadonlySet<string> | 'all' | null = null
  const isBroken = (method: string): boolean => faulty === 'all' || (faulty?.has(method) ?? false)
  const gate: Gate = {
    beforeCall: (method, args) => {
      const inner = method === 'transact' ? callsIn(args) : []
      const broken = inner.filter(({ method }) => isBroken(method))
      // Rows that are over are deleted some time after a response, which may be while something else is counted.
      if (method !== 'deleteExpired') calls.push({ method, args }, ...broken)
      if (isBroken(method) || broken.length > 0) throw faulty === 'all' ? unreachable() : refusal()
    },
    afterCall: (_method, args, result) => {
      if (result === true) calls.push(...callsIn(args))
    }
  }
  const watched = (adapter: Adapter): Adapter => behind(gate, adapter)
  return {
    adapter: watched(adapter),
    also: watched,
    gate,
    calls,
    count: (method) => calls.filter((call) => method === undefined || call.method === method).length,
    forget: () => {
      calls.length = 0
    },
    breakDown: (...methods) => {
      faulty = methods.length > 0 ? new Set(methods) : 'all'
    },
    restore: () => {
      faulty = null
    }
  }
}
