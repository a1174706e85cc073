import {
  type ActionResult,
  type AdapterUser,
  type FeatureContext,
  type FeatureRequest,
  type FeatureWrite,
  getText,
  isSameEmailAddress
} from '@postern/core/feature'
import { isUnconfirmedPasskey } from '../../passkey/stored-passkey.ts'
import { getFrame, toPage } from '../frame.ts'
import { notifyUser } from '../notify-user.ts'
import type { SectionDeps } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { showUnavailable } from '../unavailable.ts'
import { type EmailUser, readEmailUser } from './email-user.ts'
import { withLocks } from './locks.ts'
import {
  type ChangeProof,
  checkCode,
  isToken,
  markConfirmed,
  type PendingChange,
  readPending,
  wasConfirmed
} from './pending-change.ts'
import type { ConfirmEmailProps } from './props.ts'
import { readDelay } from './removal-delay.ts'
import { findPasswords } from './replaced-passwords.ts'
import { isTaken, readReservation } from './reserved-email.ts'
import { showLink } from './screens.ts'
import { path, refuseChange, showEmail } from './start.ts'
import { canBeProven, collectProofs, inheritProofs } from './undo-proof.ts'
import { createUndo, discardUndo, listUndos, type NewUndo, toKept, type UndoState } from './undo-ticket.ts'

export const confirmPath: string = `${path}/confirm`

interface ShownConfirmation {
  readonly token: string | null
  readonly problem?: TextKey
  readonly status?: number
}

function show(
  request: FeatureRequest,
  { email }: PendingChange,
  { token, problem, status = 200 }: ShownConfirmation,
  { context }: SectionDeps
): Promise<ActionResult> {
  const props: ConfirmEmailProps = {
    ...getFrame(request, context, { problem: problem ?? null }),
    ...{ email, token },
    action: `${request.basePath}${confirmPath}`,
    changeUrl: `${request.basePath}${path}`
  }
  return request.screen('email-confirm', props, { status })
}

/** Shows the form of a link, or of the code. It changes nothing, as mail scanners open links. */
export async function showConfirmation(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const pending = await readPending(request, deps.context)
  const token = getText(request.query, 'token')
  const isOwn = pending && (token === null || (await isToken(token, pending, deps.context)))
  return isOwn ? show(request, pending, { token }, deps) : showEnded(request, 'elsewhere', { token, code: '' }, deps)
}

/** Says that a change was confirmed already, or why nothing confirms it. */
async function showEnded(
  request: FeatureRequest,
  reason: 'elsewhere' | 'gone',
  proof: ChangeProof,
  deps: SectionDeps
): Promise<ActionResult> {
  const isDone = await wasConfirmed(request, proof, deps.context)
  return isDone ? toPage(request, path, 'emailConfirmed') : showLink(request, reason, deps)
}

/** What happened to a change. */
type Outcome = 'changed' | 'gone' | 'taken' | 'busy' | 'delayed'

/** Confirms the new address with the link or the code, in the session that has asked for it. */
export async function confirmChange(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const { context } = deps
  const pending = await readPending(request, context)
  const token = getText(request.body, 'token')
  const proof = { token, code: getText(request.body, 'code') ?? '' }
  if (!pending) return showEnded(request, 'elsewhere', proof, deps)
  const checked = token === null ? await checkCode(proof.code, pending, context) : null
  if (checked === 'gone') return showEnded(request, 'gone', proof, deps)
  if (checked === 'wrong') return show(request, pending, { token, problem: 'emailCodeWrong', status: 400 }, deps)
  if (token !== null && !(await isToken(token, pending, context))) return showEnded(request, 'elsewhere', proof, deps)
  const found = await readEmailUser(request, context)
  if (!found) return showUnavailable(request, deps)
  if (found.missing.length > 0 || found.delayedUntil !== null) return refuseChange(request, found, deps)
  const { email, ticket } = pending
  const outcome = await withLocks(
    { userId: ticket.userId ?? '', email },
    (release) => applyChange(request, { pending, proof, found, release }, deps),
    context
  )
  if (outcome === 'changed') return toPage(request, path, pending.wasVerified ? 'emailChanged' : 'emailConfirmed')
  if (outcome === 'busy') return show(request, pending, { token, problem: 'emailBusy', status: 409 }, deps)
  if (outcome === 'delayed') return showEmail(request, deps)
  return outcome === 'gone' ? showEnded(request, outcome, proof, deps) : showLink(request, outcome, deps)
}

interface LockedChange {
  readonly pending: PendingChange
  readonly proof: ChangeProof
  readonly found: EmailUser
  readonly release: readonly FeatureWrite[]
}

/** What an undo restores. @returns `null` if none is offered. */
async function readUndoState(
  user: AdapterUser,
  { email, claimMark }: PendingChange & { readonly claimMark: string },
  { hasSecondFactor }: EmailUser,
  context: FeatureContext
): Promise<UndoState | null> {
  if (!user.email || !user.emailVerified || hasSecondFactor) return null
  // Another application may have given the user an address that was reserved.
  const reservation = await readReservation(user.email, context)
  if (reservation && reservation.userId !== user.id) return null
  const [linked, current] = await Promise.all([context.postern.accounts.list(user.id), context.factors.list(user.id)])
  const accounts = linked.map(({ provider, providerAccountId }) => [provider, providerAccountId] as const)
  const factors = current.filter((factor) => !isUnconfirmedPasskey(factor)).map(toKept)
  const [earliest] = await listUndos(user.id, context)
  // After the factors: a password is recorded before it is replaced.
  const passwords = await findPasswords(user.id, current, context)
  const proofs = earliest
    ? inheritProofs(earliest)
    : await collectProofs({ userId: user.id, accounts, factors, ...passwords }, context)
  if (!canBeProven(proofs)) return null
  const change = { userId: user.id, claimMark, from: user.email, to: email, changedAt: context.now() }
  return { ...change, accounts, factors, ...proofs }
}

/** Changes the address, if nothing else has changed. The locks are held. */
async function applyChange(
  request: FeatureRequest,
  { pending, proof, found, release }: LockedChange,
  { context }: SectionDeps
): Promise<Outcome> {
  const { email, from, wasVerified, ticket } = pending
  // Before the session is checked: a claim ends it first.
  const claimMark = await context.readClaimMark(found.user.id)
  const user = await context.users.getUser(found.user.id)
  if (!user || user.email !== from || Boolean(user.emailVerified) !== wasVerified) return 'gone'
  if (await isTaken(email, user.id, context)) return 'taken'
  const isSame = isSameEmailAddress(user.email, email)
  const state = isSame ? null : await readUndoState(user, { ...pending, claimMark }, found, context)
  // After the state: a new password is recorded before it is written. Removals have the same lock, and may have completed.
  if (!found.hasSecondFactor && (await readDelay(request, user, context)) !== null) return 'delayed'
  const undo = state && (await createUndo(state, context))
  // All sessions may have been ended meanwhile, by an undo for example.
  await request.reissueSession()
  const { sessionId } = (await request.getAuthentication()) ?? {}
  const time = new Date(context.now())
  const event = context.createEvent(isSame ? 'email-verified' : 'email-changed', {
    userId: user.id,
    request,
    sessionId
  })
  const isChanged = await context.commit([
    // Suspending the user deletes it.
    { method: 'consumeTicket', args: [ticket] },
    ...(undo?.writes ?? []),
    { method: 'updateUser', args: [{ id: user.id, email, emailVerified: time }] },
    { method: 'deleteRequests', args: [user.id] },
    { method: 'addEvents', args: [[event]] },
    await markConfirmed(pending, proof, context),
    ...release
  ])
  if (!isChanged) {
    const current = await context.users.getUser(user.id)
    if (undo && state && current?.email === from) await discardUndo(undo, state, context)
    return (await isTaken(email, user.id, context)) ? 'taken' : 'gone'
  }
  if (!isSame) notify({ user, email, time, undo }, request, context)
  return 'changed'
}

/** Notifies both addresses. */
function notify(
  {
    user,
    email,
    time,
    undo
  }: {
    readonly user: AdapterUser
    readonly email: string
    readonly time: Date
    readonly undo: NewUndo | null
  },
  request: FeatureRequest,
  context: FeatureContext
): void {
  const facts = { time, user, request }
  if (undo) notifyUser('email-changed', user, { ...facts, path: `${path}/undo?token=${undo.token}` }, context)
  else notifyUser('email-moved', user, facts, context)
  notifyUser('email-confirmed', { email, emailVerified: time }, { ...facts, path: '/account' }, context)
}
