import { claimsFor } from './person.ts'
import type { IssuerRequest } from './request.ts'
import type { State } from './state.ts'

/** Returns the claims of an access token's user (OpenID Connect Core §5.3). */
export function answerUserinfo(
  { faults, accessTokens, key }: State,
  { headers }: IssuerRequest
): Response | Promise<Response> {
  if (faults.userinfoStatus !== null) return new Response('', { status: faults.userinfoStatus })
  const token = /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1]
  const access = accessTokens.get(token ?? '')
  if (!access) {
    return Response.json(
      { error: 'invalid_token' },
      { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }
    )
  }
  const claims = claimsFor(access.person, access.scope)
  if (faults.userinfo) return faults.userinfo(claims, key)
  return Response.json(faults.userinfoWrongSub ? { ...claims, sub: `another-${claims.sub}` } : claims)
}
