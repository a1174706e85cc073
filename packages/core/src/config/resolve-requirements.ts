import { parseAcr, parseAmr } from '../model/authentication.ts'
import type { AuthenticationRequirements } from '../model/provider.ts'
import { isPlain } from './merge.ts'
import type { ProviderDraft } from './provider-draft.ts'

const nothing: AuthenticationRequirements = { acr: [], amr: [], maxAge: null }

/** Resolves what every sign-in at a provider must prove. Only an ID Token can prove it. */
export function resolveRequirements({ merged, note }: ProviderDraft, idToken: boolean): AuthenticationRequirements {
  const { requires } = merged
  if (!isPlain(requires)) return nothing
  if (!idToken)
    note(
      'requires',
      'INVALID_VALUE',
      "expected a provider with OpenID Connect, whose ID Token states it; write type: 'oidc', or omit requires"
    )
  const { acr, amr, maxAge } = requires
  const values = Array.isArray(acr) ? parseAmr(acr) : [parseAcr(acr)].filter((value) => value !== null)
  const methods = parseAmr(amr)
  // A list that is empty, or has an empty or long value, would require nothing.
  if (acr !== undefined && (values.length === 0 || values.some((value) => /\s/.test(value))))
    note('requires.acr', 'INVALID_VALUE', 'expected one value or more, each without spaces; omit it for any')
  if (amr !== undefined && methods.length === 0)
    note('requires.amr', 'INVALID_VALUE', 'expected one value or more; omit it for any')
  return { acr: values, amr: methods, maxAge: typeof maxAge === 'number' ? maxAge : null }
}
