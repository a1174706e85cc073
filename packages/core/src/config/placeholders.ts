import { environmentName } from './endpoints.ts'
import { isPlain, textOrNull } from './merge.ts'
import type { ProviderContext, ProviderDraft } from './provider-draft.ts'

/** The values of the placeholders in a provider's URLs and parameters. */
type Values = { readonly issuer: string | null; readonly clientId: string | null }

const placeholders = /\{(?:issuer|clientId)\}/

/** Replaces the placeholders in every string; a string whose value is missing becomes empty, which means "none". */
function fill(value: unknown, { issuer, clientId }: Values): unknown {
  if (isPlain(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fill(part, { issuer, clientId })]))
  }
  if (typeof value !== 'string' || !placeholders.test(value)) return value
  const isOpen = (value.includes('{issuer}') && !issuer) || (value.includes('{clientId}') && !clientId)
  if (isOpen) return ''
  const client = value.includes('/') ? encodeURIComponent(clientId ?? '') : (clientId ?? '')
  return value.replaceAll('{issuer}', issuer ?? '').replaceAll('{clientId}', client)
}

/**
 * Resolves the issuer: the one that the application configured, otherwise the provider's.
 *
 * A provider may define a suffix (`{issuer}/oauth2`); an issuer that already has it is not changed.
 */
function resolveIssuer({ factory, merged }: ProviderDraft, fromEnvironment: string | undefined): string | null {
  const own = textOrNull(factory['issuer'])
  const options = isPlain(factory['options']) ? factory['options'] : {}
  const given = textOrNull(options['issuer']) ?? textOrNull(fromEnvironment)
  if (!own?.includes('{issuer}')) return given ?? textOrNull(merged['issuer'])
  const rest = own.replace('{issuer}', '')
  const base = given?.replace(/\/$/, '')
  return base?.endsWith(rest) ? base : base ? base + rest : null
}

/** @returns The draft with the issuer, and with issuer and client id inserted into its URLs. */
export function fillPlaceholders(draft: ProviderDraft, { environment }: ProviderContext): ProviderDraft {
  const { id, merged } = draft
  const name = `AUTH_${environmentName(id)}`
  const clientId = textOrNull(merged['clientId']) ?? textOrNull(environment[`${name}_ID`])
  const given = fill(resolveIssuer(draft, environment[`${name}_ISSUER`]), { issuer: null, clientId })
  const issuer = textOrNull(given)
  const values = { issuer: issuer?.replace(/\/$/, '') ?? null, clientId }
  const parts = ['wellKnown', 'authorization', 'token', 'userinfo', 'jwks_endpoint']
  const open = parts.flatMap((part) => (merged[part] === undefined ? [] : [[part, fill(merged[part], values)]]))
  return { ...draft, merged: { ...merged, issuer: issuer ?? undefined, ...Object.fromEntries(open) } }
}
