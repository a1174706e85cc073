import { ConfigError, checkShape, type Problem, type Shape } from '@postern/core'
import type { GuardOptions } from './types.ts'

const path = 'requireSession.with'
const shape: Shape = { authorized: 'function', freshWithin: 'seconds' }

const expected: Readonly<Record<string, string>> = {
  authorized: 'a function',
  freshWithin: 'a number of seconds above 0'
}

/** A check that was to be imported and is not there would leave the route open to everybody who is signed in. */
function nothings(options: GuardOptions): readonly Problem[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value !== undefined || expected[name] === undefined
      ? []
      : {
          option: `${path}.${name}`,
          message: `expected ${expected[name]}, got nothing; leave the option out where it is not wanted`
        }
  )
}

/**
 * Looks over what a guard is to ask for, when the guard is made: what is misspelt would ask for nothing.
 *
 * @throws ConfigError every mistake at once, each with its mend.
 */
export function checkGuardOptions(options: GuardOptions): void {
  const mistakes = checkShape(options, shape, path)
  const isGroup = !mistakes.some(({ option }) => option === path)
  const problems = isGroup ? [...mistakes, ...nothings(options)] : mistakes
  if (problems.length > 0) throw new ConfigError(problems)
}

function isHookCall(request: unknown, reply: unknown): boolean {
  const isRequest = typeof request === 'object' && request !== null && 'headers' in request
  return isRequest && typeof reply === 'object' && reply !== null && 'redirect' in reply
}

/** @throws ConfigError a guard was called where it was to be handed over. */
export function checkHookCall(request: unknown, reply: unknown): void {
  if (isHookCall(request, reply)) return
  throw new ConfigError([
    {
      option: 'requireSession',
      message:
        'expected a request and its reply, which Fastify passes to hooks; hand the guard over without calling it, as ' +
        '{ onRequest: app.requireSession } or { onRequest: app.requireSession.with({ authorized }) }'
    }
  ])
}
