import type { RegisteredFeature } from '../features/registered-feature.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import type { Provider } from '../model/provider.ts'

/** What was registered. */
interface Draft {
  readonly found: {
    readonly features: readonly RegisteredFeature[]
    readonly mailer: EmailProvider | null
    readonly providers: readonly Provider[]
  }
}

/** Whether the addresses that a provider reports are never proven: the provider is trusted for none. */
function onlyClaims(provider: Provider): boolean {
  if (provider.kind !== 'oauth') return false
  const { verifiesEmail, hooks } = provider
  return verifiesEmail !== true && verifiesEmail.length === 0 && hooks.isEmailAuthority === undefined
}

/** @returns A warning if users of a provider can never prove their address, so that they can add nothing to sign in with. */
export function emailWarnings({ found: { features, mailer, providers } }: Draft): readonly string[] {
  const feature = features.find(({ needsRecentSignIn = false }) => needsRecentSignIn)
  const ids = providers.filter(onlyClaims).map(({ id }) => id)
  if (!feature || ids.length === 0 || mailer || providers.some(({ traits }) => traits.provesMailbox)) return []
  return [
    `providers: nothing proves the email addresses of users of ${ids.join(', ')}, so they cannot add a passkey or a second factor ` +
      `(features.${feature.id}); pass mailer: email({ server, from }), or set verifiesEmail if the provider verifies addresses`
  ]
}
