import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { withRedisSessions } from '@postern/adapters/redis'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { Redis } from 'ioredis'

/** Where a store is, so that several processes may open it. */
export type StoreOptions =
  | { readonly store: 'sqlite'; readonly file: string }
  | { readonly store: 'postgres'; readonly url: string }
  | { readonly store: 'mysql'; readonly url: string }
  | { readonly store: 'redis'; readonly prefix: string; readonly file: string }

/** Opens a store; what it is made of is closed with it. */
export function openStore(database: StoreOptions): Required<Omit<Adapter, 'transact'>> & Pick<Adapter, 'transact'> {
  if (database.store === 'sqlite') return sqliteAdapter({ file: database.file })
  if (database.store === 'postgres') return postgresAdapter({ url: database.url, max: 4 })
  if (database.store === 'mysql') return mysqlAdapter({ url: database.url, max: 4 })
  const client = new Redis()
  const users = sqliteAdapter({ file: database.file })
  const close = async (): Promise<void> => {
    await users.close()
    await client.quit()
  }
  return { ...withRedisSessions(users, { client, prefix: database.prefix }), close }
}
