import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Test } from 'tap'
import { postgresAdapter } from '../../../src/drizzle/postgres/index.ts'

/** A statement that the adapter has sent. */
interface Sent {
  readonly query: string
  readonly params: readonly unknown[]
}

/** An adapter with its tables, and the statements that it sends. */
export async function openLogged(t: Test, url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  t.teardown(() => pool.end())
  const sent: Sent[] = []
  const logger = { logQuery: (query: string, params: unknown[]) => sent.push({ query, params }) }
  const adapter = postgresAdapter({ db: drizzle({ client: pool, logger }) })
  await adapter.ready()
  return { adapter, sent }
}
