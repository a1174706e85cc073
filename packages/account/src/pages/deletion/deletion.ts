import {
  type ActionResult,
  type FeatureMail,
  type FeatureRequest,
  type FeatureRoute,
  getText
} from '@postern/core/feature'
import {
  askToAuthenticate,
  getVerifyUrl,
  readCredentialUser,
  readUser,
  type SignedInUser
} from '../../signed-in-user.ts'
import { formLimit } from '../form-limit.ts'
import { getFrame, toPage } from '../frame.ts'
import type { SectionDeps, SectionParts } from '../section-parts.ts'
import { texts as allTexts, type TextKey } from '../texts.ts'
import { showUnavailable } from '../unavailable.ts'
import { cancelDeletion } from './cancel.ts'
import { deleteIfDue } from './delete-if-due.ts'
import { listAddresses, notifyOwner } from './notify-owner.ts'
import { keepPath, deletionPath as path, readPendingDeletion } from './pending-deletion.ts'
import type { DeletedProps, DeletionProps, DeletionScheduledProps } from './props.ts'
import { scheduleDeletion } from './schedule.ts'
import { dayLength } from './scheduled-deletion.ts'
import { screens } from './screens.ts'

/** The deletions that one user may schedule: each of them, and each cancellation, is a mail. */
const scheduleLimit = { points: 10, seconds: 3600 }

interface ShownProblem {
  readonly problem: TextKey
  readonly status: number
}

/** The signed-in user, and the values of `amr` that the session lacks. */
interface LeavingUser extends SignedInUser {
  readonly missing?: readonly string[]
}

/**
 * Reads the user. A deletion at once is final, so that it needs the highest level that the account has; before another one, the
 * owner has time to keep the account.
 */
const readLeavingUser = (request: FeatureRequest, deps: SectionDeps): Promise<LeavingUser | null> =>
  deps.gracePeriod === null ? readCredentialUser(request, deps) : readUser(request, deps)

async function show(
  request: FeatureRequest,
  { user, isFresh, missing = [] }: LeavingUser,
  deps: SectionDeps,
  { problem, status }: ShownProblem | { readonly problem: null; readonly status: 200 } = { problem: null, status: 200 }
): Promise<ActionResult> {
  const { context, gracePeriod } = deps
  const own = `${request.basePath}${path}`
  const { email, emailVerified } = user
  const pending = await readPendingDeletion(request, user.id, deps)
  const verifyUrl = isFresh || pending ? null : getVerifyUrl(request, request.origin + own, { amr: missing })
  const deletedAt = context.now() + (gracePeriod ?? 0) * dayLength
  const props: DeletionProps = {
    ...getFrame(request, context, { problem, verifyUrl }),
    email: context.canSendMail && email && emailVerified ? email : null,
    action: isFresh && !pending ? own : null,
    deleteAt: gracePeriod === null ? null : new Date(deletedAt).toISOString(),
    logUntil: new Date(deletedAt + context.eventMaxAge * 1000).toISOString(),
    pending
  }
  return request.screen('delete', props, { status })
}

async function showDeletion(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const found = await readLeavingUser(request, deps)
  return found ? show(request, found, deps) : showUnavailable(request, deps)
}

/** The word is in the language of the page, which the form does not know. */
const words: ReadonlySet<string> = new Set(Object.values(allTexts).map(({ deletionWord }) => deletionWord))

const getSite = ({ siteName, siteUrl }: FeatureRequest): DeletedProps => ({ siteName, siteUrl })

/** Deletes the signed-in user, at once or after the grace period. */
async function deleteAccount(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const found = await readLeavingUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  if (!found.isFresh) return askToAuthenticate(request, path, { amr: found.missing ?? [] })
  const typed = (getText(request.body, 'confirmation') ?? '').trim().toUpperCase()
  if (!words.has(typed)) return show(request, found, deps, { problem: 'deletionWrong', status: 400 })
  return deps.gracePeriod === null
    ? deleteNow(request, found, deps)
    : deleteLater(request, found, deps.gracePeriod, deps)
}

async function deleteNow(
  request: FeatureRequest,
  { user }: SignedInUser,
  { context }: SectionDeps
): Promise<ActionResult> {
  // The session may have been ended by another process, which this one has not read yet.
  await request.confirmUser()
  const addresses = await listAddresses(user, context)
  await context.postern.deleteUser(user.id, { request })
  notifyOwner(addresses, { mail: 'deleted', user, request }, context)
  return request.screen('deleted', getSite(request))
}

async function deleteLater(
  request: FeatureRequest,
  found: SignedInUser,
  days: number,
  deps: SectionDeps
): Promise<ActionResult> {
  const { context } = deps
  // One session cannot use it up: each deletion ends all sessions.
  await context.limit('deletion', found.user.id, scheduleLimit)
  const deletion = await scheduleDeletion(request, found.user, days, context)
  if (deletion === 'busy') return show(request, found, deps, { problem: 'deletionBusy', status: 409 })
  await context.endSessions(found.user.id)
  const deleteAt = new Date(deletion.deleteAt).toISOString()
  const props: DeletionScheduledProps = { ...getSite(request), deleteAt }
  return request.screen('deletion-scheduled', props)
}

/**
 * Keeps the account. Any session may do it: those from before the deletion was scheduled have ended, and nobody loses
 * anything by it.
 */
async function keepAccount(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const { context } = deps
  const found = await readUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  const outcome = await cancelDeletion(request, found.user.id, context)
  if (outcome === 'cancelled') return toPage(request, path, 'deletionCancelled')
  const isBusy = outcome === 'busy' || (await deleteIfDue(found.user.id, context)) === 'busy'
  if (isBusy) return show(request, found, deps, { problem: 'deletionBusy', status: 409 })
  return request.screen('deleted', getSite(request))
}

const mails: readonly FeatureMail[] = [
  { name: 'deleted', subject: 'mailDeletedSubject', text: 'mailDeletedText', isOptional: true },
  {
    ...{ name: 'deletion-scheduled', subject: 'mailDeletionScheduledSubject', text: 'mailDeletionScheduledText' },
    ...{ button: 'mailButton', isOptional: true }
  },
  {
    ...{ name: 'deletion-cancelled', subject: 'mailDeletionCancelledSubject', text: 'mailDeletionCancelledText' },
    ...{ button: 'mailButton', isOptional: true }
  }
]

/** The section in which the user deletes their account. */
export function createDeletionSection(deps: SectionDeps): SectionParts {
  const isLater = deps.gracePeriod !== null
  const keep: FeatureRoute = {
    ...{ method: 'POST', path: keepPath, limit: formLimit, run: (request) => keepAccount(request, deps) }
  }
  return {
    section: {
      ...{ id: 'delete', order: 900, title: 'deletion', path, isDestructive: true },
      summary: () => ({ text: 'deletionSummary' })
    },
    screens,
    routes: [
      { method: 'GET', path, run: (request) => showDeletion(request, deps) },
      { method: 'POST', path, limit: formLimit, run: (request) => deleteAccount(request, deps) },
      ...(isLater ? [keep] : [])
    ],
    mails
  }
}
