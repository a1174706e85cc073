import type { Problem, ProblemDetail } from '../errors/config-error.ts'
import { isJsonObject, isObject } from '../model/json-object.ts'
import type { Provider } from '../model/provider.ts'
import type { ProviderInput } from '../model/provider-config.ts'
import { checkShape, describeType, type Shape } from '../schema/schema.ts'
import { suggest } from '../schema/suggest.ts'
import { isPlain } from './merge.ts'
import { createProviderDraft, type ProviderContext, type ProviderDraft } from './provider-draft.ts'
import { providerShapes } from './provider-schemas.ts'
import { resolveCredentials } from './resolve-credentials.ts'
import { resolveEmail } from './resolve-email.ts'
import { callHint, isFeature } from './resolve-feature.ts'
import { resolveOAuth } from './resolve-oauth.ts'

const kinds = {
  oauth: 'oauth',
  oidc: 'oauth',
  email: 'email',
  nodemailer: 'email',
  credentials: 'credentials'
} as const

/** Auth.js accepts a provider's factory itself if there are no options: calls it. */
function callFactory(given: unknown): unknown {
  if (typeof given !== 'function') return given
  try {
    return given({})
  } catch {
    return null
  }
}

/**
 * Returns the fields of the provider itself. Options of a factory may include names that only the factory reads; a
 * known name is treated as a field of Postern.
 */
function ownFields({ merged, factory }: ProviderDraft, shape: Shape): Readonly<Record<string, unknown>> {
  const given = isPlain(factory['options']) ? factory['options'] : {}
  const known = Object.keys(shape)
  const isForeign = (name: string): boolean =>
    Object.hasOwn(given, name) && !known.includes(name) && suggest(name, known) === null
  return Object.fromEntries(Object.entries(merged).filter(([name]) => !isForeign(name)))
}

function noProvider(given: ProviderInput, input: unknown): ProblemDetail {
  const expected = 'expected a provider, got'
  const code = 'INVALID_PROVIDER'
  if (typeof given === 'function')
    return { code, message: `${expected} a function that returns none without options; call it with options` }
  if (Array.isArray(input)) return { code, message: `${expected} a list; spread it: ...providers` }
  if (isObject(input)) return { code: 'PROMISE_NOT_AWAITED', message: `${expected} a promise; await it` }
  return { code, message: `${expected} ${describeType(input)}; import it from @postern/core/providers/<id>` }
}

/**
 * Resolves a provider from the application's configuration.
 *
 * @returns The provider, and its problems; a provider with problems must not be used.
 */
export function resolveProvider(
  given: ProviderInput,
  index: number,
  surroundings: ProviderContext
): {
  readonly providers: readonly Provider[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
} {
  const problems: Problem[] = []
  const warnings: string[] = []
  const input = callFactory(given)
  if (typeof given === 'function' && isFeature(input)) {
    const message = `expected a provider or a feature, got a function; ${callHint(given)}`
    return { providers: [], problems: [{ option: `providers[${index}]`, code: 'INVALID_VALUE', message }], warnings }
  }
  if (!isJsonObject(input) || 'then' in input)
    return { providers: [], problems: [{ option: `providers[${index}]`, ...noProvider(given, input) }], warnings }
  const draft = createProviderDraft(input, index, { problems, warnings })
  const type = draft.merged['type']
  const kind = Object.entries(kinds).find(([name]) => name === type)?.[1]
  if (!kind) {
    draft.note('type', 'INVALID_VALUE', `expected oauth, oidc, email or credentials, got ${describeType(type)}`)
    return { providers: [], problems, warnings }
  }
  problems.push(...checkShape(ownFields(draft, providerShapes[kind]), providerShapes[kind], `providers.${draft.id}`))
  const resolvers = { oauth: resolveOAuth, email: resolveEmail, credentials: resolveCredentials }
  return { providers: [resolvers[kind](draft, surroundings)], problems, warnings }
}
