export { DatabaseError } from '../database-error.ts'
export { DuplicateError } from '../duplicate-error.ts'
export { type RedisMethods, type RedisOptions, type UserStore, withRedisSessions } from './adapter.ts'
export type { RedisClient } from './client.ts'
