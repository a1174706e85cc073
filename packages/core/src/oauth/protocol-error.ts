import * as oauth from 'oauth4webapi'
import { AuthError } from '../errors/auth-error.ts'
import { getErrorMessage } from '../errors/serialize-error.ts'
import type { Reason } from '../model/page.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { readResponseError } from './authorization-response.ts'
import { KeySetError } from './key-set-request.ts'

/** The step of the protocol that failed, for the operator. */
export type Step =
  | 'discovery'
  | 'authorization response'
  | 'token request'
  | 'ID Token'
  | 'key set'
  | 'userinfo'
  | 'profile'

/** What operators should check, by failed step. */
const advice: Readonly<Record<Step, string>> = {
  discovery: 'is the issuer correct, and can this server reach it?',
  'authorization response': 'is the redirect URI registered, and is `iss` the configured issuer?',
  'token request': 'are clientId and clientSecret right, and is the authentication method the registered one?',
  'ID Token': 'do issuer, clientId and signing algorithm match, and are the clocks synchronized?',
  'key set': 'does the jwks_uri of the provider return its keys?',
  userinfo: 'does the access token have the scope that userinfo requires?',
  profile: 'does the profile function return an id for this response?'
}

const unreachable = 'can this server reach the provider, and does it respond in time?'

const notPublic = 'if it belongs to your network, allowInsecureRequests: true of the provider allows it'

/** Whether the call was refused because of a private address. */
const isNotPublic = (error: unknown): boolean =>
  error instanceof Error && error.name === 'OutboundError' && error.message === 'the address is not public'

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (['TimeoutError', 'AbortError', 'OutboundError', 'ProviderResponseError'].includes(error.name)) return true
  return error instanceof TypeError && error.message === 'fetch failed'
}

/** Whether the ID Token failed, and not the request that returned it. */
function isOfIdToken(error: unknown): boolean {
  return error instanceof Error && ['ClaimError', 'SignatureError'].includes(error.name)
}

/** The provider reports that it cannot meet `acr_values` (OpenID Connect Core Unmet Authentication Requirements §2). */
const isUnmet = (error: unknown): boolean =>
  error instanceof oauth.AuthorizationResponseError && error.error === 'unmet_authentication_requirements'

/** Whether the user canceled: `access_denied` (RFC 6749 §4.1.2.1), or what the provider sends instead. */
const isCanceled = (
  { error, cause }: oauth.AuthorizationResponseError,
  { hooks }: Pick<OAuthProvider, 'hooks'>
): boolean => error === 'access_denied' || hooks.isCanceled?.(cause) === true

/** The server's own error message, for errors of oauth4webapi, whose messages do not contain it. */
function serverError(error: unknown): string {
  const words = error instanceof oauth.AuthorizationResponseError ? readResponseError(error.cause) : null
  return words === null ? '' : `: ${words}`
}

/** @returns What the operator should check, or `null` if the user canceled. */
function getHint(step: Step, cause: unknown, reason: Reason | null): string | null {
  if (reason === 'cancelled') return null
  if (isNotPublic(cause)) return notPublic
  return reason === 'unavailable' && step !== 'discovery' ? unreachable : advice[step]
}

/** What failed: the step, its error, and the address of the document that it reads. */
interface Failure {
  readonly step: Step
  readonly cause: unknown
  readonly address: string | null
}

function getFailure(step: Step, cause: unknown, wellKnown: string | null): Failure {
  if (cause instanceof KeySetError) return { step: 'key set', cause: cause.cause, address: cause.uri }
  if (step === 'token request' && isOfIdToken(cause)) return { step: 'ID Token', cause, address: null }
  return { step, cause, address: step === 'discovery' ? wellKnown : null }
}

/**
 * Translates a protocol error to an error with a screen.
 *
 * The message names provider, step and what to check; `cause` is the protocol's error.
 */
export function protocolError(
  code: 'OAuthSignin' | 'OAuthCallback',
  provider: Pick<OAuthProvider, 'id' | 'wellKnown' | 'hooks'>,
  failedStep: Step,
  error: unknown
): AuthError {
  if (error instanceof AuthError) return error
  const { step, cause, address } = getFailure(failedStep, error, provider.wellKnown)
  const reason: Reason | null =
    cause instanceof oauth.AuthorizationResponseError && isCanceled(cause, provider)
      ? 'cancelled'
      : isUnreachable(cause)
        ? 'unavailable'
        : null
  const detail = `${address ? `${address}: ` : ''}${getErrorMessage(cause)}${serverError(cause)}`
  const hint = getHint(step, cause, reason)
  return new AuthError(
    isUnmet(cause) ? 'UnmetRequirements' : code,
    `${provider.id}: ${step} failed: ${detail}${hint === null ? '' : `; ${hint}`}`,
    { cause, reason }
  )
}
