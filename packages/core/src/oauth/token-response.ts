import { answerText } from '../http/read-response.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { TokenSet } from '../model/provider.ts'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** @returns The body of an answer, `{}` for what is no JSON object. */
export async function jsonOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const body = parsed(await answerText(response).catch(() => ''))
  return isJsonObject(body) ? body : {}
}

/**
 * The answer of a server that is no OpenID Provider. Nothing is concluded from an ID Token that it may send; older ones
 * leave out the type of the token (RFC 6749 §5.1 wants it), list the scopes, or fill what they have not with `null`.
 */
export async function plainAnswer(response: Response): Promise<Response> {
  const { id_token: _, scope, ...rest } = await jsonOf(response)
  if (typeof rest['access_token'] !== 'string') return response
  const fields = { token_type: 'bearer', ...rest, scope: Array.isArray(scope) ? scope.join(' ') : scope }
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Response.json(Object.fromEntries(given), { status: response.status })
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isDuration = (value: unknown): boolean =>
  (typeof value === 'number' || isText(value)) && Number.isFinite(Number(value)) && Number(value) >= 0

/** Fields that a sign-in can do without, each with what it has to be (RFC 6749 §5.1). */
const optional: Readonly<Record<string, (value: unknown) => boolean>> = {
  refresh_token: isText,
  scope: (value) => typeof value === 'string',
  expires_in: isDuration
}

/** An answer less what does not fit in it: no sign-in fails because of a field that nobody needs. Lists of scopes are joined. */
export async function usableAnswer(response: Response): Promise<Response> {
  const { scope, ...rest } = await jsonOf(response)
  const fields = { ...rest, ...(scope === undefined ? {} : { scope: Array.isArray(scope) ? scope.join(' ') : scope }) }
  const fitting = Object.entries(fields).filter(([name, value]) => optional[name]?.(value) ?? true)
  const isWhole = !Array.isArray(scope) && fitting.length === Object.keys(fields).length
  if (isWhole) return response
  return new Response(JSON.stringify(Object.fromEntries(fitting)), response)
}

/** The standard fields of a token response; `expires_in` becomes the second of the end. */
export function toTokenSet(response: Readonly<Record<string, unknown>>, now: number): TokenSet {
  const { expires_in, scope, ...rest } = response
  const seconds = Number(expires_in)
  return {
    ...rest,
    ...(scope === undefined || scope === null ? {} : { scope: Array.isArray(scope) ? scope.join(' ') : String(scope) }),
    ...(expires_in !== undefined && expires_in !== null && Number.isFinite(seconds)
      ? { expires_at: Math.floor(now / 1000) + seconds }
      : {})
  }
}
