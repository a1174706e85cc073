import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'

/** Counts the statements of a connection, and stops before one of them. */
export interface StatementGate {
  /** How many statements have begun since the last reset. */
  readonly count: () => number
  /** Counts from 0 again, and acts before the statement of this number. */
  readonly reset: (number?: number, act?: () => Promise<unknown>) => void
  /** From now on, counts only the statements of this work, until the next reset. */
  readonly only: <T>(work: () => Promise<T>) => Promise<T>
  /** The statements that have begun, with their values. */
  readonly statements: () => readonly string[]
  /** Runs before each statement. */
  readonly pass: (statement?: string) => Promise<void>
}

export function createStatementGate(): StatementGate {
  const scope = new AsyncLocalStorage<object>()
  let counted: object | undefined
  let [begun, stop]: [string[], number] = [[], 0]
  let act: () => Promise<unknown> = async () => undefined
  return {
    count: () => begun.length,
    statements: () => begun,
    reset: (number = 0, next = async () => undefined) => {
      begun = []
      stop = number
      act = next
      counted = undefined
    },
    only: (work) => {
      counted = {}
      return scope.run(counted, work)
    },
    pass: async (statement = '') => {
      if (counted && scope.getStore() !== counted) return
      begun.push(statement)
      if (begun.length === stop) await act()
    }
  }
}

/** A statement and its values, as `pg` and `mysql2` receive them. */
function toText(statement: unknown, more: unknown): string {
  if (typeof statement === 'string') return `${statement} ${more}`
  const { text, sql, values = more }: { text?: unknown; sql?: unknown; values?: unknown } = { ...Object(statement) }
  return `${text ?? sql} ${values}`
}

/** A pool of `pg` or `mysql2`, or a connection of it, whose statements pass a gate. */
export function withGate<T extends object>(pool: T, gate: StatementGate): T {
  return new Proxy(pool, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      const bound = member.bind(target)
      if (name === 'connect' || name === 'getConnection') return async () => withGate(await bound(), gate)
      if (name !== 'query' && name !== 'execute') return bound
      return async (statement: unknown, ...more: readonly unknown[]) => {
        await gate.pass(toText(statement, more[0]))
        return bound(statement, ...more)
      }
    }
  })
}

/** Waits for work that is done, fails, or is blocked by another transaction. */
export async function settledOrBlocked(work: Promise<unknown>, isBlocked: () => Promise<boolean>): Promise<void> {
  let isSettled = false
  const settled = work.then(
    () => undefined,
    () => undefined
  )
  void settled.then(() => {
    isSettled = true
  })
  while (!isSettled && !(await isBlocked())) await delay(2)
}
