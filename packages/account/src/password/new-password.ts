import { type FeatureRequest, getText } from '@postern/core/feature'
import { checkNewPassword, normalizePassword, type PasswordProblem } from './password-policy.ts'
import type { PasswordSetup } from './password-setup.ts'
import { parseStoredPassword } from './stored-password.ts'

/** A new password that is accepted, or why it is not. */
export type NewPassword =
  | { readonly kind: 'accepted'; readonly password: string }
  | { readonly kind: 'refused'; readonly problem: PasswordProblem }

/** Reads the new password of a form, and checks it. @param email - The address of its user. */
export async function readNewPassword(
  { body, origin, siteName }: FeatureRequest,
  email: string,
  { policy, context: { logger } }: PasswordSetup
): Promise<NewPassword> {
  const normalized = normalizePassword(getText(body, 'password') ?? '')
  if ('problem' in normalized) return { kind: 'refused', problem: normalized.problem }
  const { password } = normalized
  const problem = await checkNewPassword(password, policy, { email, origin, siteName, logger })
  return problem ? { kind: 'refused', problem } : { kind: 'accepted', password }
}

/** Compares a typed password with a stored one, or with none, which takes as long. @param stored - The data of its factor. */
export async function comparePassword(
  typed: string,
  stored: string | null,
  request: FeatureRequest,
  { getHasher }: PasswordSetup
): Promise<{ readonly isRight: boolean; readonly isOutdated: boolean; readonly password: string }> {
  const normalized = normalizePassword(typed)
  // Nobody has such a password, so this is no hint about any user.
  if ('problem' in normalized) return { isRight: false, isOutdated: false, password: '' }
  const { password } = normalized
  const hash = stored === null ? null : parseStoredPassword(stored).hash
  return { ...(await (await getHasher()).compare({ normalized: password, typed }, hash, request)), password }
}
