import type { Factor, FeatureContext } from '@postern/core/feature'
import type { MailedCodeDeps } from '../mail/mailed-code.ts'
import type { Passkey } from './stored-passkey.ts'

type ReplaceableFactor = Pick<Factor, 'type' | 'data'>

/** What passkeys and changes of the email address know of the second factor, whose context mails codes. */
interface FactorPolicy extends MailedCodeDeps {
  /** Whether a factor was created again, with the same key: its data also changes with its use. */
  readonly wasReplaced: (before: ReplaceableFactor, current: ReplaceableFactor) => boolean
}

const policies = new WeakMap<object, FactorPolicy>()

/** Lets passkeys know the policy of the second factor, without a part of the public API. */
export function registerFactorPolicy(api: object, policy: FactorPolicy): void {
  policies.set(api, policy)
}

/** @returns `null` if the application has no second factor. */
export function findFactorPolicy({ features }: Pick<FeatureContext, 'features'>): FactorPolicy | null {
  const api: object | undefined = Object.hasOwn(features, 'factors') ? Reflect.get(features, 'factors') : undefined
  return (api && policies.get(api)) ?? null
}

/**
 * Whether a passkey counts as two factors: its authenticator verified the user when it created it, and with a second factor,
 * someone who only knew the password cannot have added it.
 */
export function isTwoFactor(
  { isUserVerified, isOwnerProven }: Pick<Passkey, 'isOwnerProven' | 'isUserVerified'>,
  context: Pick<FeatureContext, 'features'>
): boolean {
  return isUserVerified && (isOwnerProven || findFactorPolicy(context) === null)
}
