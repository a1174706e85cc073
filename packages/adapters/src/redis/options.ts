import type { RedisClient } from './client.ts'

/** The location of the keys in Redis. */
export interface RedisOptions {
  /** A client of ioredis, for one server or a cluster. The application closes it. */
  readonly client: RedisClient
  /** The prefix of all keys. @defaultValue `'postern:'` */
  readonly prefix?: string | undefined
}
