import type { Problem } from '@postern/core'

const sqlite = 'sqliteAdapter of @postern/adapters/sqlite'
const postgres = 'postgresAdapter of @postern/adapters/postgres'
const mysql = 'mysqlAdapter of @postern/adapters/mysql'
const redis = 'a client of ioredis, for withRedisSessions'

/** The adapters for URLs of other databases, by scheme. */
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

/** The scheme of a URL in lower case, such as `postgres`. */
export function getScheme(url: string): string | null {
  return /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? null
}

/** @returns The adapter that a URL is for, if it is not the one that received it. */
export function getOtherAdapter(scheme: string, adapter: string): string | null {
  const taker = takers.get(scheme)
  if (taker === undefined || taker?.startsWith(adapter)) return null
  return taker ? `one that begins with ${scheme}:, which is for ${taker}` : `one that begins with ${scheme}:`
}

/**
 * @param example - An example URL.
 * @returns The problems of a URL; it may contain a password, so it is not quoted.
 */
export function checkUrl(url: unknown, adapter: string, example: string): Problem[] {
  if (typeof url !== 'string') return []
  const note = (got: string): Problem[] => [
    { option: `${adapter}.url`, code: 'INVALID_URL', message: `expected an address like ${example}, got ${got}` }
  ]
  if (url === '') return note('an empty string; is its environment variable set?')
  const other = getOtherAdapter(getScheme(url) ?? '', adapter)
  if (other !== null) return note(other)
  if (!/^[^:/]+:\/\//.test(url)) return note('a string that is not a URL')
  // node-postgres accepts URLs without a host.
  const isReadable = [url, url.replace('@/', '@host/')].some((text) => URL.canParse(text.replaceAll(' ', '%20')))
  return isReadable ? [] : note('one that cannot be parsed; write %23 for a # in the password, %2F for a /, and so on')
}
