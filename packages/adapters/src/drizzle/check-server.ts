import type { Problem, Shape } from '@postern/core'
import { checkNames, checkWays, type Expected, isObject } from '../check-options.ts'
import { checkSchema, type Standard } from './check-schema.ts'
import { checkUrl } from './check-url.ts'

/** What a database that is a server is known by. */
export interface ServerExpected extends Expected {
  /** An address as it is expected. */
  readonly address: string
  readonly standard: Standard
  /** What was given in place of the options: `pool`, `db`, or nothing of the kind. */
  readonly wholeOf: (options: Readonly<Record<string, unknown>>) => 'pool' | 'db' | null
  readonly checkPool: (pool: unknown) => Problem[]
  readonly checkDb: (db: unknown) => Problem[]
  readonly isAddress: (url: string) => boolean
}

const ways = ['url', 'pool', 'db']

const inUrl = { refused: 'there is no such option; it is part of url, or of the pool' }

/** What the options of every server may be. */
export const serverShape: Shape = {
  url: 'text',
  pool: 'any',
  db: 'any',
  max: 'count',
  statementTimeout: 'count',
  host: inUrl,
  port: inUrl,
  user: inUrl,
  password: inUrl,
  database: inUrl
}

/** What others call them, as `Expected` has it. */
export const serverNames = {
  connectionstring: 'url',
  uri: 'url',
  dsn: 'url',
  databaseurl: 'url',
  drizzle: 'db',
  poolsize: 'max',
  connectionlimit: 'max'
} as const

/** @returns Every mistake in the options of an adapter of a server. */
export function checkServer(options: unknown, expected: ServerExpected): Problem[] {
  const { of, standard } = expected
  const whole = isObject(options) ? expected.wholeOf(options) : null
  if (whole !== null) return [{ option: of, message: `expected an object with url, pool or db; write { ${whole} }` }]
  const names = checkNames(options, expected)
  if (!isObject(options)) return names
  const { url, pool, db } = options
  const isOther = typeof url === 'string' && expected.isAddress(url)
  return [
    ...names,
    ...checkWays(options, ways, expected, names),
    ...(isOther ? [] : checkUrl(url, of, expected.address)),
    ...(pool === undefined ? [] : expected.checkPool(pool)),
    ...(db === undefined ? [] : expected.checkDb(db)),
    ...checkLimits(options, of),
    ...checkSchema(of, options, standard)
  ]
}

/** @returns Limits that nothing would keep to. */
function checkLimits(options: Readonly<Record<string, unknown>>, of: string): Problem[] {
  const { url, pool, db, max } = options
  const none = { option: `${of}.max`, message: 'expected a whole number, 1 or more, got 0' }
  const isOurs = url !== undefined || (pool === undefined && db === undefined)
  const others = ['max', 'statementTimeout'].filter((name) => !isOurs && options[name] !== undefined)
  const loose = others.map((name) => ({
    option: `${of}.${name}`,
    message: 'expected only beside url: the connections are yours; set it where you make them'
  }))
  return [...(max === 0 ? [none] : []), ...loose]
}
