/** Where a server of many tenants leaves the tenant out of its issuer. */
const hole = '{tenantid}'

/** Microsoft's authorities for any tenant; each token is issued by the tenant of its user. */
const manyTenants = /^(https:\/\/login\.microsoftonline\.com)\/(?:common|organizations|consumers)\/v2\.0$/

const tenant = /^[0-9a-z-]{1,64}$/i

/** @returns The issuer with a hole for the tenant, or `null` where it names one issuer and no other. */
function templateOf(issuer: string): string | null {
  if (issuer.includes(hole)) return issuer
  const [, host] = manyTenants.exec(issuer) ?? []
  return host ? `${host}/${hole}/v2.0` : null
}

const bare = (address: string): string => new URL(address).href.replace(/\/$/, '')

/** @returns Whether a document that names `found` describes the issuer that is expected; a last slash says nothing. */
export function isIssuer(found: string, expected: string): boolean {
  if (!URL.canParse(found) || !URL.canParse(expected)) return false
  const same = (left: string, right: string): boolean => bare(left) === bare(right)
  if (same(found, expected)) return true
  const template = templateOf(expected)
  return template !== null && same(found, template)
}

function tenantOf(idToken: unknown): string | null {
  const [, payload = ''] = typeof idToken === 'string' ? idToken.split('.') : []
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const tid = typeof claims === 'object' && claims !== null && 'tid' in claims ? claims.tid : null
    return typeof tid === 'string' && tenant.test(tid) ? tid : null
  } catch {
    return null
  }
}

/** @returns The issuer that must have signed this ID Token: of many tenants, the one that it names. */
export function tokenIssuer(issuer: string, idToken: unknown): string {
  const template = templateOf(issuer)
  // A token that names no tenant has no issuer that it could come from.
  return template ? template.replace(hole, tenantOf(idToken) ?? 'none') : issuer
}
