import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { withRedisSessions } from '@postern/adapters/redis'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { Redis } from 'ioredis'

/** Where a store is, so that several processes may open it. */
export type Place =
  | { readonly store: 'sqlite'; readonly file: string }
  | { readonly store: 'postgres'; readonly url: string }
  | { readonly store: 'mysql'; readonly url: string }
  | { readonly store: 'redis'; readonly prefix: string; readonly file: string }

/** Opens a store; what it is made of is closed with it. */
export function openStore(place: Place): Required<Omit<Adapter, 'atomically'>> & Pick<Adapter, 'atomically'> {
  if (place.store === 'sqlite') return sqliteAdapter({ file: place.file })
  if (place.store === 'postgres') return postgresAdapter({ url: place.url })
  if (place.store === 'mysql') return mysqlAdapter({ url: place.url })
  const client = new Redis()
  const users = sqliteAdapter({ file: place.file })
  const close = async (): Promise<void> => {
    await users.close()
    await client.quit()
  }
  return { ...withRedisSessions(users, { client, prefix: place.prefix }), close }
}
