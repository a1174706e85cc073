import type { PendingSignIn } from '@postern/core/feature'
import type { SecondFactorSetup } from './second-factor-setup.ts'
import type { UserFactors } from './user-factors.ts'

/** @throws TypeError A function that returns something else may have been meant to refuse. */
function requireBoolean(result: unknown, option: string): boolean {
  // A rejection that nobody handles ends the process.
  if (result instanceof Promise) result.catch(() => undefined)
  if (typeof result === 'boolean') return result
  throw new TypeError(`features.factors: expected ${option} to return a boolean, got ${typeof result}`)
}

/** A user who signs in, or changes their factors. */
interface AskedUser extends Pick<PendingSignIn, 'user'> {
  /** @defaultValue none */
  readonly requiredAmr?: PendingSignIn['requiredAmr']
}

/** Whether the guard that asked the user to authenticate again requires two factors. */
const needsTwoFactors = ({ requiredAmr = [] }: Pick<AskedUser, 'requiredAmr'>): boolean => requiredAmr.includes('mfa')

/**
 * Whether the sign-in has two factors already, or the application says that it needs no second one. An account that is linked
 * proves nothing about the user: the session that allows the link counts instead.
 */
export function isSatisfied(signIn: PendingSignIn, { satisfiedBy }: SecondFactorSetup): boolean {
  const { linkingSession } = signIn
  const authentication = linkingSession ?? signIn.authentication
  if (authentication.amr.includes('mfa')) return true
  // The session would not get what the guard requires.
  if (needsTwoFactors(signIn)) return false
  return satisfiedBy !== null && requireBoolean(satisfiedBy(authentication), 'satisfiedBy')
}

/** Whether the user needs a second factor. @throws what the function of the application throws: the sign-in is refused */
export async function isRequired(signIn: AskedUser, { required, context }: SecondFactorSetup): Promise<boolean> {
  const { user } = signIn
  // Users who have none enroll, which takes a mail.
  if (needsTwoFactors(signIn) && (context.canSendMail || !user.email)) return true
  if (typeof required === 'boolean') return required
  return requireBoolean(await context.withTimeout('required', () => required(user)), 'required')
}

/**
 * Whether the user has a second factor to ask for. Passkeys are ways to sign in: without a policy, a user who has one has not
 * chosen to be asked for it after a password.
 */
export async function hasFactor(
  signIn: AskedUser,
  { totp, passkeys }: Pick<UserFactors, 'totp' | 'passkeys'>,
  setup: SecondFactorSetup
): Promise<boolean> {
  return totp !== null || (passkeys.length > 0 && (await isRequired(signIn, setup)))
}
