import { named } from '../errors/user-code.ts'
import type { Profile } from '../model/identity.ts'
import type { OAuthProvider, ProfileUser } from '../model/provider.ts'
import type { ProviderHooks } from '../model/provider-hooks.ts'
import { clientOf } from './resolve-client.ts'
import { endpointOf, endpointsOf } from './endpoints.ts'
import { boundFunction, isPlain, textOrNull } from './merge.ts'
import { filled } from './placeholders.ts'
import type { Draft, ProviderSurroundings } from './resolve-provider.ts'

/** What OpenID Connect calls a person (Core §5.1), where a provider does not say it otherwise. */
function standardProfile(claims: Profile): ProfileUser {
  const one = (...names: readonly string[]): string | null =>
    names.map((name) => textOrNull(claims[name])).find(Boolean) ?? null
  const { sub, id = '' } = claims
  const known = sub ?? id
  return {
    id: typeof known === 'string' || typeof known === 'number' ? known : '',
    name: one('name', 'nickname', 'preferred_username'),
    email: one('email'),
    image: one('picture')
  }
}

/** Issuers that leave the nonce out of their ID Tokens, whoever describes them to us. */
const withoutNonce: readonly unknown[] = ['https://www.linkedin.com/oauth']

const knownChecks: readonly unknown[] = ['pkce', 'state', 'nonce', 'none']

/** `checks` as a list; `null` where nothing is said, which means all that protect. */
function checksOf({ merged, note }: Draft): readonly unknown[] | null {
  const { checks } = merged
  if (checks === undefined) return null
  const list: readonly unknown[] = Array.isArray(checks) ? checks : [checks]
  if (!list.every((check) => knownChecks.includes(check))) note('checks', `expected ${knownChecks.join(', ')}`)
  return list
}

/** next-auth v4's rule, from what the factory wrote; `type: 'oidc'` is Auth.js' way to say the same. */
function usesIdToken({ factory, merged }: Draft): boolean {
  if (merged['type'] === 'oidc') return true
  if (typeof merged['idToken'] === 'boolean') return merged['idToken']
  const wellKnown = textOrNull(factory['wellKnown']) ?? textOrNull(merged['wellKnown'])
  if (wellKnown) return wellKnown.includes('openid-configuration')
  const authorization = isPlain(factory['authorization']) ? factory['authorization'] : merged['authorization']
  return endpointOf(authorization).params['scope']?.includes('openid') ?? false
}

/** A provider of Auth.js asks for the whole profile where nothing else is said; next-auth v4's asks for `openid`. */
function withScope(authorization: OAuthProvider['authorization'], isOidc: boolean): OAuthProvider['authorization'] {
  if (!isOidc || authorization.url?.includes('scope=')) return authorization
  return { ...authorization, params: { scope: 'openid profile email', ...authorization.params } }
}

function timeoutOf({ merged }: Draft, { timeout }: ProviderSurroundings): number {
  const given = isPlain(merged['httpOptions']) ? Number(merged['httpOptions']['timeout']) : Number.NaN
  return given > 0 ? given : timeout
}

type Hook<A extends readonly unknown[], R> = ((...args: A) => R | Promise<R>) | undefined

function hooksOf(id: string, hooks: ProviderHooks, timeout: number): ProviderHooks {
  const bound = <A extends readonly unknown[], R>(name: keyof ProviderHooks, hook: Hook<A, R>): Hook<A, R> =>
    hook && named(`providers.${id}.hooks.${name}`, hook, timeout)
  return {
    tokenRequest: bound('tokenRequest', hooks.tokenRequest),
    tokenResponse: bound('tokenResponse', hooks.tokenResponse),
    userinfoRequest: bound('userinfoRequest', hooks.userinfoRequest),
    afterProfile: bound('afterProfile', hooks.afterProfile),
    discoveryResponse: bound('discoveryResponse', hooks.discoveryResponse),
    clientSecret: bound('clientSecret', hooks.clientSecret)
  }
}

/** The provider's own functions: each answers in time, or is named in the log. */
function functionsOf(
  { id, merged, customFetch }: Draft,
  { callbackTimeout }: ProviderSurroundings
): Pick<OAuthProvider, 'profile' | 'account' | 'hooks' | 'fetch'> {
  const { profile, account, hooks } = merged
  const mapped = boundFunction<OAuthProvider['profile']>(profile, merged) ?? standardProfile
  const chosen = boundFunction<NonNullable<OAuthProvider['account']>>(account, merged)
  return {
    profile: named(`providers.${id}.profile`, mapped, callbackTimeout),
    account: chosen && named(`providers.${id}.account`, chosen, callbackTimeout),
    hooks: isPlain(hooks) ? hooksOf(id, hooks as ProviderHooks, callbackTimeout) : {},
    fetch: customFetch as OAuthProvider['fetch']
  }
}

/** An authorization server as the application described it. */
export function resolveOAuth(given: Draft, surroundings: ProviderSurroundings): OAuthProvider {
  const draft = filled(given, surroundings)
  const { id, name, merged, note } = draft
  if (textOrNull(merged['version'])?.startsWith('1.'))
    note('version', 'OAuth 1.0a is not supported; use the provider’s OAuth 2 endpoints')
  const isAllowed = merged['allowInsecureRequests'] ?? merged['allowInsecure']
  const allowInsecureRequests = typeof isAllowed === 'boolean' ? isAllowed : !surroundings.isProduction
  const endpoints = endpointsOf(draft, allowInsecureRequests, surroundings)
  const checks = checksOf(draft)
  const idToken = usesIdToken(draft)
  const isOidc = merged['type'] === 'oidc'
  return {
    kind: 'oauth',
    type: isOidc ? 'oidc' : 'oauth',
    id,
    name,
    ...clientOf(draft, surroundings),
    ...endpoints,
    ...functionsOf(draft, surroundings),
    authorization: withScope(endpoints.authorization, isOidc),
    idToken,
    profileFromUserinfo: idToken && merged['idToken'] === false,
    pkce: checks === null || checks.includes('pkce'),
    nonce: idToken && merged['expectNoNonce'] !== true && !withoutNonce.includes(endpoints.issuer),
    style: isPlain(merged['style']) ? merged['style'] : null,
    allowDangerousEmailAccountLinking: merged['allowDangerousEmailAccountLinking'] === true,
    verifiesEmail: merged['verifiesEmail'] === true,
    allowInsecureRequests,
    timeout: timeoutOf(draft, surroundings),
    given: merged
  }
}
