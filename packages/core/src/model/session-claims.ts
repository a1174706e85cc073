import { isJsonObject } from './json-object.ts'

/** What features state about a session, by the id of the feature. */
export type SessionClaims = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** @returns The claims that the `session` callback receives; `null` if there are none. */
export function withoutHiddenClaims(claims: SessionClaims | null, hidden: ReadonlySet<string>): SessionClaims | null {
  if (claims === null || hidden.size === 0) return claims
  const shown = Object.entries(claims).filter(([id]) => !hidden.has(id))
  return shown.length > 0 ? Object.fromEntries(shown) : null
}

/** @returns The claims of a token or a row; `null` if it has none. */
export function parseSessionClaims(value: unknown): SessionClaims | null {
  if (!isJsonObject(value)) return null
  return Object.fromEntries(
    Object.entries(value).flatMap(([id, claims]) => (isJsonObject(claims) ? [[id, claims]] : []))
  )
}
