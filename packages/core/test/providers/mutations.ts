import type { TokenSet } from '../../src/model/provider.ts'
import type { OAuthConfig } from '../../src/model/provider-config.ts'

/** One wrong field, and the provider with it. */
export interface Mutation {
  readonly title: string
  readonly change: (config: OAuthConfig) => OAuthConfig
}

interface Address {
  readonly url?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

type EndpointName = 'authorization' | 'token' | 'userinfo'

function getAddress(endpoint: OAuthConfig[EndpointName]): Address {
  if (typeof endpoint !== 'string') return endpoint ?? {}
  if (!URL.canParse(endpoint)) return { url: endpoint }
  const { origin, pathname, searchParams } = new URL(endpoint)
  return { url: origin + pathname, params: Object.fromEntries(searchParams) }
}

function otherUrl(address: string): string {
  if (!URL.canParse(address)) return address.replace('{issuer}', '{issuer}/wrong')
  const url = new URL(address)
  return `${url.origin}/wrong${url.pathname}${url.search}${url.hash}`
}

/** The address of each endpoint, and each of its parameters. */
function endpointMutations(config: OAuthConfig): readonly Mutation[] {
  return (['authorization', 'token', 'userinfo'] as const).flatMap((name) => {
    const { url, params = {} } = getAddress(config[name])
    const changed =
      (part: Address): Mutation['change'] =>
      (given) => ({
        ...given,
        [name]: { ...(url ? { url } : {}), params, ...part },
        // Options that name the endpoint too would win.
        options: { ...given.options, [name]: { ...(url ? { url } : {}), params, ...part } }
      })
    const address = url ? [{ title: `${name} address`, change: changed({ url: otherUrl(url) }) }] : []
    const present = Object.entries(params).filter(([, value]) => value !== undefined)
    const values = present.map(([parameter]) => ({
      title: `${name} parameter ${parameter}`,
      change: changed({ params: { ...params, [parameter]: 'wrong' } })
    }))
    return [...address, ...values]
  })
}

const standard = (claims: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  id: claims['sub'] ?? claims['id'],
  name: claims['name'],
  email: claims['email'],
  image: claims['picture']
})

/** Each field of the user that comes of it. */
function profileMutations({ profile }: OAuthConfig): readonly Mutation[] {
  const original: (claims: never, tokens: TokenSet) => unknown = profile ?? standard
  const wrong: Readonly<Record<string, (value: unknown) => unknown>> = {
    id: (id) => `${String(id)}0`,
    name: (name) => `${String(name)}!`,
    email: () => 'wrong@wrong.test',
    image: () => 'https://wrong.test/image.png'
  }
  return Object.entries(wrong).map(([field, corrupt]) => ({
    title: `mapped ${field}`,
    change: (config) => ({
      ...config,
      profile: async (claims: never, tokens: TokenSet) => {
        const user: Record<string, unknown> = { ...Object(await original(claims, tokens)) }
        return { ...user, id: String(user['id']), [field]: corrupt(user[field]) }
      }
    })
  }))
}

function clientMutations({ client, checks, idToken, type }: OAuthConfig): readonly Mutation[] {
  const isPost = client?.token_endpoint_auth_method === 'client_secret_post'
  const token_endpoint_auth_method = isPost ? 'client_secret_basic' : 'client_secret_post'
  const hasPkce = checks === undefined || [checks].flat().includes('pkce')
  const algorithms = (['id_token_signed_response_alg', 'userinfo_signed_response_alg'] as const).filter(
    (name) => client?.[name]
  )
  return [
    {
      title: 'client authentication',
      change: (config) => ({ ...config, client: { ...client, token_endpoint_auth_method } })
    },
    { title: 'PKCE', change: (config) => ({ ...config, checks: hasPkce ? ['state'] : ['pkce', 'state'] }) },
    ...algorithms.map((name) => ({
      title: name,
      change: (config: OAuthConfig) => ({ ...config, client: { ...client, [name]: 'ES512' } })
    })),
    { title: 'type', change: (config) => ({ ...config, type: type === 'oidc' ? 'oauth' : 'oidc' }) },
    ...(idToken === undefined
      ? []
      : [{ title: 'idToken', change: (config: OAuthConfig) => ({ ...config, idToken: !idToken }) }])
  ]
}

function hookMutations({ hooks = {} }: OAuthConfig): readonly Mutation[] {
  return Object.keys(hooks).map((name) => ({
    title: `without ${name}`,
    change: (config) => ({ ...config, hooks: { ...hooks, [name]: undefined } })
  }))
}

/** Every field of a provider, wrong. */
export function getMutations(config: OAuthConfig): readonly Mutation[] {
  const { issuer, wellKnown, style } = config
  return [
    { title: 'id', change: (given) => ({ ...given, id: `${given.id}-x` }) },
    { title: 'name', change: (given) => ({ ...given, name: `${given.name} X` }) },
    ...(issuer ? [{ title: 'issuer', change: (given: OAuthConfig) => ({ ...given, issuer: otherUrl(issuer) }) }] : []),
    ...(wellKnown
      ? [{ title: 'wellKnown', change: (given: OAuthConfig) => ({ ...given, wellKnown: otherUrl(wellKnown) }) }]
      : []),
    ...Object.keys(style ?? {}).map((part) => ({
      title: `style ${part}`,
      change: (given: OAuthConfig) => ({ ...given, style: { ...style, [part]: '#123' } })
    })),
    ...endpointMutations(config),
    ...clientMutations(config),
    ...profileMutations(config),
    ...hookMutations(config)
  ]
}
