import { environmentName } from './endpoints.ts'
import { isPlain, textOrNull } from './merge.ts'
import type { Draft, ProviderSurroundings } from './resolve-provider.ts'

/** What the addresses and parameters of a provider may leave open until it is configured. */
type Values = { readonly issuer: string | null; readonly clientId: string | null }

const holes = /\{(?:issuer|clientId)\}/

/** Fills the holes of every text; a text whose value is missing becomes empty, which means "none". */
function fill(value: unknown, { issuer, clientId }: Values): unknown {
  if (isPlain(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fill(part, { issuer, clientId })]))
  }
  if (typeof value !== 'string' || !holes.test(value)) return value
  const isOpen = (value.includes('{issuer}') && !issuer) || (value.includes('{clientId}') && !clientId)
  if (isOpen) return ''
  const client = value.includes('/') ? encodeURIComponent(clientId ?? '') : (clientId ?? '')
  return value.replaceAll('{issuer}', issuer ?? '').replaceAll('{clientId}', client)
}

/**
 * The issuer as the application gave it; without one, the provider's own.
 *
 * A provider may say how its issuers go on (`{issuer}/oauth2`); one that is given whole is taken as it is.
 */
function issuerOf({ factory, merged }: Draft, fromEnvironment: string | undefined): string | null {
  const own = textOrNull(factory['issuer'])
  const options = isPlain(factory['options']) ? factory['options'] : {}
  const given = textOrNull(options['issuer']) ?? textOrNull(fromEnvironment)
  if (!own?.includes('{issuer}')) return given ?? textOrNull(merged['issuer'])
  const rest = own.replace('{issuer}', '')
  const base = given?.replace(/\/$/, '')
  return base?.endsWith(rest) ? base : base ? base + rest : null
}

/** @returns The draft with the issuer and what follows from it, and from the client, in its addresses. */
export function filled(draft: Draft, { environment }: ProviderSurroundings): Draft {
  const { id, merged } = draft
  const name = `AUTH_${environmentName(id)}`
  const clientId = textOrNull(merged['clientId']) ?? textOrNull(environment[`${name}_ID`])
  const given = fill(issuerOf(draft, environment[`${name}_ISSUER`]), { issuer: null, clientId })
  const issuer = textOrNull(given)
  const values = { issuer: issuer?.replace(/\/$/, '') ?? null, clientId }
  const parts = ['wellKnown', 'authorization', 'token', 'userinfo', 'jwks_endpoint']
  const open = parts.flatMap((part) => (merged[part] === undefined ? [] : [[part, fill(merged[part], values)]]))
  return { ...draft, merged: { ...merged, issuer: issuer ?? undefined, ...Object.fromEntries(open) } }
}
