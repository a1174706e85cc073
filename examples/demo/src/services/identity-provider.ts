import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { type Client, configure } from './identity-provider/configuration.ts'
import { interact } from './identity-provider/interaction.ts'
import { createKeys } from './identity-provider/keys.ts'
import { listen } from './listening.ts'

export interface IdentityProviderOptions extends Client {
  /** 0 selects any free port. */
  readonly port: number
  /** The interface to listen on. The default is both loopback addresses. */
  readonly host?: string
}

export interface IdentityProvider {
  /** `http://localhost:3001`. */
  readonly issuer: string
  readonly close: () => Promise<void>
}

/**
 * Starts an OpenID Provider with three test users: authorization code flow with PKCE, discovery, userinfo and logout.
 *
 * All state is in memory; the keys are generated at each start.
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const keys = await createKeys()
  const server = createServer()
  const { port, close } = await listen(server, { ...options, service: 'identity provider', variable: 'OIDC_PORT' })
  const issuer = `http://localhost:${port}`
  const provider = new Provider(issuer, configure(issuer, options, keys))
  const result = provider.callback()
  server.on('request', (request, response) => {
    if (/^\/(interaction|people)\//.test(request.url ?? '')) interact(provider, request, response)
    else result(request, response)
  })
  return { issuer, close }
}
