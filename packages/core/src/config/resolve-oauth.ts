import type { Profile } from '../model/identity.ts'
import type { ClientAuthMethod, ClientMetadata, Endpoint, OAuthProvider, ProfileUser } from '../model/provider.ts'
import type { ProviderHooks } from '../model/provider-config.ts'
import { isPlain } from './merge.ts'
import type { Draft, ProviderSurroundings } from './resolve-provider.ts'
import { told } from './shape.ts'

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const authMethods: readonly unknown[] = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']

/** An endpoint of any of its forms; parameters become texts. */
function endpointOf<Context, Result>(value: unknown): Endpoint<Context, Result> {
  if (!isPlain(value)) return { url: text(value), params: {}, request: null }
  const { url, params, request } = value
  const given = Object.entries(isPlain(params) ? params : {}).filter(
    ([, parameter]) => parameter !== undefined && parameter !== null
  )
  return {
    url: text(url),
    params: Object.fromEntries(given.map(([name, parameter]) => [name, String(parameter)])),
    request: typeof request === 'function' ? (request as Endpoint<Context, Result>['request']) : null
  }
}

/** What OpenID Connect calls a person (Core §5.1), where a provider does not say it otherwise. */
function standardProfile(claims: Profile): ProfileUser {
  const one = (...names: readonly string[]): string | null =>
    names.map((name) => text(claims[name])).find(Boolean) ?? null
  const { sub } = claims
  return {
    id: typeof sub === 'string' || typeof sub === 'number' ? sub : '',
    name: one('name', 'nickname', 'preferred_username'),
    email: one('email'),
    image: one('picture')
  }
}

/** `checks` as a list; `null` where nothing is said, which means all that protect. */
function checksOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  return typeof value === 'string' ? [value] : null
}

/** next-auth v4's rule, from what the factory wrote; `type: 'oidc'` is Auth.js' way to say the same. */
function usesIdToken({ factory, merged }: Draft, authorization: Endpoint): boolean {
  if (typeof merged['idToken'] === 'boolean') return merged['idToken']
  if (merged['type'] === 'oidc') return true
  if (text(factory['wellKnown'])?.includes('openid-configuration')) return true
  const scope = isPlain(factory['authorization'])
    ? endpointOf(factory['authorization']).params['scope']
    : authorization.params['scope']
  return scope?.includes('openid') ?? false
}

function wellKnownOf({ merged }: Draft, isComplete: boolean): string | null {
  const given = text(merged['wellKnown'])
  const issuer = text(merged['issuer'])
  if (given || isComplete || !issuer) return given
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

function credentialsOf(
  { id, merged, note }: Draft,
  { environment }: ProviderSurroundings
): { clientId: string; clientSecret: string | null } {
  const name = `AUTH_${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
  const clientId = text(merged['clientId']) ?? text(environment[`${name}_ID`])
  if (!clientId) note('clientId', `expected text, got ${told(merged['clientId'])}; pass clientId or set ${name}_ID`)
  return { clientId: clientId ?? '', clientSecret: text(merged['clientSecret']) ?? text(environment[`${name}_SECRET`]) }
}

/** Every address must be one, and https unless the provider may do without. */
function checkAddresses(
  addresses: Readonly<Record<string, string | null>>,
  mayBeInsecure: boolean,
  note: Draft['note']
): void {
  for (const [option, address] of Object.entries(addresses)) {
    if (address === null) continue
    const protocol = URL.canParse(address) ? new URL(address).protocol : null
    if (protocol !== 'https:' && !(protocol === 'http:' && mayBeInsecure)) {
      note(
        option,
        `expected an https address${protocol === 'http:' ? '; allowInsecureRequests: true allows http' : ''}`
      )
    }
  }
}

interface Endpoints {
  readonly authorization: OAuthProvider['authorization']
  readonly token: OAuthProvider['token']
  readonly userinfo: OAuthProvider['userinfo']
  readonly wellKnown: string | null
}

function endpointsOf(draft: Draft): Endpoints {
  const { merged, note } = draft
  const authorization = endpointOf<never, never>(merged['authorization'])
  const token: OAuthProvider['token'] = endpointOf(merged['token'])
  const userinfo: OAuthProvider['userinfo'] = endpointOf(merged['userinfo'])
  const isComplete =
    authorization.url !== null && (token.url !== null || token.request !== null) && merged['type'] !== 'oidc'
  const wellKnown = wellKnownOf(draft, isComplete)
  if (!wellKnown && !isComplete)
    note('issuer', 'expected issuer or wellKnown, or the addresses of authorization and token, got neither')
  return { authorization, token, userinfo, wellKnown }
}

/** An authorization server as the application described it. */
export function resolveOAuth(draft: Draft, surroundings: ProviderSurroundings): OAuthProvider {
  const { id, name, merged, note } = draft
  const { authorization, token, userinfo, wellKnown } = endpointsOf(draft)
  if (text(merged['version'])?.startsWith('1.'))
    note('version', 'OAuth 1.0a is not supported; use the provider’s OAuth 2 endpoints')
  const allowInsecureRequests = merged['allowInsecureRequests'] === true || !surroundings.isProduction
  const issuer = text(merged['issuer'])
  const jwksUri = text(merged['jwks_endpoint'])
  checkAddresses(
    { issuer, wellKnown, jwksUri, authorization: authorization.url, token: token.url, userinfo: userinfo.url },
    allowInsecureRequests,
    note
  )
  const client: ClientMetadata = isPlain(merged['client']) ? merged['client'] : {}
  const authMethod = client.token_endpoint_auth_method ?? null
  if (authMethod !== null && !authMethods.includes(authMethod))
    note('client.token_endpoint_auth_method', `expected ${authMethods.join(', ')}`)
  const checks = checksOf(merged['checks'])
  const idToken = usesIdToken(draft, authorization)
  const timeout = isPlain(merged['httpOptions']) ? Number(merged['httpOptions']['timeout']) : Number.NaN
  return {
    kind: 'oauth',
    type: merged['type'] === 'oidc' ? 'oidc' : 'oauth',
    id,
    name,
    ...credentialsOf(draft, surroundings),
    client,
    authMethod: authMethod as ClientAuthMethod | null,
    issuer,
    wellKnown,
    authorization,
    token,
    userinfo,
    jwksUri,
    idToken,
    pkce: checks === null || checks.includes('pkce'),
    nonce: idToken,
    profile:
      typeof merged['profile'] === 'function' ? (merged['profile'] as OAuthProvider['profile']) : standardProfile,
    hooks: isPlain(merged['hooks']) ? (merged['hooks'] as ProviderHooks) : {},
    style: isPlain(merged['style']) ? merged['style'] : null,
    allowDangerousEmailAccountLinking: merged['allowDangerousEmailAccountLinking'] === true,
    verifiesEmail: merged['verifiesEmail'] === true,
    allowInsecureRequests,
    timeout: timeout > 0 ? timeout : surroundings.timeout
  }
}
