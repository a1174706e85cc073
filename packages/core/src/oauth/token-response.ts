import { readResponseText } from '../http/read-response.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { TokenSet } from '../model/provider.ts'

function parseTokenFields(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The bodies of responses that were parsed: a token response is read for errors, for its own fields, and for tokens. */
const objects = new WeakMap<Response, Readonly<Record<string, unknown>>>()

/** @returns The body of a response, or `{}` if it is not a JSON object. */
export async function readJsonObject(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const known = objects.get(response)
  if (known) return known
  const body = parseTokenFields(await readResponseText(response).catch(() => ''))
  const object = isJsonObject(body) ? body : {}
  objects.set(response, object)
  return object
}

/**
 * Normalizes the response of a server that is not an OpenID Provider. An ID Token is ignored; some servers omit
 * `token_type` (required by RFC 6749 §5.1), send an array of scopes, or use `null` for missing fields.
 */
export async function readPlainResponse(response: Response): Promise<Response> {
  const { id_token: _, scope, ...rest } = await readJsonObject(response)
  if (typeof rest['access_token'] !== 'string') return response
  const fields = { token_type: 'bearer', ...rest, scope: Array.isArray(scope) ? scope.join(' ') : scope }
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Response.json(Object.fromEntries(given), { status: response.status })
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isDuration = (value: unknown): boolean =>
  (typeof value === 'number' || isText(value)) && Number.isFinite(Number(value)) && Number(value) >= 0

/** Optional fields and their expected types (RFC 6749 §5.1). */
const optional: Readonly<Record<string, (value: unknown) => boolean>> = {
  refresh_token: isText,
  scope: (value) => typeof value === 'string',
  expires_in: isDuration
}

/**
 * Removes optional fields with invalid values, so that they do not fail the sign-in. Arrays of scopes are joined. `access_token` and
 * `token_type` are required (RFC 6749 §5.1).
 */
export async function readTokenResponse(response: Response): Promise<Response> {
  const { scope, ...rest } = await readJsonObject(response)
  const fields = { ...rest, ...(scope === undefined ? {} : { scope: Array.isArray(scope) ? scope.join(' ') : scope }) }
  const fitting = Object.entries(fields).filter(([name, value]) => optional[name]?.(value) ?? true)
  const isWhole = !Array.isArray(scope) && fitting.length === Object.keys(fields).length
  if (isWhole) return response
  return new Response(JSON.stringify(Object.fromEntries(fitting)), response)
}

/**
 * The standard fields of a token response; `expires_in` is converted to `expires_at`. Some providers send 0 for tokens that do
 * not expire.
 */
export function toTokenSet(response: Readonly<Record<string, unknown>>, now: number): TokenSet {
  const { expires_in, scope, ...rest } = response
  const seconds = Number(expires_in)
  return {
    ...rest,
    ...(scope === undefined || scope === null ? {} : { scope: Array.isArray(scope) ? scope.join(' ') : String(scope) }),
    ...(expires_in !== undefined && expires_in !== null && Number.isFinite(seconds) && seconds > 0
      ? { expires_at: Math.floor(now / 1000) + seconds }
      : {})
  }
}
