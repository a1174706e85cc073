import { type Account, type Factor, type FeatureContext, type FeatureRequest, getText } from '@postern/core/feature'
import { getPasskeyId, factorType as passkeyType } from '../../passkey/stored-passkey.ts'
import { findPasswordCheck } from '../../password-check.ts'
import { readUser } from '../../signed-in-user.ts'
import { wasRemovedSince } from './removal-delay.ts'
import { listUndos, type StoredUndo, type UndoState } from './undo-ticket.ts'

/** The passwords that may be typed on the page of one link. */
const maxTries = 20

/** After five wrong passwords, the next ones take longer. */
const shortLimit = { points: 5, seconds: 900 }
const longLimit = { points: 10, seconds: 86_400 }

/** Whether a factor of the user is the one from before the change. */
export function isUnchanged(current: Factor, { factors }: Pick<UndoState, 'factors'>): boolean {
  const createdAt = current.createdAt.toISOString()
  return factors.some(
    ({ type, id, createdAt: time }) => type === current.type && id === current.id && time === createdAt
  )
}

/** What a user may have authenticated with at a provider. */
interface ProviderProofs {
  readonly hasFactors: boolean
  /** Whether the user had all of it before the change, and has something. */
  readonly areKnown: boolean
}

/** The providers of the accounts that Auth.js links with passkeys. */
const authJsProviders: readonly string[] = [passkeyType, 'webauthn']

/** Whether a user authenticates with an account at a provider. */
const isOf = (account: Pick<Account, 'provider'>, provider: string): boolean =>
  account.provider === provider || (provider === passkeyType && authJsProviders.includes(account.provider))

/** Whether a passkey is one of Auth.js, which is an account. Its id is that of the credential in base64. */
export async function isAuthJsPasskey(passkeyId: string, { accounts }: Pick<UndoState, 'accounts'>): Promise<boolean> {
  for (const [provider, id] of accounts) {
    const credentialId = Buffer.from(id, 'base64').toString('base64url')
    if (authJsProviders.includes(provider) && (await getPasskeyId(credentialId)) === passkeyId) return true
  }
  return false
}

/** Reads the accounts and factors of a provider. */
export async function readProviderProofs(
  provider: string,
  undo: Pick<UndoState, 'accounts' | 'factors' | 'userId'>,
  context: FeatureContext
): Promise<ProviderProofs> {
  const factors = (await context.factors.list(undo.userId)).filter(({ type }) => type === provider)
  const accounts = (await context.postern.accounts.list(undo.userId)).filter((account) => isOf(account, provider))
  const areKnown =
    accounts.length + factors.length > 0 &&
    accounts.every((account) =>
      undo.accounts.some(([known, id]) => known === account.provider && id === account.providerAccountId)
    ) &&
    factors.every((factor) => isUnchanged(factor, undo))
  return { hasFactors: factors.length > 0, areKnown }
}

/** What the session of the browser proves. `stale`: it proves enough, but the user has to authenticate again. */
export type SessionProof = 'none' | 'stale' | 'proven'

/**
 * Whether the user is signed in with what they had before the change: an account of the provider, or a passkey. A session
 * does not say which account or passkey it is, so one that was added since, of the same provider, spoils the proof.
 */
export async function readSessionProof(
  request: FeatureRequest,
  undo: StoredUndo,
  context: FeatureContext
): Promise<SessionProof> {
  if ((await request.getUser())?.userId !== undo.userId) return 'none'
  const provider = (await request.getAuthentication())?.provider?.id
  const found = await readUser(request, { context })
  if (provider === undefined || !found) return 'none'
  const passwordType = findPasswordCheck(context)?.factorType
  // Someone who undoes a later change may be the thief, who has added something since an earlier one.
  const earlier = (await listUndos(undo.userId, context)).filter(({ changedAt }) => changedAt < undo.changedAt)
  const proofs = await Promise.all([...earlier, undo].map((change) => readProviderProofs(provider, change, context)))
  // A password may have been replaced: it is typed.
  if (provider === passwordType || !proofs.every(({ areKnown }) => areKnown)) return 'none'
  // A session does not end with the passkey that it was authenticated with: it may have been one that was added since.
  const isOfRemoved =
    proofs.some(({ hasFactors }) => hasFactors) && (await wasRemovedSince(request, undo.userId, context))
  return found.isFresh && !isOfRemoved ? 'proven' : 'stale'
}

/**
 * The hashes of the password at the change, and of the one that was replaced in the 7 days before: a thief may have replaced
 * that of the owner. Empty if the application has no passwords.
 */
export function getOldPasswords({ factors, earlierPassword }: StoredUndo, context: FeatureContext): readonly string[] {
  const check = findPasswordCheck(context)
  if (!check) return []
  const atChange = factors.filter(({ type }) => type === check.factorType).map(({ data }) => data)
  return earlierPassword ? [...atChange, earlierPassword] : atChange
}

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
