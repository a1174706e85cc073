import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, AdapterCall } from '@postern/core'
import Database from 'better-sqlite3'

/** The calls that roll a transaction back if they find nothing, or something else than expected. */
const required: ReadonlySet<AdapterCall['method']> = new Set([
  'useVerificationToken',
  'consumeTicket',
  'putTicket',
  'updateFactor',
  'requireUserVersion',
  'advanceUser',
  'requireAddress'
])

type Method = (...args: readonly unknown[]) => unknown

function getMethod(adapter: Adapter, name: string): Method {
  const method: unknown = Reflect.get(adapter, name)
  if (typeof method !== 'function') throw new TypeError(`expected an adapter with ${name}`)
  return (...args) => Reflect.apply(method, adapter, args)
}

/** SQLite with transactions on its one connection: while one is open, other callers wait. */
export function transactionalAdapter(file: string = ':memory:'): Adapter {
  const client = new Database(file, { timeout: 5000 })
  client.pragma('journal_mode = WAL')
  client.pragma('foreign_keys = ON')
  const plain: Adapter = sqliteAdapter({ db: client })
  let tail: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => T): Promise<Awaited<T>> => {
    const turn = tail.then(work)
    tail = turn.catch(() => undefined)
    return Promise.resolve(turn)
  }
  const run = async (calls: readonly AdapterCall[]): Promise<boolean> => {
    client.exec('BEGIN IMMEDIATE')
    try {
      for (const { method, args, isRequired = false } of calls) {
        const result = await getMethod(plain, method)(...args)
        if (result || !(isRequired || required.has(method))) continue
        client.exec('ROLLBACK')
        return false
      }
      client.exec('COMMIT')
      return true
    } catch (error) {
      if (client.inTransaction) client.exec('ROLLBACK')
      throw error
    }
  }
  const names = Object.keys(plain).filter((name) => name !== 'withLease' && name !== 'close')
  const queued = Object.fromEntries(
    names.map((name) => [name, (...args: readonly unknown[]) => inTurn(() => getMethod(plain, name)(...args))])
  )
  return {
    ...plain,
    ...queued,
    transact: (calls) => inTurn(() => run(calls)),
    close: async () => void client.close()
  }
}
