import { decodeBase64Url } from './base64url.ts'
import { isObject } from './json-object.ts'

/** The placeholder for the tenant in the issuer of a multi-tenant server. */
const hole = '{tenantid}'

/** Microsoft's multi-tenant authorities; the issuer of each token is the tenant of its user. */
const manyTenants = /^(https:\/\/login\.microsoftonline\.com)\/(?:common|organizations|consumers)\/v2\.0$/

const tenant = /^[0-9a-z-]{1,64}$/i

/** @returns The issuer with a placeholder for the tenant, or `null` if it is a single issuer. */
function toIssuerPattern(issuer: string): string | null {
  if (issuer.includes(hole)) return issuer
  const [, host] = manyTenants.exec(issuer) ?? []
  return host ? `${host}/${hole}/v2.0` : null
}

const metadataUrl = /^([^?]*)\/\.well-known\/(?:openid-configuration|oauth-authorization-server)(?:\?.*)?$/

/** @returns The issuer that a metadata URL belongs to (OpenID Connect Discovery §4); any other URL as it is. */
export function issuerOfMetadata(url: string): string {
  return metadataUrl.exec(url)?.[1] ?? url
}

const bare = (address: string): string => new URL(address).href.replace(/\/$/, '')

/** @returns Whether the issuer `found` in a document matches the expected one; a trailing slash is ignored. */
export function isIssuer(found: string, expected: string): boolean {
  if (!URL.canParse(found) || !URL.canParse(expected)) return false
  const same = (left: string, right: string): boolean => bare(left) === bare(right)
  if (same(found, expected)) return true
  const template = toIssuerPattern(expected)
  return template !== null && same(found, template)
}

function getTenant(idToken: unknown): string | null {
  const [, payload = ''] = typeof idToken === 'string' ? idToken.split('.', 2) : []
  try {
    const claims: unknown = JSON.parse(decodeBase64Url(payload))
    const tid = isObject(claims) ? claims['tid'] : null
    return typeof tid === 'string' && tenant.test(tid) ? tid : null
  } catch {
    return null
  }
}

/** @returns The expected issuer of this ID Token: for a multi-tenant issuer, the tenant that the token names. */
export function tokenIssuer(issuer: string, idToken: unknown): string {
  const template = toIssuerPattern(issuer)
  // A token without a tenant matches no issuer.
  return template ? template.replace(hole, getTenant(idToken) ?? 'none') : issuer
}
