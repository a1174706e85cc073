import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import type { TestDatabase } from './databases.ts'

type Options = { readonly max?: number; readonly statementTimeout?: number; readonly settings?: string }

/** Opens an adapter; `settings` are those of the server's command line. */
export function open(t: Test, { url }: Pick<TestDatabase, 'url'>, { settings = '', ...limits }: Options = {}) {
  const adapter = postgresAdapter({ url: url.replace('&', `${encodeURIComponent(settings)}&`), ...limits })
  t.teardown(() => adapter.close())
  return adapter
}

/** Waits until the adapter waits for a lock that another user holds, on a connection that has not been ended. */
export async function blocked({ raw, name }: TestDatabase, ended: Set<number> = new Set()): Promise<number> {
  for (;;) {
    const { rows } = await raw.query(
      `select pid from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`,
      [name]
    )
    const waiting = rows.find(({ pid }) => !ended.has(pid))
    if (waiting) return waiting.pid
    await delay(5)
  }
}

/** Ends the connection on which the adapter waits. */
export async function endBlocked(database: TestDatabase, ended: Set<number>): Promise<void> {
  const pid = await blocked(database, ended)
  ended.add(pid)
  await database.raw.query('select pg_terminate_backend($1)', [pid])
}

/** Holds a lock while `work` runs. */
export async function whileLocked<T>(
  { raw }: TestDatabase,
  lock: string,
  work: (release: () => Promise<unknown>) => Promise<T>
) {
  const client = await raw.connect()
  await client.query(`begin; ${lock}`)
  try {
    return await work(() => client.query('commit'))
  } finally {
    await client.query('rollback')
    client.release()
  }
}
