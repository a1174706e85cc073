import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import Database from 'better-sqlite3'
import pg from 'pg'
import type { Test } from 'tap'
import { newPlace } from './databases.ts'

/** What was asked of a database. */
export interface Asked {
  /** Statements, without those that only begin and end a transaction. */
  readonly statements: readonly string[]
  /** Transactions of several statements. */
  readonly transactions: number
}

/** An adapter on a real database that notes each statement which reaches it. */
export interface Counted {
  readonly adapter: Adapter
  /** @returns What `work` has asked. */
  readonly during: (work: () => Promise<unknown>) => Promise<Asked>
}

const frame = /^\s*(begin|commit|rollback|savepoint|release)\b/i

function counted(adapter: Adapter, heard: string[]): Counted {
  return {
    adapter,
    during: async (work) => {
      heard.length = 0
      await work()
      const all = heard.splice(0)
      return {
        statements: all.filter((sql) => !frame.test(sql)),
        transactions: all.filter((sql) => /^\s*begin\b/i.test(sql)).length
      }
    }
  }
}

/** SQLite tells each statement as it runs it. */
export function countedSqlite(t: Test): Counted {
  const heard: string[] = []
  const db = new Database(':memory:', { verbose: (sql) => void heard.push(String(sql)) })
  t.teardown(() => db.close())
  return counted(sqliteAdapter({ db }), heard)
}

/** PostgreSQL, with an ear at each connection of the pool. */
export async function countedPostgres(t: Test): Promise<Counted> {
  const heard: string[] = []
  const place = await newPlace(t)
  const pool = new pg.Pool({ connectionString: place.url() })
  t.teardown(() => pool.end())
  pool.on('connect', (client) => {
    client.query = new Proxy(client.query, {
      apply: (query, self, args) => {
        const [first]: readonly unknown[] = args
        heard.push(typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : String(first))
        return Reflect.apply(query, self, args)
      }
    })
  })
  const adapter = postgresAdapter({ pool })
  await adapter.ready()
  return counted(adapter, heard)
}
