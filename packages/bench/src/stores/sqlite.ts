import { statSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import Database from 'better-sqlite3'
import { type Crowd, tableNames, tables, type Value } from './crowd.ts'
import type { CrowdStore } from './store.ts'

function toDriver(value: Value): string | number | null {
  return value instanceof Date ? value.getTime() : value
}

/** Writes a crowd into a new file. */
export async function fillSqlite(crowd: Crowd, folder: string): Promise<CrowdStore> {
  const name = `crowd-${crowd.users}`
  const file = join(folder, `${name}.db`)
  await sqliteAdapter({ file }).close()
  const database = new Database(file)
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -2000000'])
    database.pragma(pragma)
  const inserts = tableNames.map((table) => {
    const columns = Object.keys(tables[table])
    const values = columns.map(() => '?').join(', ')
    const names = columns.map((column) => `"${column}"`).join(', ')
    return [table, database.prepare(`insert into "${table}" (${names}) values (${values})`)] as const
  })
  database.exec('begin')
  for await (const people of crowd.batches()) {
    for (const person of people) for (const [table, insert] of inserts) insert.run(person[table].map(toDriver))
  }
  database.exec('commit')
  database.pragma('synchronous = FULL')
  database.pragma('journal_mode = WAL')
  database.close()
  return {
    place: { file: name },
    bytes: statSync(file).size,
    backendTime: async () => 0,
    countUsers: async () => {
      const reader = new Database(file, { readonly: true })
      const count = reader.prepare<[], number>('select count(*) from "user"').pluck().get()
      reader.close()
      return count ?? 0
    },
    // The folder goes with the lineup.
    close: async () => undefined
  }
}
