import type { AccountKey, Authentication, FeatureContext, FeatureRequest } from '@postern/core/feature'
import { listUndoIds } from './undo-ticket.ts'

/** The feature that states the claims: other features also read them. */
const featureId = 'account'

/**
 * What a session states that begins while a change of the email address can be undone. Sessions of other users, and those from
 * before the change, state nothing.
 */
export interface SignInClaims extends Readonly<AccountKey> {
  /** The last undo when the session began. The order of changes and sign-ins does not depend on clocks. */
  readonly undoId: string
}

/** Creates the claims of a new session. @returns `null` if they are of no use. */
export async function createSignInClaims(
  { userId }: Authentication,
  account: AccountKey | null,
  context: FeatureContext
): Promise<Readonly<Record<string, unknown>> | null> {
  if (account === null) return null
  const undoId = (await listUndoIds(userId, context)).at(-1)
  if (undoId === undefined) return null
  const { provider, providerAccountId } = account
  const claims: SignInClaims = { provider, providerAccountId, undoId }
  return { ...claims }
}

/** Reads the claims of the session. @returns `null` if it states nothing, or without a session. */
export async function readSignInClaims(request: FeatureRequest): Promise<SignInClaims | null> {
  const { provider, providerAccountId, undoId } = (await request.getClaims(featureId)) ?? {}
  if (typeof provider !== 'string' || typeof providerAccountId !== 'string' || typeof undoId !== 'string') return null
  return { provider, providerAccountId, undoId }
}
