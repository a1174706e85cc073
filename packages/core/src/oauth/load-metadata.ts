import type { OAuthProvider } from '../model/provider.ts'
import type { Metadata } from './metadata.ts'
import { call, type OAuthTools } from './tools.ts'

/** @returns The provider's metadata, from the cache or from its server. */
export async function loadMetadata(provider: OAuthProvider, tools: OAuthTools): Promise<Metadata> {
  const init = { method: 'GET', headers: { accept: 'application/json' } }
  return tools.metadata.of(provider, (url) => call(provider, tools, url, init))
}
