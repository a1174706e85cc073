import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type ClientMetadata, type JWK } from 'oidc-provider'

/** A certified OpenID Provider on loopback, whose visitor signs in without being asked. */
export interface Twin {
  readonly issuer: string
  /** Signs with a new key from now on; the old one leaves the key set. */
  readonly rotateKeys: () => void
  /** Goes where the application sent the visitor, signs in, and comes back: with an address, or with a page that posts. */
  readonly visit: (address: string) => Promise<Returned>
  /** How the visitor signs in from now on, if the provider asks. */
  readonly signInWith: (login: Login) => void
  /** How often the provider has asked the visitor to sign in. */
  readonly logins: () => number
  /** Presses the button of one of the provider's own pages. */
  readonly press: (page: string) => Promise<Returned>
  /** Every request, as method and path. */
  readonly requests: readonly string[]
  readonly close: () => Promise<void>
}

/** How a visitor signs in at the provider. @see OpenID Connect Core §2 */
export interface Login {
  readonly acr?: string
  readonly amr?: readonly string[]
  /** When, in seconds since 1970. @defaultValue now */
  readonly ts?: number
}

/** How a visitor comes back from the provider. */
export interface Returned {
  readonly location: string | null
  readonly page: string
}

/** The one form of a page. */
export function getForm(page: string): { readonly action: string; readonly fields: readonly [string, string][] } {
  const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(page) ?? []
  const inputs = [...page.matchAll(/<input[^>]* name="([^"]*)"[^>]* value="([^"]*)"/g)]
  return { action, fields: inputs.map(([, name = '', value = '']): [string, string] => [name, value]) }
}

function newKey(alg: 'RS256' | 'ES256'): JWK {
  const { privateKey } =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty = '', ...rest } = privateKey.export({ format: 'jwk' })
  return { ...rest, kty, kid: randomUUID(), alg, use: 'sig' } as JWK
}

const createKeys = (): readonly JWK[] => [newKey('RS256'), newKey('ES256')]

/** The keys that each provider begins with. */
const firstKeys = createKeys()

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }

function getProvider(
  issuer: string,
  clients: readonly ClientMetadata[],
  reach: Reach,
  keys: readonly JWK[] = firstKeys
): Provider {
  const provider = new Provider(issuer, {
    clients: [...clients],
    fetch: reach,
    jwks: { keys: [...keys] },
    acrValues: ['bronze', 'gold'],
    claims: {
      acr: null,
      amr: null,
      auth_time: null,
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name']
    },
    features: {
      devInteractions: { enabled: false },
      claimsParameter: { enabled: true },
      jwtUserinfo: { enabled: true },
      revocation: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) => {
          ctx.body = form.replace('</form>', '<input name="logout" value="yes"></form>')
        }
      }
    },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'HS256'] },
    cookies: { keys: ['a key of the twin'] },
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: async (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId, ...ada }) }),
    issueRefreshToken: async () => true,
    loadExistingGrant: async (ctx) => {
      const { client, session, provider } = ctx.oidc
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile offline_access')
      await grant.save()
      return grant
    }
  })
  return provider
}

/** How the twin reaches its clients. */
export type Reach = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Starts the twin with these clients. */
export async function openTwin(clients: readonly ClientMetadata[], reach: Reach = fetch): Promise<Twin> {
  const requests: string[] = []
  let login: Login = {}
  let logins = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer)
    requests.push(`${request.method} ${pathname}`)
    if (pathname.startsWith('/interaction/')) {
      logins += 1
      const { amr, ...rest } = login
      const result = { login: { accountId: 'ada', ...rest, ...(amr ? { amr: [...amr] } : {}) } }
      provider.interactionFinished(request, response, result).catch(() => response.destroy())
      return
    }
    provider.callback()(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let provider = getProvider(issuer, clients, reach)
  const cookies = new Map<string, string>()
  const go = async (address: string, init: RequestInit = {}): Promise<Returned> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const next = location === null ? null : new URL(location, address).href
    if (next?.startsWith(`${issuer}/`)) return go(next)
    return { location: next, page: await response.text() }
  }
  return {
    issuer,
    requests,
    rotateKeys: () => {
      provider = getProvider(issuer, clients, reach, createKeys())
      cookies.clear()
    },
    signInWith: (given) => {
      login = given
    },
    logins: () => logins,
    visit: (address) => go(address),
    press: (page) => {
      const { action, fields } = getForm(page)
      return go(new URL(action, issuer).href, { method: 'POST', body: new URLSearchParams([...fields]) })
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
