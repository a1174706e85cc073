import { sqliteAdapter } from '@postern/adapters/sqlite'
import Database from 'better-sqlite3'
import t from 'tap'
import { findsOnlyExactly } from '../collation.ts'

for (const key of ['primary key (provider, providerAccountId)', 'check (true)']) {
  t.test(`columns without case, ${key}: an account is found by exactly its key`, async (t) => {
    const db = new Database(':memory:')
    t.teardown(() => db.close())
    db.exec(`
      create table account (userId text not null, type text not null, provider text not null collate nocase,
        providerAccountId text not null collate nocase, refresh_token text, access_token text, expires_at integer,
        token_type text, scope text, id_token text, session_state text, ${key})`)
    await findsOnlyExactly(t, sqliteAdapter({ db }), key.startsWith('primary') ? 'one' : 'both')
  })
}
