import { wrapCallback } from '../errors/user-code.ts'
import type { Endpoint, OAuthProvider } from '../model/provider.ts'
import { boundFunction, isPlain, textOrNull } from './merge.ts'
import type { ProviderContext, ProviderDraft } from './provider-draft.ts'

type EndpointName = 'authorization' | 'token' | 'userinfo'

/** Serializes a query parameter: `claims` is an object (OpenID Connect Core §5.5). */
const parameterText = (value: unknown): string => (isPlain(value) ? JSON.stringify(value) : String(value))

/** Parses an endpoint in any of its forms; parameters become strings. */
export function parseEndpoint(value: unknown): {
  readonly url: string | null
  readonly params: Record<string, string>
} {
  if (!isPlain(value)) return { url: textOrNull(value), params: {} }
  const given = Object.entries(isPlain(value['params']) ? value['params'] : {}).filter(
    ([, parameter]) => parameter !== undefined && parameter !== null
  )
  return {
    url: textOrNull(value['url']),
    params: Object.fromEntries(given.map(([name, parameter]) => [name, parameterText(parameter)]))
  }
}

type Call<Context, Result> = NonNullable<Endpoint<Context, Result>['request']>

/** Adds the endpoint's `request` function, which has a timeout; the log names it if it times out. */
function callable<Context, Result>(
  { id, merged }: ProviderDraft,
  name: EndpointName,
  timeout: number
): Endpoint<Context, Result> {
  const endpoint = merged[name]
  const request = isPlain(endpoint) ? endpoint['request'] : null
  const call = boundFunction<Call<Context, Result>>(request, endpoint)
  return { ...parseEndpoint(endpoint), request: call && wrapCallback(`providers.${id}.${name}.request`, call, timeout) }
}

function resolveConform({ id, merged }: ProviderDraft, timeout: number): OAuthProvider['conformTokens'] {
  const { token } = merged
  if (!isPlain(token)) return null
  const conform = boundFunction<NonNullable<OAuthProvider['conformTokens']>>(token['conform'], token)
  return conform && wrapCallback(`providers.${id}.token.conform`, conform, timeout)
}

const wellKnownPath = '/.well-known/openid-configuration'

/** Auth.js finds the metadata document by the issuer only; next-auth v4 also accepts the issuer as `wellKnown`. */
function resolveWellKnown({ merged }: ProviderDraft, issuer: string | null, isComplete: boolean): string | null {
  const given = textOrNull(merged['wellKnown'])
  if (given) return given.includes('/.well-known/') || !URL.canParse(given) ? given : getDiscoveryUrl(given)
  return isComplete || !issuer ? null : getDiscoveryUrl(issuer)
}

function getDiscoveryUrl(issuer: string): string {
  const [address = '', query] = issuer.split('?', 2)
  return address.replace(/\/$/, '') + wellKnownPath + (query === undefined ? '' : `?${query}`)
}

/** Notes a problem for each value that is not a URL, or not https if the provider requires it. */
function checkAddresses(
  addresses: Readonly<Record<string, string | null>>,
  mayBeInsecure: boolean,
  note: ProviderDraft['note']
): void {
  for (const [option, address] of Object.entries(addresses)) {
    if (address === null) continue
    const protocol = URL.canParse(address) ? new URL(address).protocol : null
    if (protocol !== 'https:' && !(protocol === 'http:' && mayBeInsecure)) {
      note(
        option,
        protocol === 'http:' ? 'HTTPS_REQUIRED' : 'INVALID_URL',
        protocol === 'http:'
          ? 'expected an https address, got http; allowInsecureRequests: true allows it'
          : `expected an https address, got ${option === 'issuer' ? JSON.stringify(address) : 'another string'}`
      )
    }
  }
}

/** The endpoints of a provider. */
export type Endpoints = Pick<
  OAuthProvider,
  'authorization' | 'token' | 'userinfo' | 'conformTokens' | 'wellKnown' | 'issuer' | 'jwksUri'
>

/** Resolves the endpoints of a provider: as configured, otherwise from its metadata document. */
export function resolveEndpoints(
  draft: ProviderDraft,
  mayBeInsecure: boolean,
  surroundings: ProviderContext
): Endpoints {
  const { id, merged, note } = draft
  const { callbackTimeout: timeout } = surroundings
  const issuer = textOrNull(merged['issuer'])
  const endpoints: Pick<OAuthProvider, 'authorization' | 'token' | 'userinfo'> = {
    authorization: callable(draft, 'authorization', timeout),
    token: callable(draft, 'token', timeout),
    userinfo: callable(draft, 'userinfo', timeout)
  }
  const { authorization, token, userinfo } = endpoints
  const hasBoth = authorization.url !== null && (token.url !== null || token.request !== null)
  const isComplete = hasBoth && merged['type'] !== 'oidc'
  const wellKnown = resolveWellKnown(draft, issuer, isComplete)
  if (!wellKnown && !isComplete) {
    const ways = `pass issuer or set AUTH_${environmentName(id)}_ISSUER, or pass wellKnown`
    note('issuer', 'OPTION_MISSING', `expected an issuer, or the URLs of authorization and token, got neither; ${ways}`)
  }
  const jwksUri = textOrNull(merged['jwks_endpoint'])
  if (issuer?.endsWith(wellKnownPath))
    note(
      'issuer',
      'INVALID_VALUE',
      `expected an issuer, got the URL of its metadata document; leave out ${wellKnownPath}`
    )
  const addresses = { issuer, wellKnown, jwksUri }
  // A document that is found by the issuer has its errors.
  const configured = textOrNull(merged['wellKnown']) ? addresses : { issuer, jwksUri }
  checkAddresses(
    { ...configured, authorization: authorization.url, token: token.url, userinfo: userinfo.url },
    mayBeInsecure,
    note
  )
  return { ...endpoints, ...addresses, conformTokens: resolveConform(draft, timeout) }
}

/** Returns the prefix of a provider's environment variables, as in Auth.js: `AUTH_<NAME>_ID`. */
export function environmentName(id: string): string {
  return id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
}
