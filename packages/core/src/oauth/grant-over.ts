import { isObject } from '../model/json-object.ts'
import type { OAuthProvider, RefusedRefresh } from '../model/provider.ts'
import { ServerError } from './server-error.ts'

/** Statuses of the class 4xx that ask for another attempt (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
const temporary: readonly number[] = [408, 425, 429]

/** What an error names that a new sign-in of the user does not correct: the client and its configuration, or a limit. */
const others =
  /client|application|\bapp\b|secret|credential|grant_type|scope|\brate\b|limit|throttl|quota|too[_ ]many|slow_down|temporar|unavailable|try[_ ]again|server_error|internal|timeout|time[- ]out/i

const isUrl = (text: string): boolean => /^https?:/i.test(text)

/** Collects the texts of a response, except addresses of its documentation. */
function getTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return isUrl(value) ? [] : [value]
  return isObject(value) ? Object.values(value).flatMap(getTexts) : []
}

/** The general rule, for servers that do not use `invalid_grant` (RFC 6749 §5.2). */
function isRefusedGrant({ status, error, body }: RefusedRefresh): boolean {
  if (status < 400 || status > 499 || temporary.includes(status)) return false
  return ![error ?? '', ...getTexts(body)].some((text) => others.test(text))
}

/**
 * @returns Whether the provider rejected the grant of a refresh: it is revoked, expired or already used. A failure that another
 * attempt or another configuration corrects is not.
 */
export function isGrantOver(error: unknown, { hooks }: Pick<OAuthProvider, 'hooks'>): boolean {
  if (!(error instanceof ServerError)) return false
  const stated = hooks.isGrantOver?.(error) ?? null
  return stated ?? (error.error === 'invalid_grant' || isRefusedGrant(error))
}
