import type { Problem } from '@postern/core'
import { checkMethods, checkNames, type Expected, isObject, lackingOf, refuse, told } from '../check-options.ts'

const users = ['getUser', 'deleteUser']

function expectedOf(of: string): Expected {
  const refused = 'there is no such option; write client: new Redis(…) of ioredis, which takes it'
  const elsewhere = Object.fromEntries(['url', 'host', 'port', 'password'].map((name) => [name, { refused }]))
  return {
    of,
    shape: { client: 'any', prefix: 'text', ...elsewhere },
    otherNames: { redis: 'client', cluster: 'client', connection: 'client', keyprefix: 'prefix' },
    example: '{ client: new Redis() }'
  }
}

/** @throws ConfigError with every mistake in the options of `redisRevocations`. */
export function checkRedis(options: unknown): void {
  refuse(mistakesOf(options, 'redisRevocations'))
}

/** @throws ConfigError with every mistake in what `withRedisSessions` was given. */
export function checkRedisSessions(adapter: unknown, options: unknown): void {
  const of = 'withRedisSessions'
  const isSwapped = isObject(options) && typeof options.getUser === 'function'
  const mend = `write ${of}(adapter, { client })`
  refuse(
    isSwapped
      ? [{ option: of, message: `expected the adapter first, then an object with client; ${mend}` }]
      : [
          ...checkMethods(adapter, { option: `${of}(adapter)`, expected: 'an adapter', methods: users, mend }),
          ...mistakesOf(options, of)
        ]
  )
}

function mistakesOf(options: unknown, of: string): Problem[] {
  const expected = 'a client of ioredis'
  const mend = 'write new Redis() or new Cluster() of ioredis'
  if (isObject(options) && isClient(options))
    return [{ option: of, message: 'expected an object with client; write { client }' }]
  const names = checkNames(options, expectedOf(of))
  if (!isObject(options)) return names
  const { client } = options
  const isNamed = names.some(({ message }) => message.includes(' client: ') || message.endsWith(`${of}.client?`))
  if (client === undefined && isNamed) return names
  const option = `${of}.client`
  if (typeof client === 'string')
    return [...names, { option, message: `expected ${expected}, got ${told(client)}; write new Redis(url) of ioredis` }]
  return [...names, ...checkMethods(client, { option, expected, methods: ['call'], mend })]
}

function isClient(value: unknown): boolean {
  return lackingOf(value, ['call']).length === 0
}
