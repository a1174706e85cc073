import type { Problem } from '../errors/config-error.ts'
import { isJsonObject } from '../model/json-object.ts'
import {
  type Every,
  fits,
  isEvery,
  isShape,
  type Kind,
  mendOf,
  nameOf,
  type OneOf,
  type Refused,
  type Shape,
  told,
  toldOf
} from './kinds.ts'
import { nearest } from '../schema/suggest.ts'

const isRefused = (expected: Shape[string]): expected is Refused =>
  typeof expected === 'object' && 'refused' in expected && typeof expected.refused === 'string'

const isOneOf = (expected: Shape[string]): expected is OneOf => typeof expected === 'object' && 'oneOf' in expected

/** Groups up to this size are listed where nothing like the given name is in them. */
const fewNames = 12

function meantOf(name: string, shape: Shape, at: (name: string) => string): string {
  const meant = nearest(name, Object.keys(shape))
  if (meant) return `; did you mean ${at(meant)}?`
  const names = Object.keys(shape).filter((known) => {
    const expected = shape[known]
    return expected !== undefined && !isRefused(expected)
  })
  return names.length <= fewNames ? `; there are ${names.join(', ')}` : ''
}

/** @returns The mistakes of a group of options: unknown names, with the one that was likely meant, and wrong kinds. */
export function checkShape(value: unknown, shape: Shape, path: string): Problem[] {
  const at = (name: string): string => (path ? `${path}.${name}` : name)
  if (!isJsonObject(value))
    return [{ option: path || 'options', message: `expected an object, got ${told(value, 'text')}` }]
  return Object.entries(value).flatMap(([name, given]): Problem[] => {
    const expected = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (expected === undefined) {
      return [{ option: at(name), message: `there is no such option${meantOf(name, shape, at)}` }]
    }
    if (given === undefined) return []
    return isRefused(expected)
      ? [{ option: at(name), message: expected.refused }]
      : checkOption(given, isOneOf(expected) ? expected.oneOf : [expected], at(name))
  })
}

function checkOption(given: unknown, kinds: readonly Kind[], option: string): Problem[] {
  const fitting = kinds.find((kind) => fits(given, kind))
  if (fitting === undefined) {
    const expectation = `expected ${[...new Set(kinds.map(nameOf))].join(' or ')}, got ${toldOf(given, kinds)}`
    return [{ option, message: expectation + mendOf(given, kinds) }]
  }
  if (isEvery(fitting)) return [...missing(given, fitting, option), ...checkShape(given, fitting.every, option)]
  return isShape(fitting) ? checkShape(given, fitting, option) : []
}

/** @returns What a group leaves out that must not leave anything out. */
function missing(given: unknown, { every }: Every, option: string): Problem[] {
  const named: Readonly<Record<string, unknown>> = isJsonObject(given) ? given : {}
  return Object.entries(every)
    .filter(([name]) => named[name] === undefined)
    .map(([name, kind]) => ({
      option: `${option}.${name}`,
      message: `expected ${nameOf(kind)}, got nothing; pass ${name} too`
    }))
}
