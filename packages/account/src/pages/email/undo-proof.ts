import { type Factor, type FeatureContext, type FeatureRequest, getText } from '@postern/core/feature'
import { getPasskeyId, factorType as passkeyType } from '../../passkey/stored-passkey.ts'
import { findPasswordCheck } from '../../password-check.ts'
import { isRecent, readUser } from '../../signed-in-user.ts'
import { filterOldAccounts } from './recent-links.ts'
import { readSignInClaims, type SignInProof } from './sign-in-claims.ts'
import { isOlderThanUndoPeriod } from './undo-period.ts'
import {
  isSignInAfterChange,
  type KeptFactor,
  listUndoIds,
  type StoredUndo,
  type UndoProofs,
  type UndoState
} from './undo-ticket.ts'

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

/** What a user has at a change of the address. */
interface UserState extends Pick<UndoState, 'accounts' | 'factors'> {
  readonly userId: string
  /** The hash of the password that was replaced in the 7 days before. */
  readonly replacedPassword: string | null
  /** The hash of the password that was in use for 7 days, or since the user signed up. */
  readonly oldPassword: string | null
}

const isNotEmpty = ({ accounts, factors, passwords }: UndoProofs): boolean =>
  accounts.length + factors.length + passwords.length > 0

const toList = <T>(value: T | null): readonly T[] => (value === null ? [] : [value])

/** What proves an undo, and what proves the undo of a later change. */
type ProofSets = Pick<UndoState, 'oldProofs' | 'proofs'>

/**
 * Finds what proves the undo of a change. A thief may have added an account, a passkey or a password just before: a user who has an
 * account or a passkey that is older than 7 days proves it with what is old. Otherwise, every proof counts: these users could never undo a
 * change.
 */
export async function collectProofs(
  { userId, accounts, factors, replacedPassword, oldPassword }: UserState,
  context: FeatureContext
): Promise<ProofSets> {
  const passwordType = findPasswordCheck(context)?.factorType
  const passwords = factors.filter(({ type }) => type === passwordType).map(({ data }) => data)
  const proofs: UndoProofs = {
    accounts: accounts.filter(([provider]) => isProvable(provider, context)),
    factors: factors
      .filter(({ type }) => type !== passwordType && isProvable(type, context))
      .map(({ type, id, createdAt }) => ({ type, id, createdAt })),
    passwords: [...passwords, ...toList(replacedPassword)]
  }
  const oldProofs: UndoProofs = {
    accounts: await filterOldAccounts(userId, proofs.accounts, context),
    factors: proofs.factors.filter(({ createdAt }) => isOlderThanUndoPeriod(new Date(createdAt), context)),
    passwords: toList(oldPassword)
  }
  return { proofs: oldProofs.accounts.length + oldProofs.factors.length > 0 ? oldProofs : proofs, oldProofs }
}

/**
 * The proofs of a later change, while an earlier one can be undone: what was old at the first one. Someone who has made that change
 * may have added the rest before, and get the link when the owner changes the address back.
 */
export const inheritProofs = ({ oldProofs }: StoredUndo): ProofSets => ({ proofs: oldProofs, oldProofs })

/** Whether anything proves an undo: the mailbox alone may be in the hands of a thief. */
export const canBeProven = ({ proofs }: ProofSets): boolean => isNotEmpty(proofs)

/** Whether a passkey is one of Auth.js, which is an account. Its id is that of the credential in base64. */
async function isAuthJsPasskey(passkeyId: string, { accounts }: Pick<UndoProofs, 'accounts'>): Promise<boolean> {
  for (const [provider, id] of accounts) {
    const credentialId = Buffer.from(id, 'base64').toString('base64url')
    if (authJsProviders.includes(provider) && (await getPasskeyId(credentialId)) === passkeyId) return true
  }
  return false
}

/** Whether a sign-in used an account or a passkey that proves an undo. Another passkey may have the same id. */
export async function isProvenBy(
  { provider, providerAccountId, addedAt }: SignInProof,
  { proofs }: Pick<UndoState, 'proofs'>
): Promise<boolean> {
  const { accounts, factors } = proofs
  if (addedAt !== null)
    return factors.some(
      (known) => known.type === provider && known.id === providerAccountId && known.createdAt === addedAt
    )
  if (accounts.some(([known, id]) => known === provider && id === providerAccountId)) return true
  return provider === passkeyType && (await isAuthJsPasskey(providerAccountId, proofs))
}

/** What the session proves: `stale` and `before` may prove enough once the user has signed in again. */
export type SessionProof = 'none' | 'before' | 'stale' | 'proven'

/** Whether the session began recently: many providers do not state when they authenticated the user. */
const hasJustBegun = async (request: FeatureRequest, context: FeatureContext): Promise<boolean> =>
  isRecent((await request.requireUser()).signedInAt, { context })

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
  const isAfter = claims !== null && isSignInAfterChange(claims.undoId, undo.key.id, ids)
  if (isAfter && !(await isProvenBy(claims, undo))) return 'none'
  if (isAfter) return found.isFresh || (await hasJustBegun(request, context)) ? 'proven' : 'stale'
  // A session from before the change may have been stolen: the owner authenticates again.
  const provider = (await request.getAuthentication())?.provider?.id ?? ''
  return canProveWith(provider, undo) ? 'before' : 'none'
}

/** Whether a user may prove an undo with a sign-in at a provider. A password may have been replaced: it is typed. */
function canProveWith(provider: string, { proofs: { accounts, factors } }: StoredUndo): boolean {
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
