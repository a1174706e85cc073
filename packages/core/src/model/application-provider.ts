import type { FeatureProvider, Provider } from './provider.ts'
import { plainTraits } from './provider-traits.ts'

/** The id in accounts, sessions and events of users whom the application signs in; no provider may have it. */
export const applicationProviderId = 'application'

/** The application as a sign-in method: it has verified the user by its own means. It has no routes. */
export const applicationProvider: FeatureProvider = {
  kind: 'feature',
  id: applicationProviderId,
  name: 'Application',
  type: 'credentials',
  traits: { ...plainTraits, accountPolicy: 'stored', callbackMethods: [], form: { type: 'oauth', style: null } }
}

/** @returns The provider of a sign-in that was interrupted; `null` if it no longer exists. */
export function findSignInProvider(id: string, providers: ReadonlyMap<string, Provider>): Provider | null {
  return id === applicationProviderId ? applicationProvider : (providers.get(id) ?? null)
}
