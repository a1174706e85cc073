import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { type Client, configure } from './identity-provider/configuration.ts'
import { interact } from './identity-provider/interaction.ts'
import { createKeys } from './identity-provider/keys.ts'
import { listen } from './listening.ts'

export interface IdentityProviderOptions extends Client {
  /** 0 takes any free port. */
  readonly port: number
  /** An interface to listen on instead of this machine's two loopback addresses. */
  readonly host?: string
}

export interface IdentityProvider {
  /** `http://localhost:3001`. */
  readonly issuer: string
  readonly close: () => Promise<void>
}

/**
 * Starts an OpenID Provider with three test users: authorization code with PKCE, discovery, userinfo and logout.
 *
 * It remembers everything in this process; its keys are new at every start.
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const keys = await createKeys()
  const server = createServer()
  const { port, close } = await listen(server, { ...options, service: 'identity provider', variable: 'OIDC_PORT' })
  const issuer = `http://localhost:${port}`
  const provider = new Provider(issuer, configure(issuer, options, keys))
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (/^\/(interaction|people)\//.test(request.url ?? '')) interact(provider, request, response)
    else answer(request, response)
  })
  return { issuer, close }
}
