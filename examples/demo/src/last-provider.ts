import type { Database } from 'better-sqlite3'

/** The provider that each user last signed in with: an example of an application's own data. */
export interface LastProviderStore {
  readonly remember: (email: string | null | undefined, provider: string) => void | Promise<void>
  readonly of: (email: string | null | undefined) => string | null | Promise<string | null>
}

interface Row {
  readonly provider: string
}

/** Stores it in a table of the application. */
export function loadMethods(db: Database): LastProviderStore {
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
