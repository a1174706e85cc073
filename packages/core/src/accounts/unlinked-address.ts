import { AuthError } from '../errors/auth-error.ts'
import type { Identity } from '../model/identity.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import type { LinkingContext, LinkingDecision } from './linking-policy.ts'

/**
 * A sign-in through a provider that must not show whether a user has its address. The owner of the address is notified
 * by mail.
 */
export class UnlinkedAddressError extends AuthError {
  readonly address: string
  /** Whether a user has the address. */
  readonly isKnown: boolean

  constructor({ account }: Identity, address: string, isKnown: boolean) {
    const why = isKnown ? 'the address belongs to another user' : 'the provider does not state that it is verified'
    super('OAuthAccountNotLinked', `${account.provider}: the address is not accepted: ${why}`)
    this.address = address
    this.isKnown = isKnown
  }
}

/**
 * Refuses a sign-in by a new account in the same way whether or not a user has its address.
 *
 * A verified address signs up at once: only its owner sees the difference.
 *
 * @throws UnlinkedAddressError
 */
export function concealUser(
  identity: Identity,
  policy: AccountPolicy,
  { decision, known }: { readonly decision: LinkingDecision; readonly known: LinkingContext }
): void {
  const { user, emailVerified } = identity
  if (policy !== 'link' || !user.email) return
  const isTaken = decision.kind === 'refuse' && known.owner === null && known.userWithEmail !== null
  const isUnproven = decision.kind === 'create' && !emailVerified
  if (isTaken || isUnproven) throw new UnlinkedAddressError(identity, user.email, isTaken)
}
