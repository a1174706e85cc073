import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { clientId, clientSecret, type ExpectedRequest, type Facts } from './facts.ts'

type Texts = Readonly<Record<string, string | null>>
type Fields = Readonly<Record<string, unknown>>

/** A provider's server that responds the recorded requests and no other. An unknown request is a problem. */
export interface ProviderServer {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Takes the visitor's authorization request. @returns what goes back with the visitor */
  readonly authorize: (location: string) => Readonly<Record<string, string>>
  /** Refuses every code from now on. */
  readonly refuse: () => void
  readonly problems: string[]
  /** The kinds of received requests. */
  readonly requests: readonly string[]
}

export const redirectUri = (id: string): string => `https://app.test/api/auth/callback/${id}`
export const accessToken = 'access/token+1='
const code = 'code/of+the=attempt'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keySet = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] }

/** The claims of an ID Token if the profile comes from userinfo. */
const staleClaims = { name: 'An Older Name', email: 'older@example.com', email_verified: false }

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function jwt(claims: Fields, alg: Facts['idTokenAlg']): string {
  const input = `${encode(alg === 'HS256' ? { alg } : { alg, kid: 'one' })}.${encode(claims)}`
  const signature =
    alg === 'HS256'
      ? createHmac('sha256', clientSecret).update(input).digest()
      : sign('sha256', Buffer.from(input), privateKey)
  return `${input}.${signature.toString('base64url')}`
}

const form = (text: string): string => String(new URLSearchParams({ a: text })).slice(2)
const basic = `Basic ${Buffer.from(`${form(clientId)}:${form(clientSecret)}`).toString('base64')}`

/** Records every difference between the received and the expected request. */
function compare(title: string, came: Readonly<Record<string, unknown>>, expected: Texts, problems: string[]): void {
  const requested = Object.entries(expected).filter(([, value]) => value !== null)
  for (const [name, value] of requested) {
    if (came[name] !== value) problems.push(`${title} ${name}: expected ${value}, got ${String(came[name])}`)
  }
  const knownIds = new Set(requested.map(([name]) => name))
  for (const name of Object.keys(came)) {
    if (!knownIds.has(name)) problems.push(`${title} ${name}: expected nothing, got ${String(came[name])}`)
  }
}

/** The received headers, without the user agent. */
function getHeaders(init: RequestInit, problems: string[]): Record<string, string> {
  const { 'user-agent': agent, ...headers } = Object.fromEntries(new Headers(init.headers))
  if (!agent) problems.push('user-agent: expected one')
  return headers
}

function single(parameters: URLSearchParams, problems: string[]): Record<string, string> {
  const names = [...parameters.keys()]
  if (new Set(names).size !== names.length) problems.push(`a repeated parameter: ${names}`)
  return Object.fromEntries(parameters)
}

const json = (body: unknown, init?: ResponseInit): Response => Response.json(body, init)

export function providerServer(facts: Facts, now: () => number): ProviderServer {
  const { id, endpoints, corrected, isOidc, clientAuth } = facts
  const problems: string[] = []
  const requests: string[] = []
  let challenge: string | null = null
  let nonce: string | null = null
  let isRefusing = false
  const issuer = facts.documentIssuer ?? facts.wellKnown?.replace(/\/\.well-known\/.*$/, '') ?? ''

  const named = facts.contentType ? { headers: { 'content-type': facts.contentType } } : {}

  const checkUrl = (url: URL, expected: string, query: Texts): void => {
    if (url.origin + url.pathname !== expected) problems.push(`expected a request to ${expected}, got ${url.href}`)
    compare('query', single(url.searchParams, problems), query, problems)
  }

  const discovery = (init: RequestInit): Response => {
    const headers = Object.fromEntries(new Headers(init.headers))
    compare('discovery header', headers, { accept: 'application/json' }, problems)
    const { authorization } = facts
    return json({
      issuer,
      authorization_endpoint: authorization.endpoint,
      token_endpoint: endpoints.token,
      jwks_uri: endpoints.jwks,
      ...(facts.formPost ? {} : { userinfo_endpoint: endpoints.userinfo }),
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code'],
      subject_types_supported: ['public']
    })
  }

  const claims = (): Fields => {
    const seconds = Math.floor(now() / 1000)
    const standard = { iss: facts.tokenIssuer ?? issuer, aud: clientId, iat: seconds, exp: seconds + 300 }
    const userinfoClaims = facts.asksUserinfo ? { sub: facts.profile['sub'], ...staleClaims } : facts.profile
    return { ...userinfoClaims, ...standard, ...(nonce === null ? {} : { nonce }) }
  }

  const checkVerifier = ({ code_verifier }: Record<string, string>): void => {
    if (challenge === null) return
    const hash = createHash('sha256')
      .update(code_verifier ?? '')
      .digest('base64url')
    if (hash !== challenge) problems.push('code_verifier: expected the one of the challenge')
  }

  const tokenAnswer = (): Response => {
    if (facts.refusal && isRefusing) {
      return json(facts.refusal.body, {
        status: 400,
        ...(facts.refusal.headers ? { headers: facts.refusal.headers } : {})
      })
    }
    const standard = { access_token: accessToken, token_type: 'Bearer', expires_in: 3600, refresh_token: 'refresh' }
    const all = { ...standard, ...(isOidc ? { id_token: jwt(claims(), facts.idTokenAlg) } : {}), ...facts.tokens }
    const given = Object.entries(all).filter(([name, value]) => value !== null || !(name in standard))
    return json(Object.fromEntries(given), { status: facts.tokenStatus ?? 200, ...named })
  }

  const token = (url: URL, init: RequestInit): Response => {
    const expected: ExpectedRequest = corrected?.token ?? {}
    const method = expected.method ?? 'POST'
    if (init.method !== method) problems.push(`token: expected ${method}, got ${init.method}`)
    checkUrl(url, endpoints.token, expected.query ?? {})
    const isPost = method === 'POST'
    const body = single(new URLSearchParams(String(init.body ?? '')), problems)
    const secret = clientAuth === 'client_secret_post' ? { client_id: clientId, client_secret: clientSecret } : {}
    const pkce = challenge === null ? {} : { code_verifier: body['code_verifier'] ?? 'a verifier' }
    const standard = { grant_type: 'authorization_code', code, redirect_uri: redirectUri(id), ...pkce, ...secret }
    compare('token form', body, isPost ? { ...standard, ...facts.tokenForm } : {}, problems)
    const contentType = isPost ? { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' } : {}
    const authorization = clientAuth === 'client_secret_basic' ? { authorization: basic } : {}
    const headers = { accept: 'application/json', ...contentType, ...authorization, ...expected.headers }
    compare('token header', getHeaders(init, problems), headers, problems)
    checkVerifier(body)
    return problems.length > 0 ? json({ error: 'invalid_request' }, { status: 400 }) : tokenAnswer()
  }

  const userinfo = (url: URL, init: RequestInit): Response => {
    const expected: ExpectedRequest = corrected?.userinfo ?? {}
    if (init.method !== (expected.method ?? 'GET')) problems.push(`userinfo: got ${init.method}`)
    checkUrl(url, endpoints.userinfo, facts.userinfoQuery)
    const accept = facts.signedUserinfo
      ? 'application/jwt'
      : isOidc
        ? 'application/json, application/jwt'
        : 'application/json'
    const headers = { accept, authorization: `Bearer ${accessToken}`, ...expected.headers }
    compare('userinfo header', getHeaders(init, problems), headers, problems)
    const body = init.body === null || init.body === undefined ? null : String(init.body)
    if (expected.form)
      compare('userinfo form', single(new URLSearchParams(body ?? ''), problems), expected.form, problems)
    else if (body !== null) problems.push(`userinfo body: got ${body}`)
    if (problems.length > 0) return json({ error: 'invalid_token' }, { status: 401 })
    if (!facts.signedUserinfo) return json(facts.profile, named)
    const signed = jwt({ ...facts.profile, iss: issuer, aud: clientId }, 'RS256')
    return new Response(signed, { headers: { 'content-type': 'application/jwt' } })
  }

  const further = (address: string, init: RequestInit): Response => {
    const known = facts.further?.[address]
    if (!known || known.body === null) return json({}, { status: 404 })
    if (new Headers(init.headers).get('authorization') !== `Bearer ${accessToken}`)
      problems.push('further call without token')
    const type = known.type ?? 'application/json'
    return new Response(type === 'application/json' ? JSON.stringify(known.body) : Buffer.from(String(known.body)), {
      headers: { 'content-type': type }
    })
  }

  const getKind = (url: URL, method: string): string => {
    const plain = url.origin + url.pathname
    if (url.href === facts.wellKnown && method === 'GET') return 'discovery'
    if (isOidc && plain === endpoints.jwks && method === 'GET') return 'keys'
    if (plain === endpoints.token) return 'token'
    if (plain === endpoints.userinfo && facts.asksUserinfo) return 'userinfo'
    return facts.further?.[url.href] ? 'further' : 'unknown'
  }

  const results: Readonly<Record<string, (url: URL, init: RequestInit) => Response>> = {
    discovery: (_url, init) => discovery(init),
    keys: () => json(keySet),
    token,
    userinfo,
    further: (url, init) => further(url.href, init)
  }

  return {
    problems,
    requests,
    refuse: () => {
      isRefusing = true
    },
    fetch: async (address, init) => {
      const url = new URL(address)
      const kind = getKind(url, init.method ?? 'GET')
      requests.push(kind)
      const response = results[kind]?.(url, init)
      if (response) return response
      problems.push(`unexpected request ${init.method} ${address}`)
      return json({ error: 'not_found' }, { status: 404 })
    },
    authorize: (location) => {
      const url = new URL(location)
      const endpoint = new URL(facts.authorization.endpoint)
      if (url.origin + url.pathname !== endpoint.origin + endpoint.pathname || url.hash !== endpoint.hash)
        problems.push(`authorization endpoint: expected ${endpoint.href}, got ${location}`)
      const query = single(url.searchParams, problems)
      const { state = '', code_challenge = '', nonce: sent = '' } = query
      const wantsNonce = isOidc && !facts.noNonce
      const attempt = {
        state: state.length >= 32 ? state : 'a state of 32 characters or more',
        ...(facts.pkce
          ? {
              code_challenge: code_challenge.length === 43 ? code_challenge : 'a challenge',
              code_challenge_method: 'S256'
            }
          : {}),
        ...(wantsNonce ? { nonce: sent.length >= 32 ? sent : 'a nonce of 32 characters or more' } : {})
      }
      compare(
        'authorization',
        query,
        { ...facts.authorization.params, redirect_uri: redirectUri(id), ...attempt },
        problems
      )
      challenge = facts.pkce ? code_challenge : null
      nonce = wantsNonce ? sent : null
      const iss = facts.iss ?? (isOidc && !facts.tokenIssuer ? issuer : null)
      return { code, state, ...(iss ? { iss } : {}) }
    }
  }
}
