import type { Problem } from '@postern/core'
import { checkMethods, checkNames, describeType, type Expected, getMissingMethods, refuse } from '../check-options.ts'
import { isObject } from '../is-object.ts'

const users = ['getUser', 'deleteUser']

function getExpected(of: string): Expected {
  const refused = 'unknown option; write client: new Redis(…) of ioredis, which takes it'
  const otherUrl = Object.fromEntries(['url', 'host', 'port', 'password'].map((name) => [name, { refused }]))
  return {
    of,
    shape: { client: 'any', prefix: 'string', ...otherUrl },
    otherNames: { redis: 'client', cluster: 'client', connection: 'client', keyprefix: 'prefix' },
    example: '{ client: new Redis() }'
  }
}

/** @throws ConfigError with every problem in the options of `redisRevocations`. */
export function checkRedis(options: unknown): void {
  refuse(findMistakes(options, 'redisRevocations'))
}

/** @throws ConfigError with every problem in the arguments of `withRedisSessions`. */
export function checkRedisSessions(adapter: unknown, options: unknown): void {
  const of = 'withRedisSessions'
  const isSwapped = isObject(options) && typeof options.getUser === 'function'
  const hint = `write ${of}(adapter, { client })`
  refuse(
    isSwapped
      ? [
          {
            option: of,
            code: 'INVALID_TYPE',
            message: `expected the adapter first, then an object with client; ${hint}`
          }
        ]
      : [
          ...checkMethods(adapter, { option: `${of}(adapter)`, expected: 'an adapter', methods: users, hint }),
          ...findMistakes(options, of)
        ]
  )
}

function findMistakes(options: unknown, of: string): Problem[] {
  const expected = 'a client of ioredis'
  const hint = 'write new Redis() or new Cluster() of ioredis'
  if (isObject(options) && isClient(options))
    return [{ option: of, code: 'INVALID_TYPE', message: 'expected an object with client; write { client }' }]
  const names = checkNames(options, getExpected(of))
  if (!isObject(options)) return names
  const { client } = options
  const option = `${of}.client`
  const isNamed = names.some(({ code, suggestion }) => code === 'UNSUPPORTED_OPTION' || suggestion === option)
  if (client === undefined && isNamed) return names
  if (typeof client === 'string')
    return [
      ...names,
      {
        option,
        code: 'INVALID_TYPE',
        message: `expected ${expected}, got ${describeType(client)}; write new Redis(url) of ioredis`
      }
    ]
  return [...names, ...checkMethods(client, { option, expected, methods: ['call'], hint })]
}

function isClient(value: unknown): boolean {
  return getMissingMethods(value, ['call']).length === 0
}
