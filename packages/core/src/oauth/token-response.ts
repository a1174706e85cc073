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

/** @returns The body of a response, or `{}` if it is not a JSON object. */
export async function readJsonObject(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const body = parseTokenFields(await readResponseText(response).catch(() => ''))
  return isJsonObject(body) ? body : {}
}

/** A response of a token endpoint. */
export interface TokenResponse {
  readonly response: Response
  /** What it contains; `{}` if that is no JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export const toTokenResponse = async (response: Response): Promise<TokenResponse> => ({
  response,
  body: await readJsonObject(response)
})

/**
 * Normalizes the response of a server that is not an OpenID Provider. An ID Token is ignored; some servers omit
 * `token_type` (required by RFC 6749 §5.1), send an array of scopes, or use `null` for missing fields.
 */
export function readPlainResponse({ response, body }: TokenResponse): Response {
  const { id_token: _, scope, ...rest } = body
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
export async function readTokenResponse(received: Response): Promise<TokenResponse> {
  const given = await toTokenResponse(received)
  const { scope, ...rest } = given.body
  const fields = { ...rest, ...(scope === undefined ? {} : { scope: Array.isArray(scope) ? scope.join(' ') : scope }) }
  const fitting = Object.entries(fields).filter(([name, value]) => optional[name]?.(value) ?? true)
  const isWhole = !Array.isArray(scope) && fitting.length === Object.keys(fields).length
  if (isWhole) return given
  const body = Object.fromEntries(fitting)
  return { response: new Response(JSON.stringify(body), received), body }
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
