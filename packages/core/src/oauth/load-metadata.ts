import type { OAuthProvider } from '../model/provider.ts'
import type { Metadata } from './metadata.ts'
import type { OAuthTools } from './tools.ts'

/** @returns The provider's metadata, from the cache or from its server. */
export async function loadMetadata(provider: OAuthProvider, { metadata, runtime }: OAuthTools): Promise<Metadata> {
  const { allowInsecureRequests, timeout } = provider
  const found = await metadata.of(provider, (url) =>
    runtime.fetch(url, { method: 'GET', headers: { accept: 'application/json' } }, { allowInsecureRequests, timeout })
  )
  for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'] as const) {
    const address = found[name]
    const protocol = address === undefined ? 'https:' : URL.canParse(address) ? new URL(address).protocol : 'none'
    if (protocol !== 'https:' && !(protocol === 'http:' && allowInsecureRequests)) {
      throw new TypeError(`expected ${name} to be an https address`)
    }
  }
  return found
}
