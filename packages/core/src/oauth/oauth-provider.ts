import type { OAuthProvider, Provider } from '../model/provider.ts'

/** Whether a provider is an authorization server, which issues tokens and signs users out. */
export function isOAuth(provider: Provider | null | undefined): provider is OAuthProvider {
  return provider?.kind === 'oauth'
}

/** The authorization servers among the providers. */
export function oauthProviders(providers: ReadonlyMap<string, Provider>): readonly OAuthProvider[] {
  return [...providers.values()].filter(isOAuth)
}
