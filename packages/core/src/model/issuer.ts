import { decodeBase64Url } from './base64url.ts'
import { isObject } from './json-object.ts'

/** The placeholder for the tenant in the issuer of a multi-tenant server. */
const hole = '{tenantid}'

/** Microsoft's multi-tenant authorities, in each of its clouds; the issuer of each token is the tenant of its user. */
const manyTenants =
  /^(https:\/\/login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn))\/(?:common|organizations|consumers)\/v2\.0$/

/** An external tenant of Microsoft by its name, and by its id, which its metadata has. */
const namedTenant = /^https:\/\/[a-z0-9-]{1,63}\.ciamlogin\.com\//
const tenantById = /^https:\/\/([0-9a-f-]{36})\.ciamlogin\.com\/\1\/v2\.0$/

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

/** @returns Whether an issuer has a placeholder for the tenant: it names no server. */
export const isIssuerTemplate = (issuer: string): boolean => toIssuerPattern(issuer) !== null

/** @returns Whether the issuer `found` in a document matches the expected one; a trailing slash is ignored. */
export function isIssuer(found: string, expected: string): boolean {
  if (!URL.canParse(found) || !URL.canParse(expected)) return false
  const same = (left: string, right: string): boolean => bare(left) === bare(right)
  if (same(found, expected)) return true
  if (namedTenant.test(bare(expected)) && tenantById.test(bare(found))) return true
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
