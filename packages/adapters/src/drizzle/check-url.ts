import type { Problem } from '@postern/core'

const sqlite = 'sqliteAdapter of @postern/adapters/sqlite'
const postgres = 'postgresAdapter of @postern/adapters/postgres'
const mysql = 'mysqlAdapter of @postern/adapters/mysql'
const redis = 'a client of ioredis, for withRedisSessions'

/** What takes addresses of other databases, by how they begin. */
const takers = new Map<string, string | null>([
  ['sqlite', sqlite],
  ['file', sqlite],
  ['postgres', postgres],
  ['postgresql', postgres],
  ['mysql', mysql],
  ['mysql2', mysql],
  ['mariadb', mysql],
  ['redis', redis],
  ['rediss', redis],
  ...['http', 'https', 'mongodb', 'mongodb+srv', 'mssql', 'sqlserver', 'jdbc', 'prisma', 'prisma+postgres'].map(
    (scheme) => [scheme, null] as const
  )
])

/** How an address begins, in small letters: `postgres`. */
export function schemeOf(url: string): string | null {
  return /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? null
}

/** @returns What an address is for, where it is not for the adapter that it was given to. */
export function meantFor(scheme: string, adapter: string): string | null {
  const taker = takers.get(scheme)
  if (taker === undefined || taker?.startsWith(adapter)) return null
  return taker ? `one that begins with ${scheme}:, which is for ${taker}` : `one that begins with ${scheme}:`
}

/**
 * @param example - An address as it is expected.
 * @returns The mistakes of an address; it may hold a password, and is not quoted.
 */
export function checkUrl(url: unknown, adapter: string, example: string): Problem[] {
  if (typeof url !== 'string') return []
  const note = (got: string): Problem[] => [
    { option: `${adapter}.url`, message: `expected an address like ${example}, got ${got}` }
  ]
  if (url === '') return note('an empty text; is a variable of the environment that it comes from set?')
  const other = meantFor(schemeOf(url) ?? '', adapter)
  if (other !== null) return note(other)
  if (!/^[^:/]+:\/\//.test(url)) return note('text that is none')
  // node-postgres takes addresses without a host.
  const isReadable = [url, url.replace('@/', '@host/')].some((text) => URL.canParse(text.replaceAll(' ', '%20')))
  return isReadable ? [] : note('one that cannot be read; write %23 for a # in the password, %2F for a /, and so on')
}
