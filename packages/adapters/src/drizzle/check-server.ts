import type { Problem, Shape } from '@postern/core'
import { checkAlternatives, checkNames, type Expected } from '../check-options.ts'
import { isObject } from '../is-object.ts'
import { checkSchema, type Standard } from './check-schema.ts'
import { checkUrl } from './check-url.ts'

/** The expected options of an adapter for a database server. */
export interface ServerExpected extends Expected {
  /** An example URL. */
  readonly address: string
  readonly standard: Standard
  /** Whether the argument is a `pool` or `db` itself instead of the options. */
  readonly getClientOption: (options: Readonly<Record<string, unknown>>) => 'pool' | 'db' | null
  readonly checkPool: (pool: unknown) => Problem[]
  readonly checkDb: (db: unknown) => Problem[]
  readonly isAddress: (url: string) => boolean
}

const methods = ['url', 'pool', 'db']

const inUrl = { refused: 'unknown option; it is part of url, or of the pool' }

/** The shape of the options of every server. */
export const serverShape: Shape = {
  url: 'string',
  pool: 'any',
  db: 'any',
  max: 'nonNegativeInteger',
  statementTimeout: 'nonNegativeInteger',
  host: inUrl,
  port: inUrl,
  user: inUrl,
  password: inUrl,
  database: inUrl
}

/** The names of these options in other libraries, as in `Expected`. */
export const serverNames = {
  connectionstring: 'url',
  uri: 'url',
  dsn: 'url',
  databaseurl: 'url',
  drizzle: 'db',
  poolsize: 'max',
  connectionlimit: 'max'
} as const

/** @returns Every problem in the options of an adapter for a server. */
export function checkServer(options: unknown, expected: ServerExpected): Problem[] {
  const { of, standard } = expected
  const source = isObject(options) ? expected.getClientOption(options) : null
  if (source !== null) {
    const message = `expected an object with url, pool or db; write { ${source} }`
    return [{ option: of, code: 'INVALID_TYPE', message }]
  }
  const names = checkNames(options, expected)
  if (!isObject(options)) return names
  const { url, pool, db } = options
  const isOther = typeof url === 'string' && expected.isAddress(url)
  return [
    ...names,
    ...checkAlternatives(options, methods, expected, names),
    ...(isOther ? [] : checkUrl(url, of, expected.address)),
    ...(pool === undefined ? [] : expected.checkPool(pool)),
    ...(db === undefined ? [] : expected.checkDb(db)),
    ...checkLimits(options, of),
    ...checkSchema(of, options, standard)
  ]
}

/** @returns The problems of limits that would have no effect. */
function checkLimits(options: Readonly<Record<string, unknown>>, of: string): Problem[] {
  const { url, pool, db, max } = options
  const option = `${of}.max`
  const none: Problem = { option, code: 'OUT_OF_RANGE', message: 'expected a whole number, 1 or more, got 0' }
  const isOurs = url !== undefined || (pool === undefined && db === undefined)
  const others = ['max', 'statementTimeout'].filter((name) => !isOurs && options[name] !== undefined)
  const loose = others.map(
    (name): Problem => ({
      option: `${of}.${name}`,
      code: 'OPTIONS_CONFLICT',
      message: 'expected only with url: the application owns the connections; set it where they are created'
    })
  )
  return [...(max === 0 ? [none] : []), ...loose]
}
