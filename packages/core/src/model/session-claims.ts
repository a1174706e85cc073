import { isJsonObject } from './json-object.ts'

/** What features state about a session, by the id of the feature. */
export type SessionClaims = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** @returns The claims of a token or a row; `null` if it has none. */
export function parseSessionClaims(value: unknown): SessionClaims | null {
  if (!isJsonObject(value)) return null
  return Object.fromEntries(
    Object.entries(value).flatMap(([id, claims]) => (isJsonObject(claims) ? [[id, claims]] : []))
  )
}
