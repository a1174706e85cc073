import type { Problem } from '../errors/config-error.ts'
import type { ProblemCode } from '../errors/problem-codes.ts'
import { describeType } from '../schema/schema.ts'
import { deepMerge, isPlain, textOrNull } from './merge.ts'

/** The context in which providers are resolved. */
export interface ProviderContext {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly isProduction: boolean
  readonly hasRateLimits: boolean
  /** Whether the application has its own "Check your email" page. */
  readonly hasVerifyRequestPage: boolean
  readonly verificationMaxAge: number
  /** The timeout of outbound requests in milliseconds. */
  readonly timeout: number
  /** The timeout of functions of the application and of the provider, in milliseconds. */
  readonly callbackTimeout: number
  /** The timeout of the mail server in milliseconds. */
  readonly mailTimeout: number
}

/** The fields of a provider while it is being resolved. Problems are collected, so that all are reported at once. */
export interface ProviderDraft {
  /** The fields of the provider's factory, without the application's options. */
  readonly factory: Readonly<Record<string, unknown>>
  /** The fields with the application's options merged in. */
  readonly merged: Readonly<Record<string, unknown>>
  /** The value under Auth.js' symbol `customFetch`, or `null`. */
  readonly customFetch: unknown
  readonly id: string
  readonly name: string
  /** Adds a problem. */
  readonly note: (option: string, code: ProblemCode, message: string) => void
  /** Adds a warning about a value that is allowed, but probably a mistake. */
  readonly warn: (option: string, message: string) => void
}

/** Notes each option that the provider `needs` and does not have. */
export function checkNeeds({ name, merged, note }: Pick<ProviderDraft, 'name' | 'merged' | 'note'>): void {
  const needs: readonly unknown[] = Array.isArray(merged['needs']) ? merged['needs'] : []
  for (const option of needs)
    if (typeof option === 'string' && !textOrNull(merged[option]) && !isPlain(merged[option]))
      note(option, 'OPTION_MISSING', `expected a string, which ${name} requires; pass ${option}`)
}

const idPattern = /^[A-Za-z0-9._~-]{1,64}$/

/** Splits endpoints that are strings into URL and parameters before anything is merged, as in next-auth v4. */
function withEndpointObjects(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const endpoints = ['authorization', 'token', 'userinfo'].flatMap((name): [string, unknown][] => {
    const value = fields[name]
    if (typeof value !== 'string' || !URL.canParse(value)) return []
    const url = new URL(value)
    return [[name, { url: url.origin + url.pathname, params: Object.fromEntries(url.searchParams) }]]
  })
  return { ...fields, ...Object.fromEntries(endpoints) }
}

/** Returns the value that Auth.js stores under one of its symbols, which are identified by their description. */
function underSymbol(description: string, ...places: readonly object[]): unknown {
  for (const place of places) {
    const symbol = Object.getOwnPropertySymbols(place).find((candidate) => candidate.description === description)
    if (symbol) return Reflect.get(place, symbol)
  }
  return null
}

/** The lists that drafts of providers add to. */
export interface Findings {
  readonly problems: Problem[]
  readonly warnings: string[]
}

export function createProviderDraft(input: object, index: number, { problems, warnings }: Findings): ProviderDraft {
  const factory = withEndpointObjects({ ...input })
  const options = isPlain(factory['options']) ? withEndpointObjects(factory['options']) : {}
  const merged = deepMerge(factory, options)
  const { id, name } = merged
  const isNamed = typeof id === 'string' && idPattern.test(id)
  const path = isNamed ? `providers.${id}` : `providers[${index}]`
  const note: ProviderDraft['note'] = (option, code, message) => {
    problems.push({ option: `${path}.${option}`, code, message })
  }
  if (!isNamed)
    note(
      'id',
      id === undefined || id === '' ? 'OPTION_MISSING' : 'INVALID_VALUE',
      `expected up to 64 letters, digits, ., _, ~ or -, got ${describeType(id)}`
    )
  return {
    factory,
    merged,
    customFetch: underSymbol('custom-fetch', input, isPlain(factory['options']) ? factory['options'] : {}),
    note,
    warn: (option, message) => {
      warnings.push(`${path}.${option}: ${message}`)
    },
    id: isNamed ? id : `provider-${index}`,
    name: typeof name === 'string' && name ? name : String(id)
  }
}
