import { type FeatureContext, normalizeEmailAddress } from '@postern/core/feature'

/** The form in which addresses are compared: of another library, the store may have others. */
export const toComparable = (email: string): string => normalizeEmailAddress(email) ?? email.toLowerCase()

/** Whether another user has an address. */
export async function isTaken(email: string, userId: string, { users }: FeatureContext): Promise<boolean> {
  const owner = await users.getUserByEmail(email)
  return owner !== null && owner.id !== userId
}
