import { named } from '../errors/user-code.ts'
import type { Endpoint, OAuthProvider } from '../model/provider.ts'
import { boundFunction, isPlain, textOrNull } from './merge.ts'
import type { Draft, ProviderSurroundings } from './resolve-provider.ts'

type EndpointName = 'authorization' | 'token' | 'userinfo'

/** A parameter as a query holds it: `claims` is an object (OpenID Connect Core §5.5). */
const parameterText = (value: unknown): string => (isPlain(value) ? JSON.stringify(value) : String(value))

/** An endpoint of any of its forms; parameters become texts. */
export function endpointOf(value: unknown): { readonly url: string | null; readonly params: Record<string, string> } {
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

/** The endpoint with its `request` function, which answers in time or is named in the log. */
function callable<Context, Result>(
  { id, merged }: Draft,
  name: EndpointName,
  timeout: number
): Endpoint<Context, Result> {
  const endpoint = merged[name]
  const request = isPlain(endpoint) ? endpoint['request'] : null
  const call = boundFunction<Call<Context, Result>>(request, endpoint)
  return { ...endpointOf(endpoint), request: call && named(`providers.${id}.${name}.request`, call, timeout) }
}

function conformOf({ id, merged }: Draft, timeout: number): OAuthProvider['conformTokens'] {
  const { token } = merged
  if (!isPlain(token)) return null
  const conform = boundFunction<NonNullable<OAuthProvider['conformTokens']>>(token['conform'], token)
  return conform && named(`providers.${id}.token.conform`, conform, timeout)
}

const wellKnownPath = '/.well-known/openid-configuration'

/** Auth.js finds the metadata document by the issuer alone; next-auth v4 takes the issuer for `wellKnown` as well. */
function wellKnownOf({ merged }: Draft, issuer: string | null, isComplete: boolean): string | null {
  const given = textOrNull(merged['wellKnown'])
  if (given) return given.includes('/.well-known/') || !URL.canParse(given) ? given : documentOf(given)
  return isComplete || !issuer ? null : documentOf(issuer)
}

function documentOf(issuer: string): string {
  const [address = '', query] = issuer.split('?', 2)
  return address.replace(/\/$/, '') + wellKnownPath + (query === undefined ? '' : `?${query}`)
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
        protocol === 'http:'
          ? 'expected an https address, got http; allowInsecureRequests: true allows it'
          : 'expected an https address, got another text'
      )
    }
  }
}

/** Where a provider is asked, and how. */
export type Endpoints = Pick<
  OAuthProvider,
  'authorization' | 'token' | 'userinfo' | 'conformTokens' | 'wellKnown' | 'issuer' | 'jwksUri'
>

/** The addresses of a provider: as configured, else as its metadata document says. */
export function endpointsOf(draft: Draft, mayBeInsecure: boolean, surroundings: ProviderSurroundings): Endpoints {
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
  const wellKnown = wellKnownOf(draft, issuer, isComplete)
  if (!wellKnown && !isComplete) {
    const ways = `pass issuer or set AUTH_${environmentName(id)}_ISSUER, or pass wellKnown`
    note('issuer', `expected an issuer, or the addresses of authorization and token, got neither; ${ways}`)
  }
  const jwksUri = textOrNull(merged['jwks_endpoint'])
  if (issuer?.endsWith(wellKnownPath))
    note('issuer', `expected an issuer, got the address of its document; leave ${wellKnownPath} out`)
  const addresses = { issuer, wellKnown, jwksUri }
  const called = { authorization: authorization.url, token: token.url, userinfo: userinfo.url }
  checkAddresses({ ...addresses, ...called }, mayBeInsecure, note)
  return { ...endpoints, ...addresses, conformTokens: conformOf(draft, timeout) }
}

/** The name of a provider in the environment, as in Auth.js: `AUTH_<NAME>_ID`. */
export function environmentName(id: string): string {
  return id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
}
