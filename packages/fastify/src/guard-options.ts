import { ConfigError, checkShape, type Problem, type Shape } from '@postern/core'
import { isObject } from './is-object.ts'
import type { GuardOptions } from './types.ts'

const path = 'requireSession.with'
const shape: Shape = {
  authorized: 'function',
  freshWithin: 'seconds',
  amr: 'strings',
  acr: 'strings',
  forProxy: 'boolean'
}

const expected: Readonly<Record<string, string>> = {
  authorized: 'a function',
  freshWithin: 'a number of seconds above 0',
  amr: 'a list of values, such as mfa',
  acr: 'a list of values of the provider',
  forProxy: 'true or false'
}

/** An option that is `undefined`, such as a failed import, would leave the route open to every signed-in user. */
function nothings(options: GuardOptions): readonly Problem[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value !== undefined || expected[name] === undefined
      ? []
      : {
          option: `${path}.${name}`,
          code: 'OPTION_MISSING',
          message: `expected ${expected[name]}, got nothing; omit the option if you do not need it`
        }
  )
}

/** A list without values requires nothing, and a value with a space cannot be sent in a challenge. */
function unusable({ amr, acr }: GuardOptions): readonly Problem[] {
  return Object.entries({ amr, acr }).flatMap(([name, values]) =>
    values === undefined ||
    (values.length > 0 && values.every((value) => /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/.test(value)))
      ? []
      : {
          option: `${path}.${name}`,
          code: 'INVALID_VALUE',
          message: `expected ${expected[name]}, each without spaces and quotes; omit the option if you do not need it`
        }
  )
}

/** The properties of a `Map`, a `Date` or a symbol key would be ignored, and their checks would not run. */
function ignored(options: GuardOptions): readonly Problem[] {
  const { authorized, freshWithin, amr, acr, forProxy } = options
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(options))
  const isEmpty = [authorized, freshWithin, amr, acr, forProxy].every((option) => option === undefined)
  if (!isPlain && isEmpty)
    return [
      {
        option: path,
        code: 'INVALID_TYPE',
        message: 'expected a plain object, got another object; write { authorized }'
      }
    ]
  return Object.getOwnPropertySymbols(options).map((key) => ({
    option: `${path}[${String(key)}]`,
    code: 'UNKNOWN_OPTION',
    message: 'expected a name, got a symbol; write { authorized } or { freshWithin }'
  }))
}

/**
 * Validates the options when the guard is created, because a misspelled option would check nothing.
 *
 * @throws ConfigError every error at once, with a fix for each.
 */
export function checkGuardOptions(options: GuardOptions): void {
  const mistakes = checkShape(options, shape, path)
  const isGroup = !mistakes.some(({ option }) => option === path)
  const unusableLists = mistakes.length === 0 ? unusable(options) : []
  const problems = isGroup ? [...mistakes, ...unusableLists, ...nothings(options), ...ignored(options)] : mistakes
  if (problems.length > 0) throw new ConfigError(problems)
}

function isHookCall(request: unknown, reply: unknown): boolean {
  return isObject(request) && 'headers' in request && isObject(reply) && 'redirect' in reply
}

/** @throws ConfigError if the guard was called instead of being passed as a hook. */
export function checkHookCall(request: unknown, reply: unknown): void {
  if (isHookCall(request, reply)) return
  throw new ConfigError([
    {
      option: 'requireSession',
      code: 'GUARD_MISUSED',
      message:
        'expected a request and its reply, which Fastify passes to hooks; pass the guard without calling it, as ' +
        '{ onRequest: requireSession } or { onRequest: requireSession.with({ authorized }) }'
    }
  ])
}
