import type { IssuerRequest } from './request.ts'
import type { Client } from './state.ts'

/**
 * Whether a token request is authenticated: with `client_secret_basic`, `client_secret_post` or, for a public client,
 * its id alone. Two methods at once are rejected (RFC 6749 §2.3).
 */
export function isAuthenticated({ headers }: IssuerRequest, form: URLSearchParams, client: Client): boolean {
  const basic = readBasic(headers['authorization'] ?? null)
  const posted = form.get('client_secret')
  if (basic && posted !== null) return false
  if (basic && form.has('client_id') && form.get('client_id') !== basic.id) return false
  const id = basic ? basic.id : form.get('client_id')
  const secret = basic ? basic.secret : posted
  return id === client.id && secret === client.secret
}

function readBasic(header: string | null): { readonly id: string; readonly secret: string } | null {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1]
  if (!encoded) return null
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  return { id: formDecode(id), secret: formDecode(secret.join(':')) }
}

/** Both parts are form-encoded before they are joined (RFC 6749 §2.3.1). */
function formDecode(text: string): string {
  return new URLSearchParams(`text=${text.replaceAll('&', '%26')}`).get('text') ?? ''
}
