import * as oauth from 'oauth4webapi'
import { AuthError } from '../errors/auth-error.ts'
import { type Fields, textOf } from '../http/body.ts'
import type { Logger } from '../model/logger.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { type Metadata, unknownIssuer } from './metadata.ts'

/** An answer that was checked; only this is exchanged for tokens. */
export type ValidatedResponse = URLSearchParams

/** Parameters that mean something in the answer. Each may come once; tokens may not come at all. */
const single = [
  ...['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state', 'response'],
  // Apple tells the name here, at the first consent and never again.
  'user'
]
const forbidden = ['access_token', 'id_token', 'token_type', 'response']

/** @returns The parameters of the answer as the protocol reads them. */
export function responseParameters(provider: string, fields: Fields): URLSearchParams {
  for (const name of single) {
    if (fields[name] !== undefined && textOf(fields, name) === null) {
      throw new AuthError('OAuthCallback', `${provider}: the answer has more than one ${name}`)
    }
  }
  const found = forbidden.find((name) => fields[name] !== undefined)
  if (found) throw new AuthError('OAuthCallback', `${provider}: expected a code, and no ${found}, in the answer`)
  const texts = single.flatMap((name): [string, string][] => {
    const value = textOf(fields, name)
    return value === null ? [] : [[name, value]]
  })
  return new URLSearchParams(texts)
}

/** What an answer is held against, beside its state. */
export interface Expected {
  readonly metadata: Metadata
  readonly client: oauth.Client
  readonly provider: OAuthProvider
}

/**
 * Holds an authorization response against the attempt it answers (RFC 6749 §4.1.2, RFC 9207 §2.4).
 *
 * @throws oauth4webapi's errors, for the caller to translate.
 */
export function validateResponse(
  parameters: URLSearchParams,
  state: string,
  { metadata, client, provider: { id, type } }: Expected,
  logger: Logger
): ValidatedResponse {
  if (parameters.has('iss') && metadata.issuer === unknownIssuer) {
    // Providers begin to send `iss` without notice (RFC 9207 lets them); whose it is cannot be told without an issuer.
    logger.warn(
      'OAUTH_ISSUER_UNKNOWN',
      `${id} (${type}): the answer names an issuer; set issuer so that it is compared`
    )
    parameters.delete('iss')
  }
  // Some servers leave `state` out of an error: the attempt was found by it, so it was there.
  return oauth.validateAuthResponse(metadata, client, parameters, state)
}
