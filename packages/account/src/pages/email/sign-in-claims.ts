import type { AccountKey, Authentication, FeatureContext, FeatureRequest } from '@postern/core/feature'
import { listUndoIds, storesUndos } from './undo-ticket.ts'

/** The feature that states the claims: other features also read them. */
const featureId = 'account'

/** What a user has signed in with. */
export interface SignInProof extends Readonly<AccountKey> {
  /** When the factor was added that was used, in ISO 8601; `null` for an account. Another factor may have the same id later. */
  readonly addedAt: string | null
}

/** Reads when the factor of a sign-in was added. */
export async function loadSignInProof(
  { provider, providerAccountId }: AccountKey,
  userId: string,
  { factors }: Pick<FeatureContext, 'factors'>
): Promise<SignInProof> {
  const used = (await factors.list(userId, provider)).find(({ id }) => id === providerAccountId)
  return { provider, providerAccountId, addedAt: used?.createdAt.toISOString() ?? null }
}

/**
 * The claims of a session that is created while a change of the email address can be undone. Sessions of other users, and those from
 * before the change, state nothing.
 */
export interface SignInClaims extends SignInProof {
  /** The last undo when the session began. The order of changes and sign-ins does not depend on clocks. */
  readonly undoId: string
}

/** Creates the claims of a new session. @returns `null` if they are of no use. */
export async function createSignInClaims(
  { userId }: Authentication,
  account: AccountKey | null,
  context: FeatureContext
): Promise<Readonly<Record<string, unknown>> | null> {
  if (account === null || !storesUndos(context)) return null
  const undoId = (await listUndoIds(userId, context)).at(-1)
  if (undoId === undefined) return null
  const claims: SignInClaims = { ...(await loadSignInProof(account, userId, context)), undoId }
  return { ...claims }
}

/** Reads the claims of the session. @returns `null` if it states nothing, or without a session. */
export async function readSignInClaims(request: FeatureRequest): Promise<SignInClaims | null> {
  const { provider, providerAccountId, addedAt = null, undoId } = (await request.getClaims(featureId)) ?? {}
  if (typeof provider !== 'string' || typeof providerAccountId !== 'string' || typeof undoId !== 'string') return null
  return addedAt === null || typeof addedAt === 'string' ? { provider, providerAccountId, addedAt, undoId } : null
}
