import * as oauth from 'oauth4webapi'
import { AuthError } from '../errors/auth-error.ts'
import { type Fields, getText } from '../http/body.ts'
import type { Logger } from '../model/logger.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { type Metadata, unknownIssuer } from './metadata.ts'
import { quoteServerWords } from './server-error.ts'

/** A validated authorization response; only this type is exchanged for tokens. */
export type ValidatedResponse = URLSearchParams

/** The parameters of the response that Postern reads. Each may occur once (RFC 6749 §3.1); tokens are not allowed (§4.1.2). */
const single = [
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
  'session_state',
  'response',
  // Apple sends the name here, at the first consent only.
  'user'
]
const forbidden = ['access_token', 'id_token', 'token_type', 'response']

/** @returns The parameters of the response. */
export function responseParameters(
  { id, hooks }: Pick<OAuthProvider, 'id' | 'hooks'>,
  fields: Fields
): URLSearchParams {
  const names = hooks.regions ? [...single, hooks.regions.parameter] : single
  for (const name of names) {
    if (fields[name] !== undefined && getText(fields, name) === null) {
      throw new AuthError('OAuthCallback', `${id}: the response has more than one ${name}`)
    }
  }
  const found = forbidden.find((name) => fields[name] !== undefined)
  if (found) throw new AuthError('OAuthCallback', `${id}: expected a code and no ${found} in the response`)
  const texts = names.flatMap((name): [string, string][] => {
    const value = getText(fields, name)
    return value === null ? [] : [[name, value]]
  })
  return new URLSearchParams(texts)
}

/**
 * Quotes the error in an authorization response, for the log. Anybody who makes a link decides about the parameters.
 *
 * @returns `null` if the response has no error.
 */
export function readResponseError(parameters: URLSearchParams): string | null {
  const words = { code: parameters.get('error'), description: parameters.get('error_description') }
  return words.code === null ? null : `${quoteServerWords(words)}, as the browser reports it`
}

/** What a response is validated against, in addition to `state`. */
export interface Expected {
  readonly metadata: Metadata
  readonly client: oauth.Client
  readonly provider: OAuthProvider
}

/**
 * Validates an authorization response against the authorization request (RFC 6749 §4.1.2, RFC 9207 §2.4).
 *
 * @throws oauth4webapi's errors, for the caller to translate.
 */
export function validateResponse(
  parameters: URLSearchParams,
  state: string,
  { metadata, client, provider: { id, type } }: Expected,
  logger: Logger
): ValidatedResponse {
  const checked = new URLSearchParams(parameters)
  if (parameters.has('iss') && metadata.issuer === unknownIssuer) {
    // A provider may start to send `iss` at any time (RFC 9207 §2). Without a configured issuer it cannot be compared.
    logger.warn(
      'OAUTH_ISSUER_UNKNOWN',
      `${id} (${type}): the response contains an issuer; set \`issuer\` to compare it`
    )
    checked.delete('iss')
  }
  return oauth.validateAuthResponse(metadata, client, checked, state)
}
