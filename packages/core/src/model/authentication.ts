import { isJsonObject } from './json-object.ts'

/** What the provider of a sign-in reported about it; OpenID Connect Core §2. */
export interface ProviderAuthentication {
  /** The id of the provider or sign-in method. */
  readonly id: string
  /** The claim `acr` of a verified ID Token; `null` if there is none. */
  readonly acr: string | null
  /** The claim `amr` of a verified ID Token; empty if there is none. */
  readonly amr: readonly string[]
  /** The claim `auth_time` of a verified ID Token; `null` if there is none. */
  readonly authTime: Date | null
}

/** The user who acts as the user of a session. */
export interface Actor {
  readonly userId: string
}

/** How the user of a session was authenticated. */
export interface Authentication {
  readonly userId: string
  /** The user who impersonates `userId`; `null` if the user of the session signed in. */
  readonly actor: Actor | null
  /** As in the list of the user's sessions; `null` for a session that has no id, or does not exist yet. */
  readonly sessionId: string | null
  /**
   * What this application verified itself (RFC 8176): `pwd`, `otp`, `hwk`, `swk`, and `mfa` for two factors. Providers and
   * email have no value; they are in `provider`.
   */
  readonly amr: readonly string[]
  /**
   * When the user authenticated; `null` if that is unknown, as after a provider that does not state it, and for sessions
   * of other libraries.
   */
  readonly authTime: Date | null
  /** `null` if it is unknown. */
  readonly provider: ProviderAuthentication | null
}

/** The authentication of a sign-in, as tokens, records and tickets store it. Times are seconds since 1970. */
export interface AuthenticationContext {
  readonly amr: readonly string[]
  readonly authTime: number | null
  readonly provider: Omit<ProviderAuthentication, 'authTime'> & { readonly authTime: number | null }
}

/** What a provider may state at most: sessions have to fit into cookies. */
const maxValues = 16
const maxLength = 255

const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxLength

/** @returns The values of a claim like `amr`; none if it is not a list of short strings. */
export function parseAmr(value: unknown): readonly string[] {
  return Array.isArray(value) && value.length <= maxValues && value.every(isShort) ? [...value] : []
}

/** @returns A claim like `acr`, or `null` if it is not a short string. */
export function parseAcr(value: unknown): string | null {
  return isShort(value) ? value : null
}

/** @returns Seconds since 1970, or `null` if the value is no time, or later than `latest`: milliseconds, for example. */
export function parseSeconds(value: unknown, latest: number): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value <= latest ? value : null
}

/** The authentication of a method that verifies the user itself, now. */
export function authenticatedNow(id: string, amr: readonly string[], now: number): AuthenticationContext {
  return { amr, authTime: Math.floor(now / 1000), provider: { id, acr: null, amr: [], authTime: null } }
}

/** The authentication of a sign-in that does not state it. */
export function unknownAuthentication(id: string): AuthenticationContext {
  return { amr: [], authTime: null, provider: { id, acr: null, amr: [], authTime: null } }
}

/**
 * Adds what an interruption verified: with another factor, the authentication has two.
 *
 * @param verifiedAt - When the user gave them, in seconds since 1970: that is fresh, whatever the provider has stated. `null` if they
 * are new, and so do not prove who gave them.
 */
export function withFactors(
  context: AuthenticationContext,
  factors: readonly string[],
  verifiedAt: number | null
): AuthenticationContext {
  if (factors.length === 0) return context
  const { amr, authTime } = context
  return { ...context, amr: [...new Set([...amr, ...factors, 'mfa'])], authTime: verifiedAt ?? authTime }
}

const toDate = (seconds: number | null): Date | null => (seconds === null ? null : new Date(seconds * 1000))

/** The public form, for a session that does not exist yet. */
export function toAuthentication({ amr, authTime, provider }: AuthenticationContext, userId: string): Authentication {
  return {
    userId,
    actor: null,
    sessionId: null,
    amr,
    authTime: toDate(authTime),
    provider: { ...provider, authTime: toDate(provider.authTime) }
  }
}

/** The context of a session that exists, for one that continues it. */
export function toContext({ amr, authTime, provider }: Authentication, id: string): AuthenticationContext {
  const toSeconds = (date: Date | null): number | null => date && Math.floor(date.getTime() / 1000)
  const reported = provider ?? { id, acr: null, amr: [], authTime: null }
  return { amr, authTime: toSeconds(authTime), provider: { ...reported, authTime: toSeconds(reported.authTime) } }
}

/** The stored form: what is unknown is left out, because a token has to fit into a cookie. */
export function toStoredAuthentication({ amr, provider }: AuthenticationContext): Readonly<Record<string, unknown>> {
  const { id, acr, amr: reported, authTime } = provider
  return {
    ...(amr.length > 0 ? { amr } : {}),
    provider: id,
    ...(acr === null ? {} : { acr }),
    ...(reported.length > 0 ? { provider_amr: reported } : {}),
    ...(authTime === null ? {} : { provider_auth_time: authTime })
  }
}

/** Reads the stored form. What is missing or damaged is unknown. */
export function parseStoredAuthentication(
  stored: unknown,
  known: Pick<Authentication, 'userId' | 'actor' | 'sessionId' | 'authTime'>
): Authentication {
  if (!isJsonObject(stored)) return { ...known, amr: [], provider: null }
  const { provider, provider_auth_time } = stored
  const id = parseAcr(provider)
  const authTime = toDate(parseSeconds(provider_auth_time, Number.MAX_SAFE_INTEGER))
  const reported =
    id === null ? null : { id, acr: parseAcr(stored['acr']), amr: parseAmr(stored['provider_amr']), authTime }
  return { ...known, amr: parseAmr(stored['amr']), provider: reported }
}
