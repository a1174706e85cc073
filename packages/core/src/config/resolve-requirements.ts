import { parseAcr, parseAmr } from '../model/authentication.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { AuthenticationRequirements } from '../model/provider.ts'
import type { ProviderDraft } from './provider-draft.ts'

const nothing: AuthenticationRequirements = { acr: [], amr: [], maxAge: null }

/**
 * A list that is empty, or has an empty or long value, would require nothing. A value with a space cannot be sent.
 *
 * @param given - The schema reports other types.
 */
function isUsable(given: unknown, parsed: readonly string[]): boolean {
  if (![given].flat().every((value) => typeof value === 'string')) return true
  return parsed.length > 0 && !parsed.some((value) => /\s/.test(value))
}

/** An option that is `undefined`, such as an environment variable that is not set, would require nothing. */
function checkPresence(requires: object, note: ProviderDraft['note']): void {
  const entries = Object.entries(requires)
  if (entries.length === 0) note('requires', 'INVALID_VALUE', 'expected acr, amr or maxAge; omit requires for any')
  for (const [name, value] of entries)
    if (value === undefined)
      note(`requires.${name}`, 'OPTION_MISSING', 'expected a value, got nothing; omit it for any')
}

/** Resolves what every sign-in at a provider must prove. Only an ID Token can prove it. */
export function resolveRequirements({ merged, note }: ProviderDraft, idToken: boolean): AuthenticationRequirements {
  const { requires } = merged
  if (!isJsonObject(requires)) return nothing
  if (!idToken)
    note(
      'requires',
      'INVALID_VALUE',
      "expected a provider with OpenID Connect, whose ID Token states it; write type: 'oidc', or omit requires"
    )
  checkPresence(requires, note)
  const { acr, amr, maxAge } = requires
  const values = Array.isArray(acr) ? parseAmr(acr) : [parseAcr(acr)].filter((value) => value !== null)
  const methods = parseAmr(amr)
  for (const [name, given, parsed] of [
    ['acr', acr, values],
    ['amr', Array.isArray(amr) ? amr : undefined, methods]
  ] as const)
    if (!isUsable(given, parsed))
      note(`requires.${name}`, 'INVALID_VALUE', 'expected 1 to 16 values, each without spaces; omit it for any')
  return { acr: values, amr: methods, maxAge: typeof maxAge === 'number' ? maxAge : null }
}
