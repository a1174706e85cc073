import { postgresAdapter } from '@postern/adapters/postgres'
import { postgres, withServer } from '../../servers.ts'
import { findsOnlyExactly } from '../collation.ts'
import { createTestDatabase } from './databases.ts'

await withServer(postgres, async (t) => {
  for (const key of ['primary key (provider, "providerAccountId")', 'check (true)']) {
    await t.test(`columns without case, ${key}: an account is found by exactly its key`, async (t) => {
      const { url, raw } = await createTestDatabase(t)
      await raw.query(`
        create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
        create table account ("userId" text not null, type text not null, provider text collate loose not null,
          "providerAccountId" text collate loose not null, refresh_token text, access_token text, expires_at integer,
          token_type text, scope text, id_token text, session_state text, ${key})`)
      const adapter = postgresAdapter({ url })
      t.teardown(() => adapter.close())
      await findsOnlyExactly(t, adapter, key.startsWith('primary') ? 'one' : 'both')
    })
  }
})
