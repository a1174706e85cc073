import type { Factor, FeatureContext } from '@postern/core/feature'
import type { MaySignUp } from '../mail/mailed-sign-up.ts'
import { findUndoGuard } from '../undo-guard.ts'
import type { Captcha } from './captcha.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { PasswordPolicy } from './password-policy.ts'
import type { SignUpFieldDeps } from './sign-up-fields.ts'
import { createStoredPassword, withHash } from './stored-password.ts'

/** What the parts of the feature depend on. */
export interface PasswordDeps {
  readonly context: FeatureContext
  readonly policy: PasswordPolicy
  readonly getHasher: () => Promise<PasswordHasher>
  /** Whether the sign-in form asks whether the session outlives the browser. */
  readonly asksToRemember: boolean
  /** What is asked before a form that sends a mail; `null` for none. */
  readonly captcha: Captcha | null
  /** The fields that the application adds to the form of a sign-up. */
  readonly signUpFields: SignUpFieldDeps
  /** Whether there is a page on which visitors sign up. */
  readonly hasSignUp: boolean
  readonly maySignUp: MaySignUp
}

/** The type of the factor that holds a password. Every user has at most one. */
export const passwordType = 'password'

export const passwordKey = (userId: string): { readonly type: string; readonly id: string } => ({
  type: passwordType,
  id: userId
})

export function findPassword(userId: string, { factors }: Pick<FeatureContext, 'factors'>): Promise<Factor | null> {
  return factors.get(passwordKey(userId))
}

/**
 * Writes the hash of a password that a user has chosen, other than at the sign-up.
 *
 * @param known - The password that it replaces.
 * @returns `false` if the password was changed by another request.
 */
export async function replacePassword(
  userId: string,
  hash: string,
  known: Factor | null,
  context: FeatureContext
): Promise<boolean> {
  await findUndoGuard(context)?.recordNewPassword(userId, known?.data ?? null)
  return savePassword(userId, hash, known, context)
}

/**
 * Writes the hash of a password that was chosen now.
 *
 * @param known - The password that it replaces.
 * @returns `false` if the password was changed by another request.
 */
export async function savePassword(
  userId: string,
  hash: string,
  known: Factor | null,
  { factors, now, randomBytes }: Pick<FeatureContext, 'factors' | 'now' | 'randomBytes'>
): Promise<boolean> {
  const data = createStoredPassword(hash, { randomBytes })
  if (known) return factors.update({ ...known, data }, known.version)
  const about = { userId, name: null, lastUsedAt: null, version: 0, createdAt: new Date(now()) }
  await factors.create({ ...passwordKey(userId), ...about, data })
  return true
}

/** Writes another hash of the same password. @returns `false` if the password was changed by another request. */
export function replaceHash(
  hash: string,
  known: Factor,
  { factors }: Pick<FeatureContext, 'factors'>
): Promise<boolean> {
  return factors.update({ ...known, data: withHash(known.data, hash) }, known.version)
}
