import type { Adapter } from '../adapter/adapter.ts'
import type { Problem } from '../errors/config-error.ts'
import type { RegisteredFeature } from '../features/registered-feature.ts'
import { createConfirmationProvider } from '../model/confirmation-provider.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import type { Provider } from '../model/provider.ts'
import { forMails } from './check.ts'

/** What was registered, before it is checked. */
interface Draft {
  readonly adapter: Adapter | null
  readonly found: {
    readonly features: readonly RegisteredFeature[]
    readonly mailer: EmailProvider | null
    readonly providers: readonly Provider[]
  }
}

/** @returns The mailed code by which a signed-in user confirms; `null` without a mail server, or if the adapter stores no codes. */
export function findConfirmationProvider({ adapter, found: { mailer } }: Draft): EmailProvider | null {
  const storesCodes = forMails.every((name) => typeof adapter?.[name] === 'function')
  return mailer && storesCodes ? createConfirmationProvider(mailer) : null
}

/**
 * Whether a user whose only way in is this provider can authenticate again, so that a guard knows when. OpenID Providers have to state
 * `auth_time` if they are asked for `max_age` (OpenID Connect Core §2), but many do not: the configuration has to require it.
 */
function confirmsByItself(provider: Provider): boolean {
  if (provider.kind !== 'oauth' || provider.assumeFresh) return true
  const { idToken, client, requires } = provider
  return idToken && (client.require_auth_time === true || requires.maxAge !== null)
}

const needsConfirmation = ({ needsRecentSignIn = false }: RegisteredFeature): boolean => needsRecentSignIn

/**
 * @returns The problem of a set of sign-in methods of which one may have users who can never confirm that it is them, where a feature
 * needs it.
 */
export function checkConfirmation(draft: Draft): Problem[] {
  const { features, providers } = draft.found
  const feature = features.find(needsConfirmation)
  const stuck = providers.filter((provider) => !confirmsByItself(provider)).map(({ id }) => id)
  const hasMail = providers.some(({ kind }) => kind === 'email') || findConfirmationProvider(draft) !== null
  if (!feature || stuck.length === 0 || hasMail) return []
  const all = providers.map(({ id }) => id).join(', ')
  const message = `expected that every user can confirm a recent sign-in, which features.${feature.id} needs; with the sign-in methods ${all}, users of ${stuck.join(', ')} cannot: pass mailer: email({ server, from }), so that they confirm by a mailed code, or set client: { require_auth_time: true } if every ID Token states auth_time, or assumeFresh if the provider asks the user every time`
  return [{ option: 'providers', code: 'OPTION_MISSING', message }]
}
