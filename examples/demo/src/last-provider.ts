import type { Database } from 'better-sqlite3'

/** Which way each person came in last: an example of an application's own data beside Postern's. */
export interface Ways {
  readonly remember: (email: string | null | undefined, provider: string) => void | Promise<void>
  readonly of: (email: string | null | undefined) => string | null | Promise<string | null>
}

interface Row {
  readonly provider: string
}

/** Keeps the ways in a table of the application's own. */
export function openWays(db: Database): Ways {
  db.exec('create table if not exists demo_way (email text primary key, provider text not null)')
  const write = db.prepare<[string, string]>('insert or replace into demo_way (email, provider) values (?, ?)')
  const read = db.prepare<[string], Row>('select provider from demo_way where email = ?')
  return {
    remember: (email, provider) => {
      if (email) write.run(email, provider)
    },
    of: (email) => (email ? (read.get(email)?.provider ?? null) : null)
  }
}
