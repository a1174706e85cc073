import type { OAuthProvider, OutboundCall } from '../../model/provider.ts'

/** Adds the `redirect_uri` to refresh requests, which RFC 6749 §6 does not contain. */
export function refreshWithRedirectUri(
  call: OutboundCall,
  _provider: OAuthProvider,
  redirectUri: string | null
): OutboundCall {
  const body = new URLSearchParams(call.body ?? '')
  if (redirectUri === null || body.get('grant_type') !== 'refresh_token') return call
  body.set('redirect_uri', redirectUri)
  return { ...call, body: String(body) }
}
