import { wrapCallback } from '../errors/user-code.ts'
import { parseAcr, parseAmr } from '../model/authentication.ts'
import type { Profile } from '../model/identity.ts'
import { isJsonObject } from '../model/json-object.ts'
import { normalizeEmailAddress } from '../model/normalize-email-address.ts'
import type { AuthenticationRequirements, OAuthProvider, ProfileUser, ProviderHooks } from '../model/provider.ts'
import { plainTraits } from '../model/provider-traits.ts'
import { environmentName, parseEndpoint, resolveEndpoints } from './endpoints.ts'
import { boundFunction, isPlain, textOrNull } from './merge.ts'
import { checkNeeds, type ProviderContext, type ProviderDraft } from './provider-draft.ts'
import { resolveClient } from './resolve-client.ts'

/** The values of the placeholders in a provider's URLs and parameters. */
type Values = { readonly issuer: string | null; readonly clientId: string | null }

const placeholders = /\{(?:issuer|clientId)\}/

/** Replaces the placeholders in every string; a string whose value is missing becomes empty, which means "none". */
function fill(value: unknown, { issuer, clientId }: Values): unknown {
  if (isPlain(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fill(part, { issuer, clientId })]))
  }
  if (typeof value !== 'string' || !placeholders.test(value)) return value
  const isOpen = (value.includes('{issuer}') && !issuer) || (value.includes('{clientId}') && !clientId)
  if (isOpen) return ''
  const client = value.includes('/') ? encodeURIComponent(clientId ?? '') : (clientId ?? '')
  return value.replaceAll('{issuer}', issuer ?? '').replaceAll('{clientId}', client)
}

/**
 * Resolves the issuer: the one that the application configured, otherwise the provider's.
 *
 * A provider may define a suffix (`{issuer}/oauth2`); an issuer that already has it is not changed.
 */
function resolveIssuer({ factory, merged }: ProviderDraft, fromEnvironment: string | undefined): string | null {
  const own = textOrNull(factory['issuer'])
  const options = isPlain(factory['options']) ? factory['options'] : {}
  const given = textOrNull(options['issuer']) ?? textOrNull(fromEnvironment)
  if (!own?.includes('{issuer}')) return given ?? textOrNull(merged['issuer'])
  const rest = own.replace('{issuer}', '')
  const base = given?.replace(/\/$/, '')
  return base?.endsWith(rest) ? base : base ? base + rest : null
}

/** @returns The draft with the issuer, and with issuer and client id inserted into its URLs. */
function fillPlaceholders(draft: ProviderDraft, { environment }: ProviderContext): ProviderDraft {
  const { id, merged } = draft
  const name = `AUTH_${environmentName(id)}`
  const clientId = textOrNull(merged['clientId']) ?? textOrNull(environment[`${name}_ID`])
  const given = fill(resolveIssuer(draft, environment[`${name}_ISSUER`]), { issuer: null, clientId })
  const issuer = textOrNull(given)
  const values = { issuer: issuer?.replace(/\/$/, '') ?? null, clientId }
  const parts = ['wellKnown', 'authorization', 'token', 'userinfo', 'jwks_endpoint']
  const open = parts.flatMap((part) => (merged[part] === undefined ? [] : [[part, fill(merged[part], values)]]))
  return { ...draft, merged: { ...merged, issuer: issuer ?? undefined, ...Object.fromEntries(open) } }
}

/** Maps the standard claims of OpenID Connect (Core §5.1), if the provider has no `profile` function. */
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

/** Issuers that omit the nonce from their ID Tokens, whichever provider configuration is used. */
const withoutNonce: readonly unknown[] = ['https://www.linkedin.com/oauth']

const knownChecks: readonly unknown[] = ['pkce', 'state', 'nonce', 'none']

/** `checks` as a list; `null` if it is not set, which enables every check. */
function resolveChecks({ merged, note }: ProviderDraft): readonly unknown[] | null {
  const { checks } = merged
  if (checks === undefined) return null
  const list: readonly unknown[] = Array.isArray(checks) ? checks : [checks]
  if (!list.every((check) => knownChecks.includes(check)))
    note('checks', 'INVALID_VALUE', `expected ${knownChecks.join(', ')}`)
  return list
}

/** Applies next-auth v4's rule to the factory's fields; `type: 'oidc'` is the equivalent of Auth.js. */
function usesIdToken({ factory, merged }: ProviderDraft): boolean {
  if (merged['type'] === 'oidc') return true
  if (typeof merged['idToken'] === 'boolean') return merged['idToken']
  const wellKnown = textOrNull(factory['wellKnown']) ?? textOrNull(merged['wellKnown'])
  if (wellKnown) return wellKnown.includes('openid-configuration')
  const authorization = isPlain(factory['authorization']) ? factory['authorization'] : merged['authorization']
  return parseEndpoint(authorization).params['scope']?.includes('openid') ?? false
}

/** The default scope of an Auth.js provider is the whole profile; that of a next-auth v4 provider is `openid`. */
function withScope(authorization: OAuthProvider['authorization'], isOidc: boolean): OAuthProvider['authorization'] {
  if (!isOidc || authorization.url?.includes('scope=')) return authorization
  return { ...authorization, params: { scope: 'openid profile email', ...authorization.params } }
}

function resolveTimeout({ merged }: ProviderDraft, { timeout }: ProviderContext): number {
  const given = isPlain(merged['httpOptions']) ? Number(merged['httpOptions']['timeout']) : Number.NaN
  return given > 0 ? given : timeout
}

type Hook<A extends readonly unknown[], R> = ((...args: A) => R | PromiseLike<R>) | undefined

function wrapHooks(id: string, hooks: ProviderHooks, timeout: number): ProviderHooks {
  const bound = <A extends readonly unknown[], R>(name: keyof ProviderHooks, hook: Hook<A, R>): Hook<A, R> =>
    hook && wrapCallback(`providers.${id}.hooks.${name}`, hook, timeout)
  return {
    tokenRequest: bound('tokenRequest', hooks.tokenRequest),
    tokenResponse: bound('tokenResponse', hooks.tokenResponse),
    userinfoRequest: bound('userinfoRequest', hooks.userinfoRequest),
    afterProfile: bound('afterProfile', hooks.afterProfile),
    formerAccountId: bound('formerAccountId', hooks.formerAccountId),
    isEmailAuthority: bound('isEmailAuthority', hooks.isEmailAuthority),
    discoveryResponse: bound('discoveryResponse', hooks.discoveryResponse),
    clientSecret: bound('clientSecret', hooks.clientSecret),
    endSession: bound('endSession', hooks.endSession),
    isGrantOver: hooks.isGrantOver,
    isCanceled: hooks.isCanceled,
    regions: hooks.regions
  }
}

/** `verifiesEmail` replaces what the module knows about the provider. */
function withoutReplaced(hooks: ProviderHooks, { verifiesEmail }: ProviderDraft['merged']): ProviderHooks {
  return verifiesEmail === undefined ? hooks : { ...hooks, isEmailAuthority: undefined }
}

/** Resolves the provider's own functions: each has a timeout, and the log names it if it times out. */
function resolveFunctions(
  { id, merged, customFetch }: ProviderDraft,
  { callbackTimeout }: ProviderContext
): Pick<OAuthProvider, 'profile' | 'account' | 'hooks' | 'fetch'> {
  const { profile, account, hooks } = merged
  const mapped = boundFunction<OAuthProvider['profile']>(profile, merged) ?? standardProfile
  const chosen = boundFunction<NonNullable<OAuthProvider['account']>>(account, merged)
  return {
    profile: wrapCallback(`providers.${id}.profile`, mapped, callbackTimeout),
    account: chosen && wrapCallback(`providers.${id}.account`, chosen, callbackTimeout),
    hooks: isPlain(hooks) ? wrapHooks(id, withoutReplaced(hooks, merged), callbackTimeout) : {},
    fetch: customFetch as OAuthProvider['fetch']
  }
}

/** Providers of Auth.js apply their `scope`; elsewhere it is an option of next-auth v3, which nothing reads. */
function warnOfScope({ merged, warn }: ProviderDraft, { params }: OAuthProvider['authorization']): void {
  const { scope } = merged
  const isRead = scope === undefined || (typeof scope === 'string' && params['scope']?.includes(scope))
  if (!isRead) warn('scope', "it has no effect; write authorization: { params: { scope: 'one two' } }")
}

function resolveInsecure({ merged }: ProviderDraft, { isProduction }: ProviderContext): boolean {
  const isAllowed = merged['allowInsecureRequests'] ?? merged['allowInsecure']
  return typeof isAllowed === 'boolean' ? isAllowed : !isProduction
}

type Flag = 'allowDangerousEmailAccountLinking' | 'assumeFresh' | 'requireLogoutTokenType'

function resolveFlags({ merged }: ProviderDraft): Pick<OAuthProvider, Flag> {
  return {
    allowDangerousEmailAccountLinking: merged['allowDangerousEmailAccountLinking'] === true,
    assumeFresh: merged['assumeFresh'] === true,
    requireLogoutTokenType: merged['requireLogoutTokenType'] === true
  }
}

/** The domains are compared with those of addresses: in lower case, with A-labels. */
function resolveVerifiesEmail({ merged, note }: ProviderDraft): OAuthProvider['verifiesEmail'] {
  const { verifiesEmail } = merged
  if (!Array.isArray(verifiesEmail)) return verifiesEmail === true || []
  const domains = verifiesEmail.map((domain) => normalizeEmailAddress(`a@${domain}`)?.slice(2) ?? null)
  const wrong = verifiesEmail.find((_, index) => domains[index] === null)
  if (wrong !== undefined)
    note('verifiesEmail', 'INVALID_VALUE', `expected domains such as example.com, got ${JSON.stringify(wrong)}`)
  return domains.filter((domain) => domain !== null)
}

function createTraits(style: Record<string, unknown> | null, mayLinkByEmail: boolean): OAuthProvider['traits'] {
  return {
    ...plainTraits,
    accountPolicy: 'link',
    callbackMethods: ['GET', 'POST'],
    // `state` protects the callback.
    callbackCsrf: false,
    form: { type: 'oauth', style },
    isCrossSite: true,
    mayLinkByEmail,
    mayRedeemInvitation: true
  }
}

const noRequirements: AuthenticationRequirements = { acr: [], amr: [], maxAge: null }

/**
 * A list that is empty, or has an empty or long value, would require nothing. A value with a space cannot be sent.
 *
 * @param given - The schema reports other types.
 */
function isUsable(given: unknown, parsed: readonly string[]): boolean {
  if (![given].flat().every((value) => typeof value === 'string')) return true
  return parsed.length > 0 && !parsed.some((value) => /\s/.test(value))
}

/** An option that is `undefined`, such as an environment variable that is not set, would require nothing. */
function checkPresence(requires: object, note: ProviderDraft['note']): void {
  const entries = Object.entries(requires)
  if (entries.length === 0) note('requires', 'INVALID_VALUE', 'expected acr, amr or maxAge; omit requires for any')
  for (const [name, value] of entries)
    if (value === undefined)
      note(`requires.${name}`, 'OPTION_MISSING', 'expected a value, got nothing; omit it for any')
}

/** Resolves what every sign-in at a provider must prove. Only an ID Token can prove it. */
function resolveRequirements({ merged, note }: ProviderDraft, idToken: boolean): AuthenticationRequirements {
  const { requires } = merged
  if (!isJsonObject(requires)) return noRequirements
  if (!idToken)
    note(
      'requires',
      'INVALID_VALUE',
      "expected a provider with OpenID Connect, whose ID Token states it; write type: 'oidc', or omit requires"
    )
  checkPresence(requires, note)
  const { acr, amr, maxAge } = requires
  const values = Array.isArray(acr) ? parseAmr(acr) : [parseAcr(acr)].filter((value) => value !== null)
  const methods = parseAmr(amr)
  for (const [name, given, parsed] of [
    ['acr', acr, values],
    ['amr', Array.isArray(amr) ? amr : undefined, methods]
  ] as const)
    if (!isUsable(given, parsed))
      note(`requires.${name}`, 'INVALID_VALUE', 'expected 1 to 16 values, each without spaces; omit it for any')
  return { acr: values, amr: methods, maxAge: typeof maxAge === 'number' ? maxAge : null }
}

/** Parameters that affect how users sign in, but not who may. */
const defaultParameters: readonly string[] = ['login_hint', 'prompt', 'ui_locales']

/** Parameters that determine the recipient, the form or the content of the response: a query must never set them. */
const protocolParameters: readonly string[] = [
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'request',
  'request_uri',
  'registration',
  'claims',
  'grant_type',
  'dpop_jkt',
  'iss',
  'id_token',
  'access_token',
  'id_token_hint'
]

/** @returns The parameters of an authorization request that the query of a sign-in request may add. */
function resolveAllowedParameters({ merged, note }: ProviderDraft): readonly string[] {
  const { allowedAuthorizationParams: allowed } = merged
  if (!Array.isArray(allowed)) return defaultParameters
  const names = allowed.filter((name): name is string => typeof name === 'string')
  const refused = protocolParameters.filter((known) => names.some((name) => name.trim().toLowerCase() === known))
  if (refused.length > 0) {
    const got = `got ${refused.join(', ')}, which Postern sets`
    note('allowedAuthorizationParams', 'INVALID_VALUE', `expected parameters that a query may set, ${got}; omit them`)
  }
  return names
}

/** Resolves an authorization server from the application's configuration. */
export function resolveOAuth(given: ProviderDraft, surroundings: ProviderContext): OAuthProvider {
  const draft = fillPlaceholders(given, surroundings)
  const { id, name, merged, note } = draft
  if (textOrNull(merged['version'])?.startsWith('1.'))
    note('version', 'UNSUPPORTED_OPTION', 'OAuth 1.0a is not supported; use the provider’s OAuth 2 endpoints')
  checkNeeds(draft)
  const allowInsecureRequests = resolveInsecure(draft, surroundings)
  const style = isPlain(merged['style']) ? merged['style'] : null
  const endpoints = resolveEndpoints(draft, allowInsecureRequests, surroundings)
  const idToken = usesIdToken(draft)
  const type = merged['type'] === 'oidc' ? 'oidc' : 'oauth'
  const authorization = withScope(endpoints.authorization, type === 'oidc')
  warnOfScope(draft, authorization)
  const flags = resolveFlags(draft)
  return {
    kind: 'oauth',
    traits: createTraits(style, flags.allowDangerousEmailAccountLinking),
    type,
    id,
    name,
    ...resolveClient(draft, surroundings),
    ...endpoints,
    ...resolveFunctions(draft, surroundings),
    authorization,
    allowedAuthorizationParams: resolveAllowedParameters(draft),
    idToken,
    profileFromUserinfo: idToken && merged['idToken'] === false,
    pkce: resolveChecks(draft)?.includes('pkce') ?? true,
    nonce: idToken && merged['expectNoNonce'] !== true && !withoutNonce.includes(endpoints.issuer),
    style,
    ...flags,
    verifiesEmail: resolveVerifiesEmail(draft),
    requires: resolveRequirements(draft, idToken),
    allowInsecureRequests,
    timeout: resolveTimeout(draft, surroundings),
    given: merged
  }
}
