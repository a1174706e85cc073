import type { Factor, FeatureContext, FeatureWrite } from '@postern/core/feature'
import type { MailedSignUps } from '../mail/mailed-sign-up.ts'
import { toNewFactor } from '../new-factor.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { PasswordPolicy } from './password-policy.ts'
import { createStoredPassword, withHash } from './stored-password.ts'

/** The feature as the application has set it up. */
export interface PasswordSetup extends MailedSignUps {
  readonly policy: PasswordPolicy
  readonly getHasher: () => Promise<PasswordHasher>
  /** Whether the sign-in form asks whether the session outlives the browser. */
  readonly asksToRemember: boolean
  /** Whether there is a page on which visitors sign up. */
  readonly hasSignUp: boolean
}

/** The type of the factor that holds a password. Every user has at most one. */
export const passwordType = 'password'

export const passwordKey = (userId: string): { readonly type: string; readonly id: string } => ({
  type: passwordType,
  id: userId
})

export function findPassword(userId: string, { factors }: FeatureContext): Promise<Factor | null> {
  return factors.get(passwordKey(userId))
}

/**
 * The write of a password that was chosen now. It fails if the one that it replaces has changed.
 *
 * @param known - The password that it replaces.
 */
export function toPasswordWrite(
  userId: string,
  hash: string,
  known: Factor | null,
  context: FeatureContext
): FeatureWrite {
  const data = createStoredPassword(hash, context.randomBytes)
  if (known) return { method: 'updateFactor', args: [{ ...known, data }, known.version] }
  return { method: 'createFactor', args: [toNewFactor(passwordKey(userId), userId, data, context)] }
}

/** Writes another hash of the same password. @returns `false` if the password was changed by another request. */
export function replaceHash(hash: string, known: Factor, { factors }: FeatureContext): Promise<boolean> {
  return factors.update({ ...known, data: withHash(known.data, hash) }, known.version)
}
