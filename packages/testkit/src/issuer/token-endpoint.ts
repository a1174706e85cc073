import { createHash, randomBytes } from 'node:crypto'
import { isAuthenticated } from './client-authentication.ts'
import { issueIdToken } from './id-token.ts'
import type { IssuerRequest } from './request.ts'
import type { Grant, State } from './state.ts'

/** Exchanges a code for tokens (RFC 6749 §4.1.3). */
export async function answerToken(state: State, request: IssuerRequest): Promise<Response> {
  const { faults, client, codes } = state
  if (faults.tokenError) return answerError(faults.tokenError)
  const form = new URLSearchParams(request.body)
  if (!/^application\/x-www-form-urlencoded\b/.test(request.headers['content-type'] ?? '')) {
    return refuse('invalid_request', 'expected a form')
  }
  if (!isAuthenticated(request, form, client)) return refuse('invalid_client', 'expected the id and secret', 401)
  if (form.get('grant_type') === 'refresh_token') return refresh(state, form)
  if (form.get('grant_type') !== 'authorization_code') {
    return refuse('unsupported_grant_type', 'expected authorization_code or refresh_token')
  }
  const code = form.get('code') ?? ''
  const grant = codes.get(code)
  // A code is consumed by its first use, whatever the outcome.
  codes.delete(code)
  const problem = grant ? getProblem(grant, form, state.now()) : 'the code is unknown or was used before'
  if (!grant || problem) return refuse('invalid_grant', problem ?? '')
  return Response.json(await issueTokens(state, grant), { headers: { 'cache-control': 'no-store' } })
}

/** Exchanges a refresh token for new tokens; each is valid once (RFC 6749 §6, RFC 9700 §4.14.2). */
async function refresh(state: State, form: URLSearchParams): Promise<Response> {
  const token = form.get('refresh_token') ?? ''
  const grant = state.refreshTokens.get(token)
  state.refreshTokens.delete(token)
  if (!grant) return refuse('invalid_grant', 'the refresh token is unknown or was used before')
  const tokens = await issueTokens(state, { ...grant, nonce: null })
  return Response.json(tokens, { headers: { 'cache-control': 'no-store' } })
}

/** Revokes a token (RFC 7009); an unknown one is ignored. */
export function answerRevocation({ client, accessTokens, refreshTokens }: State, request: IssuerRequest): Response {
  const form = new URLSearchParams(request.body)
  if (!isAuthenticated(request, form, client)) return refuse('invalid_client', 'expected the id and secret', 401)
  const token = form.get('token') ?? ''
  accessTokens.delete(token)
  refreshTokens.delete(token)
  return new Response('', { status: 200 })
}

function newRefreshToken({ refreshTokens, hasRefreshTokens }: State, grant: Grant): object {
  if (!hasRefreshTokens) return {}
  const token = randomBytes(24).toString('base64url')
  refreshTokens.set(token, grant)
  return { refresh_token: token }
}

async function issueTokens(state: State, grant: Grant): Promise<object> {
  const { faults, accessTokens } = state
  const accessToken = randomBytes(24).toString('base64url')
  accessTokens.set(accessToken, grant)
  const isOpenId = grant.scope.split(' ').includes('openid')
  return {
    ...(faults.noAccessToken ? {} : { access_token: accessToken }),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: grant.scope,
    ...newRefreshToken(state, grant),
    ...(isOpenId && !faults.noIdToken ? { id_token: await issueIdToken(state, grant) } : {}),
    ...faults.tokenFields
  }
}

function getProblem(grant: Grant, form: URLSearchParams, now: number): string | null {
  const verifier = form.get('code_verifier')
  if (grant.expires <= now * 1000) return 'the code is too old'
  if (form.get('redirect_uri') !== grant.redirectUri) return 'expected the redirect_uri of the authorization request'
  if (grant.codeChallenge === null) return verifier === null ? null : 'expected no code_verifier'
  return hash(verifier ?? '') === grant.codeChallenge ? null : 'expected the code_verifier of the code_challenge'
}

function hash(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

function refuse(error: string, description: string, status: number = 400): Response {
  const headers = { 'cache-control': 'no-store', ...(status === 401 ? { 'www-authenticate': 'Basic' } : {}) }
  return Response.json({ error, error_description: description }, { status, headers })
}

function answerError({ status, body }: { readonly status: number; readonly body: unknown }): Response {
  return typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status })
}
