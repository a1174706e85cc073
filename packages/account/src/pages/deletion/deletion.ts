import {
  type ActionResult,
  AuthError,
  type FeatureMail,
  type FeatureRequest,
  getText,
  redirect
} from '@postern/core/feature'
import { optionalMail } from '../../mail/feature-mail.ts'
import { bindRoutes } from '../../routes.ts'
import { askToAuthenticate, readUser, type SignedInUser } from '../../signed-in-user.ts'
import { languages } from '../../texts-by-language.ts'
import { ticketKinds } from '../../ticket-kinds.ts'
import { changeInSession } from '../change-access.ts'
import { showUnavailable } from '../end.ts'
import { toPage } from '../frame.ts'
import type { AccountSetup, SectionParts } from '../section-parts.ts'
import { texts as allTexts, type TextKey } from '../texts.ts'
import { cancelDeletion } from './cancel.ts'
import { approveDeletion, decideByLink, showDecision } from './decide.ts'
import { deleteIfDue } from './delete-scheduled.ts'
import { listAddresses, notifyOwner } from './notify-owner.ts'
import type { DeletionScheduledProps } from './props.ts'
import { scheduleDeletion } from './schedule.ts'
import { deletionKey, exportDeletion, isDue, readScheduledDeletion } from './scheduled-deletion.ts'
import { getSite, screens, showDeleted } from './screens.ts'
import {
  approvePath,
  getDays,
  isConfirmable,
  keepPath,
  linkPath,
  deletionPath as path,
  readLeavingUser,
  showDeletion,
  showFor
} from './show-deletion.ts'

/** The deletions that one user may schedule: each of them, and each cancellation, is a mail. */
const scheduleLimit = { points: 10, seconds: 3600 }

/** The word is in the language of the page, which the form does not know. Languages are loaded until one has the word. */
const isWord = (word: string): boolean => languages.some((language) => allTexts[language].deletionWord === word)

/** Deletes the signed-in user at once, after the grace period, or once the owner of the address confirms it. */
async function deleteAccount(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const found = await readLeavingUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  if (!found.isFresh) return askToAuthenticate(request, path, { amr: found.missing })
  const typed = (getText(request.body, 'confirmation') ?? '').trim().toUpperCase()
  if (!isWord(typed)) return showFor(request, found, setup, { problem: 'deletionWrong', status: 400 })
  const days = getDays(setup, found.user)
  return days === null ? deleteNow(request, found, setup) : deleteLater(request, found, days, setup)
}

async function deleteNow(
  request: FeatureRequest,
  { user }: SignedInUser,
  { context }: AccountSetup
): Promise<ActionResult> {
  await context.postern.deleteUser(user.id, { request, session: await request.getSession({ isLimited: false }) })
  notifyOwner(listAddresses(user), { mail: 'deleted', user, request }, context)
  return showDeleted(request)
}

async function deleteLater(
  request: FeatureRequest,
  found: SignedInUser,
  days: number,
  setup: AccountSetup
): Promise<ActionResult> {
  const { context } = setup
  const canConfirm = isConfirmable(setup)
  // Without a grace period, no session ends: another one must not use up the deletions of the owner.
  const { id: userId } = found.user
  if (canConfirm) await context.limitUser('deletion', { userId, device: await request.getKnownDevice() }, scheduleLimit)
  else await context.limit('deletion', userId, scheduleLimit)
  const deletion = await scheduleDeletion(request, found.user, { days, isConfirmable: canConfirm }, context)
  // The session shows how the owner deletes the account now.
  if (canConfirm) return redirect(`${request.origin}${request.basePath}${path}`)
  const deleteAt = new Date(deletion.deleteAt).toISOString()
  const props: DeletionScheduledProps = { ...getSite(request), deleteAt }
  return request.screen('deletion-scheduled', props)
}

/** Keeps the account. Any session may do it: nobody loses anything by it. */
async function keepAccount(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { context } = setup
  const found = await readUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  const outcome = await cancelDeletion(request, found.user.id, changeInSession(request), context)
  // The deletion that does not wait any more may have happened meanwhile.
  const isKept = outcome === 'cancelled' && (await context.users.getUser(found.user.id)) !== null
  if (isKept) return toPage(request, path, 'deletionCancelled')
  await deleteIfDue(found.user.id, context)
  return showDeleted(request)
}

const mail = optionalMail<TextKey>
const button = 'mailButton'

const mails: readonly FeatureMail[] = [
  mail('deleted', 'mailDeletedSubject', 'mailDeletedText'),
  mail('deletion-scheduled', 'mailDeletionScheduledSubject', 'mailDeletionScheduledText', { button }),
  mail('deletion-waiting', 'mailDeletionScheduledSubject', 'mailDeletionWaitingText', {
    button: 'mailEmailWaitingButton'
  }),
  mail('deletion-cancelled', 'mailDeletionCancelledSubject', 'mailDeletionCancelledText', { button })
]

const code = 'AccountDeleted'

/** The section in which the user deletes their account. */
export function createDeletionSection(setup: AccountSetup): SectionParts {
  const { context } = setup
  const { get, post } = bindRoutes(setup)
  // A grace period is not shortened.
  const decisions = [
    post(approvePath, approveDeletion),
    // The owner of the address opens the link in any browser, and is not asked to sign in there.
    get(linkPath, showDecision, { access: 'anyone' }),
    post(linkPath, decideByLink, { access: 'anyone' })
  ]
  return {
    section: {
      id: 'delete',
      order: 900,
      title: 'deletion',
      path,
      isDestructive: true,
      summary: () => ({ text: 'deletionSummary' })
    },
    screens,
    routes: [
      get(path, showDeletion),
      post(path, deleteAccount),
      post(keepPath, keepAccount),
      ...(setup.gracePeriod === null ? decisions : [])
    ],
    mails,
    due: {
      job: {
        kind: ticketKinds.deletion.name,
        errorCode: 'SCHEDULED_DELETION_ERROR',
        run: (userId) => deleteIfDue(userId, context)
      },
      task: {
        getKey: deletionKey,
        // A sign-in must not restore an account whose deletion has not run yet.
        runIfDue: async (userId) => {
          const deletion = await readScheduledDeletion(userId, context)
          if (!deletion || !isDue(deletion, context)) return false
          await deleteIfDue(userId, context)
          return true
        },
        createError: (userId) =>
          new AuthError(code, 'the grace period of the deletion of the account has ended', { status: 403, userId })
      },
      error: { code, text: 'deletionEnded' },
      exportData: (userId) => exportDeletion(userId, context)
    }
  }
}
