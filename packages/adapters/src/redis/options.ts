import type { RedisClient } from './client.ts'

/** Where in Redis things are kept. */
export interface RedisOptions {
  /** A client of ioredis, for one server or for a cluster. It stays the application's. */
  readonly client: RedisClient
  /** What all keys begin with. @defaultValue `'postern:'` */
  readonly prefix?: string | undefined
}
