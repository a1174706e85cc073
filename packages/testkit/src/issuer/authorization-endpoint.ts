import { randomBytes } from 'node:crypto'
import type { Person } from './person.ts'
import type { State } from './state.ts'

/** The lifetime of a code in seconds. */
const codeMaxAge = 60

/**
 * Handles an authorization request as if a user had just signed in.
 *
 * @returns The redirect URL.
 * @throws If a real issuer would show an error page, or a security requirement is not met.
 */
export function answerAuthorization(state: State, authorizationUrl: string, person: Person): string {
  const url = new URL(authorizationUrl)
  if (url.origin + url.pathname !== `${state.issuer}/authorize`) throw mistake('url', `${state.issuer}/authorize`, url)
  const read = (name: string): string | null => readOnce(url.searchParams, name)
  const redirectUri = read('redirect_uri')
  checkRequest(state, read)
  const callback = new URL(redirectUri ?? '')
  const { faults } = state
  if (faults.callbackError !== null) {
    callback.searchParams.set('error', faults.callbackError)
  } else {
    const code = randomBytes(24).toString('base64url')
    state.codes.set(code, {
      person,
      scope: read('scope') ?? '',
      redirectUri: redirectUri ?? '',
      nonce: read('nonce'),
      codeChallenge: read('code_challenge'),
      expires: (state.now() + codeMaxAge) * 1000
    })
    callback.searchParams.set('code', code)
  }
  const sent = read('state')
  if (sent !== null) callback.searchParams.set('state', sent)
  if (!faults.callbackIssMissing) {
    callback.searchParams.set('iss', faults.callbackIssWrong ? 'https://another-issuer.test' : state.issuer)
  }
  faults.callback?.(callback)
  return callback.href
}

type Read = (name: string) => string | null

function checkRequest({ client, isPlainOAuthAllowed }: State, read: Read): void {
  const redirectUri = read('redirect_uri')
  const scope = read('scope')
  const challenge = read('code_challenge')
  const method = read('code_challenge_method')
  if (read('client_id') !== client.id) throw mistake('client_id', client.id, read('client_id'))
  if (redirectUri === null || !URL.canParse(redirectUri)) throw mistake('redirect_uri', 'an address', redirectUri)
  if (client.redirectUris && !client.redirectUris.includes(redirectUri)) {
    throw mistake('redirect_uri', client.redirectUris.join(' or '), redirectUri)
  }
  if (read('response_type') !== 'code') throw mistake('response_type', 'code', read('response_type'))
  if (isPlainOAuthAllowed && challenge === null) return
  if (!isPlainOAuthAllowed && !scope?.split(' ').includes('openid')) throw mistake('scope', 'openid', scope)
  if (method !== 'S256') throw mistake('code_challenge_method', 'S256', method)
  // A SHA-256 hash in base64url (RFC 7636 §4.2).
  if (!/^[\w-]{43}$/.test(challenge ?? '')) throw mistake('code_challenge', '43 characters', challenge)
}

/** Parameters must not occur more than once (RFC 6749 §3.1). */
function readOnce(parameters: URLSearchParams, name: string): string | null {
  const values = parameters.getAll(name)
  if (values.length > 1) throw mistake(name, 'one value', `${values.length} values`)
  return values[0] ?? null
}

function mistake(name: string, expected: string, got: URL | string | null): Error {
  return new Error(`authorization request: ${name}: expected ${expected}, got ${got ?? 'nothing'}`)
}
