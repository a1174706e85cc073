import type { Problem } from '../errors/config-error.ts'
import type { Provider } from '../model/provider.ts'
import type { ProviderInput } from '../model/provider-config.ts'
import { type Shape, told } from './kinds.ts'
import { deepMerge, isPlain } from './merge.ts'
import { nearest } from '../schema/suggest.ts'
import { providerShapes } from './provider-schemas.ts'
import { resolveCredentials } from './resolve-credentials.ts'
import { resolveEmail } from './resolve-email.ts'
import { resolveOAuth } from './resolve-oauth.ts'
import { checkShape } from './shape.ts'

/** What a provider is resolved with. */
export interface ProviderSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly isProduction: boolean
  /** Whether the application shows "check your e-mail" itself. */
  readonly hasVerifyRequestPage: boolean
  readonly verificationMaxAge: number
  /** Milliseconds that an outbound call may take. */
  readonly timeout: number
  /** Milliseconds that a function of the application or of the provider may take. */
  readonly callbackTimeout: number
  /** Milliseconds that a mail server may take. */
  readonly mailTimeout: number
}

/** The fields of one provider while it is being resolved; mistakes are noted, so that all are told at once. */
export interface Draft {
  /** As the provider's factory wrote it, before the user's options. */
  readonly factory: Readonly<Record<string, unknown>>
  /** With the user's options merged in. */
  readonly merged: Readonly<Record<string, unknown>>
  /** What Auth.js keeps under its symbol `customFetch`, or `null`. */
  readonly customFetch: unknown
  readonly id: string
  readonly name: string
  /** Notes a mistake. */
  readonly note: (option: string, message: string) => void
}

const kinds = {
  oauth: 'oauth',
  oidc: 'oauth',
  email: 'email',
  nodemailer: 'email',
  credentials: 'credentials'
} as const
const idPattern = /^[A-Za-z0-9._~-]{1,64}$/

/** Endpoints written as text become address and parameters before anything is merged, as in next-auth v4. */
function withEndpointObjects(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const endpoints = ['authorization', 'token', 'userinfo'].flatMap((name): [string, unknown][] => {
    const value = fields[name]
    if (typeof value !== 'string' || !URL.canParse(value)) return []
    const url = new URL(value)
    return [[name, { url: url.origin + url.pathname, params: Object.fromEntries(url.searchParams) }]]
  })
  return { ...fields, ...Object.fromEntries(endpoints) }
}

/** Auth.js keeps some fields under symbols of its own, which only their description tells apart. */
function underSymbol(description: string, ...places: readonly object[]): unknown {
  for (const place of places) {
    const symbol = Object.getOwnPropertySymbols(place).find((candidate) => candidate.description === description)
    if (symbol) return Reflect.get(place, symbol)
  }
  return null
}

function draftOf(input: object, index: number, problems: Problem[]): Draft {
  const factory = withEndpointObjects({ ...input })
  const options = isPlain(factory['options']) ? withEndpointObjects(factory['options']) : {}
  const merged = deepMerge(factory, options)
  const { id, name } = merged
  const isNamed = typeof id === 'string' && idPattern.test(id)
  const path = isNamed ? `providers.${id}` : `providers[${index}]`
  const note = (option: string, message: string): void => {
    problems.push({ option: `${path}.${option}`, message })
  }
  if (!isNamed) note('id', `expected up to 64 letters, digits, ., _, ~ or -, got ${told(id)}`)
  return {
    factory,
    merged,
    customFetch: underSymbol('custom-fetch', input, isPlain(factory['options']) ? factory['options'] : {}),
    note,
    id: isNamed ? id : `provider-${index}`,
    name: typeof name === 'string' && name ? name : String(id)
  }
}

/** Auth.js takes a provider's factory itself where no options are given. */
function made(given: unknown): unknown {
  if (typeof given !== 'function') return given
  try {
    return given({})
  } catch {
    return null
  }
}

/** What a factory was given may hold options that only the factory knows; what looks like one of ours is ours. */
function ownFields({ merged, factory }: Draft, shape: Shape): Readonly<Record<string, unknown>> {
  const given = isPlain(factory['options']) ? factory['options'] : {}
  const known = Object.keys(shape)
  const isForeign = (name: string): boolean =>
    Object.hasOwn(given, name) && !known.includes(name) && nearest(name, known) === null
  return Object.fromEntries(Object.entries(merged).filter(([name]) => !isForeign(name)))
}

function noProvider(given: ProviderInput, input: unknown): string {
  const expected = 'expected a provider, got'
  if (typeof given === 'function') return `${expected} a function that makes none without options; call it with them`
  if (Array.isArray(input)) return `${expected} a list; spread it: ...providers`
  if (typeof input === 'object' && input !== null) return `${expected} a promise; await it`
  return `${expected} ${told(input)}; import it from @postern/core/providers/<id>`
}

/**
 * Makes a provider of what the application wrote.
 *
 * @returns The provider, and what is wrong with it; with mistakes the provider is not to be used.
 */
export function resolveProvider(
  given: ProviderInput,
  index: number,
  surroundings: ProviderSurroundings
): { readonly provider: Provider | null; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const input = made(given)
  if (typeof input !== 'object' || input === null || Array.isArray(input) || 'then' in input)
    return { provider: null, problems: [{ option: `providers[${index}]`, message: noProvider(given, input) }] }
  const draft = draftOf(input, index, problems)
  const type = draft.merged['type']
  const kind = Object.entries(kinds).find(([name]) => name === type)?.[1]
  if (!kind) {
    draft.note('type', `expected oauth, oidc, email or credentials, got ${told(type)}`)
    return { provider: null, problems }
  }
  problems.push(...checkShape(ownFields(draft, providerShapes[kind]), providerShapes[kind], `providers.${draft.id}`))
  const resolvers = { oauth: resolveOAuth, email: resolveEmail, credentials: resolveCredentials }
  return { provider: resolvers[kind](draft, surroundings), problems }
}
