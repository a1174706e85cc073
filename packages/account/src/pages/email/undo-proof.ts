import { type AccountKey, type Factor, type FeatureContext, type FeatureRequest, getText } from '@postern/core/feature'
import { getPasskeyId, factorType as passkeyType } from '../../passkey/stored-passkey.ts'
import { findPasswordCheck } from '../../password-check.ts'
import { readUser } from '../../signed-in-user.ts'
import { readSignInClaims } from './sign-in-claims.ts'
import { type KeptFactor, listUndoIds, type StoredUndo, type UndoProofs, type UndoState } from './undo-ticket.ts'

/** The passwords that may be typed on the page of one link. */
const maxTries = 20

/** After five wrong passwords, the next ones take longer. */
const shortLimit = { points: 5, seconds: 900 }
const longLimit = { points: 10, seconds: 86_400 }

/** Whether a factor of the user is the one from before the change. */
export function isUnchanged(
  current: Factor,
  { factors }: { readonly factors: readonly Pick<KeptFactor, 'type' | 'id' | 'createdAt'>[] }
): boolean {
  const createdAt = current.createdAt.toISOString()
  return factors.some(
    ({ type, id, createdAt: time }) => type === current.type && id === current.id && time === createdAt
  )
}

/** The providers of the accounts that Auth.js links with passkeys. */
const authJsProviders: readonly string[] = [passkeyType, 'webauthn']

/** Whether users sign in with accounts of a provider, or factors of that type, and prove more than a mailbox with them. */
function isProvable(provider: string, { providers }: Pick<FeatureContext, 'providers'>): boolean {
  const id = authJsProviders.includes(provider) ? passkeyType : provider
  return providers.some((configured) => configured.id === id && configured.type !== 'email')
}

/** What a user has that proves an undo. */
interface UserProofs extends Pick<UndoState, 'accounts' | 'factors'> {
  /** The hash of the password that was replaced in the 7 days before. */
  readonly replacedPassword: string | null
}

/** @returns `null` if the user has nothing but the mailbox, which may be in the hands of a thief. */
export function createProofs(
  { accounts, factors, replacedPassword }: UserProofs,
  context: FeatureContext
): UndoProofs | null {
  const passwordType = findPasswordCheck(context)?.factorType
  const passwords = factors.filter(({ type }) => type === passwordType).map(({ data }) => data)
  const proofs: UndoProofs = {
    accounts: accounts.filter(([provider]) => isProvable(provider, context)),
    factors: factors
      .filter(({ type }) => type !== passwordType && isProvable(type, context))
      .map(({ type, id, createdAt }) => ({ type, id, createdAt })),
    passwords: replacedPassword === null ? passwords : [...passwords, replacedPassword]
  }
  return proofs.accounts.length + proofs.factors.length + proofs.passwords.length === 0 ? null : proofs
}

/**
 * The proofs of a later change, while an earlier one can be undone. Of the passwords only the one that was in use for longer stays:
 * the newer one may be that of a thief, from whom the owner takes the account back with the later change.
 */
export const inheritProofs = ({ proofs }: StoredUndo): UndoProofs => ({
  ...proofs,
  passwords: proofs.passwords.slice(-1)
})

/** Whether a passkey is one of Auth.js, which is an account. Its id is that of the credential in base64. */
async function isAuthJsPasskey(passkeyId: string, { accounts }: Pick<UndoProofs, 'accounts'>): Promise<boolean> {
  for (const [provider, id] of accounts) {
    const credentialId = Buffer.from(id, 'base64').toString('base64url')
    if (authJsProviders.includes(provider) && (await getPasskeyId(credentialId)) === passkeyId) return true
  }
  return false
}

/** Whether a sign-in used an account or a passkey that proves an undo. A passkey with the same id may have been added since. */
export async function isProvenBy(
  { provider, providerAccountId }: AccountKey,
  { userId, proofs }: Pick<UndoState, 'proofs' | 'userId'>,
  context: Pick<FeatureContext, 'factors'>
): Promise<boolean> {
  const { accounts, factors } = proofs
  if (accounts.some(([known, id]) => known === provider && id === providerAccountId)) return true
  const known = factors.find(({ type, id }) => type === provider && id === providerAccountId)
  const current = (await context.factors.list(userId, provider)).find(({ id }) => id === providerAccountId)
  if (known) return !current || isUnchanged(current, { factors: [known] })
  return provider === passkeyType && !current && (await isAuthJsPasskey(providerAccountId, proofs))
}

/** What the session of the browser proves. `stale`: it may prove enough once the user has authenticated again. */
export type SessionProof = 'none' | 'stale' | 'proven'

/** Whether the user has authenticated since a change, with an account or a passkey from before it. */
export async function readSessionProof(
  request: FeatureRequest,
  undo: StoredUndo,
  context: FeatureContext
): Promise<SessionProof> {
  if ((await request.getUser())?.userId !== undo.userId) return 'none'
  const found = await readUser(request, { context })
  if (!found) return 'none'
  const claims = await readSignInClaims(request)
  const ids = await listUndoIds(undo.userId, context)
  const isAfter = claims !== null && ids.indexOf(claims.undoId) >= ids.indexOf(undo.key.id)
  if (isAfter) return (await isProvenBy(claims, undo, context)) ? (found.isFresh ? 'proven' : 'stale') : 'none'
  // A session from before the change may have been stolen: the owner authenticates again.
  const provider = (await request.getAuthentication())?.provider?.id ?? ''
  return hasProofOf(provider, undo) ? 'stale' : 'none'
}

/** Whether a user may prove an undo with a sign-in at a provider. A password may have been replaced: it is typed. */
function hasProofOf(provider: string, { proofs: { accounts, factors } }: StoredUndo): boolean {
  const ids = provider === passkeyType ? authJsProviders : [provider]
  return accounts.some(([known]) => ids.includes(known)) || factors.some(({ type }) => type === provider)
}

/** The hashes of the passwords that prove an undo. Empty if the application has no passwords. */
export const getOldPasswords = ({ proofs }: StoredUndo, context: FeatureContext): readonly string[] =>
  findPasswordCheck(context) ? proofs.passwords : []

/** @returns The undo, which restores a password. */
function withPassword(undo: StoredUndo, passwordType: string, hash: string): StoredUndo {
  return { ...undo, factors: undo.factors.map((kept) => (kept.type === passwordType ? { ...kept, data: hash } : kept)) }
}

/**
 * Compares a typed password with those from before the change. The try is counted before.
 *
 * @returns The undo, which restores the password that was typed; `'gone'` after too many tries: only a session undoes the
 * change then.
 * @throws AuthError `RateLimited`
 */
export async function checkOldPassword(
  request: FeatureRequest,
  undo: StoredUndo,
  context: FeatureContext
): Promise<StoredUndo | 'wrong' | 'gone'> {
  const check = findPasswordCheck(context)
  const hashes = getOldPasswords(undo, context)
  const typed = getText(request.body, 'password')
  if (!check || hashes.length === 0 || typed === null) return 'wrong'
  await context.limit('email-undo', undo.key.id, shortLimit)
  await context.limit('email-undo-day', undo.key.id, longLimit)
  const tries = await context.tickets.countTry(undo.key)
  if (tries === null || tries > maxTries) return 'gone'
  for (const hash of hashes)
    if (await check.compare(typed, hash, request)) return withPassword(undo, check.factorType, hash)
  return 'wrong'
}
