import type { Feature, FeatureContext, FeatureParts } from '@postern/core/feature'
import { ticketNeeds } from '../needs.ts'
import { createActivitySection } from './activity/activity.ts'
import { createConnectionsSection } from './connections/connections.ts'
import { createDataSection } from './data/data.ts'
import { deleteIfDue } from './deletion/delete-scheduled.ts'
import { createDeletionSection } from './deletion/deletion.ts'
import { createDeletionGate, deletionErrors } from './deletion/refuse-sign-in.ts'
import { deletionKey, deletionKind, exportDeletion } from './deletion/scheduled-deletion.ts'
import { createDevicesSection } from './devices/devices.ts'
import { DueJobs } from './due-jobs.ts'
import { applyIfDue } from './email/apply-change.ts'
import { createEmailSection } from './email/email.ts'
import { createEmailGate, emailErrors } from './email/refuse-sign-in.ts'
import { exportWaiting, waitingKind } from './email/waiting-change.ts'
import { eventTypes } from './event-types.ts'
import { findOptionProblems } from './find-option-problems.ts'
import { createNotices, noticeMails } from './notices.ts'
import { type AccountPagesOptions, schema } from './options.ts'
import { accountScreen, createOverview } from './overview/overview.ts'
import { createProfileSection } from './profile/profile.ts'
import type { AccountSetup, SectionParts } from './section-parts.ts'
import { texts } from './texts.ts'
import { unavailableScreen } from './unavailable.ts'

declare module '@postern/core/feature' {
  interface FeatureApis {
    readonly account: AccountApi
  }
}

/** `app.postern.features.account` */
export interface AccountApi {
  /**
   * Deletes the users whose scheduled deletion is due. A timer does it every 10 minutes: call it where no process runs all the
   * time. Each user is deleted once, also if several processes call it.
   *
   * @returns The number of deleted users; 0 if the section is hidden.
   * @throws AuthError `StoreUnavailable`. An error about one user is logged, and the deletion is repeated later.
   */
  deleteDue(): Promise<number>
  /**
   * Changes the email addresses of users who have waited for 7 days. A timer does it every 10 minutes: call it where no process
   * runs all the time. Each address is changed once, also if several processes call it.
   *
   * @returns The number of changed addresses; 0 if the section is hidden.
   * @throws AuthError `StoreUnavailable`. An error about one user is logged, and the change is repeated later.
   */
  changeDueEmails(): Promise<number>
}

const id = 'account'

const notListed =
  'the adapter has no listDueTickets: deletions and changes of the email address that are due happen when their user signs in'

/** What is due for users. */
interface Due {
  /** `null` without the section of the deletion. */
  readonly deletions: DueJobs | null
  /** `null` without the section of the address. */
  readonly emails: DueJobs | null
}

const createDue = ({ context, hasDeletion, hasEmail }: AccountSetup): Due => ({
  deletions: hasDeletion
    ? new DueJobs(
        { kind: deletionKind, errorCode: 'SCHEDULED_DELETION_ERROR', run: (userId) => deleteIfDue(userId, context) },
        context
      )
    : null,
  emails: hasEmail
    ? new DueJobs(
        { kind: waitingKind, errorCode: 'EMAIL_CHANGE_ERROR', run: (userId) => applyIfDue(userId, context) },
        context
      )
    : null
})

/** The parts of a feature that does something for users later. */
function createDueParts({ deletions, emails }: Due, context: FeatureContext): FeatureParts {
  const jobs = [deletions, emails].flatMap((due) => due ?? [])
  return {
    interruptions: [...(deletions ? [createDeletionGate(context)] : []), ...(emails ? [createEmailGate(context)] : [])],
    errors: [...(deletions ? deletionErrors : []), ...(emails ? emailErrors : [])],
    start: () => {
      if (jobs.length > 0 && !context.tickets.listDue)
        context.logger.warn('DUE_TICKETS_NOT_LISTED', { message: notListed })
      for (const job of jobs) job.start()
    },
    close: async () => {
      for (const job of jobs) await job.close()
    },
    ...(jobs.length > 0 && {
      exportData: async (userId: string) => ({
        ...(deletions && (await exportDeletion(userId, context))),
        ...(emails && (await exportWaiting(userId, context)))
      })
    })
  }
}

/** The built-in sections. */
const createSections = (setup: AccountSetup): readonly SectionParts[] => [
  createProfileSection(setup),
  createEmailSection(setup),
  createConnectionsSection(setup),
  createDevicesSection(setup),
  createActivitySection(setup),
  createDataSection(setup),
  createDeletionSection(setup)
]

/**
 * The account page at `/account`, where users see and control how they sign in: their profile, the connected accounts,
 * devices, recent activity, their data and the deletion of the account, and the sections of all other features. A client
 * that asks for JSON gets the values of each page instead.
 */
export function accountPages(options: AccountPagesOptions = {}): Feature<AccountApi> {
  const hasEmail = !options.hidden?.includes(`${id}/email`)
  const hasDeletion = !options.hidden?.includes(`${id}/delete`)
  const gracePeriod = options.deletionGracePeriod ?? null
  return {
    id,
    options,
    schema,
    needs: [
      ...(['updateUser', 'deleteUser', 'getAccounts', 'unlinkAccount', 'getSessionRecords'] as const),
      ...(['addEvents', 'listEvents', 'getUserVersion', 'advanceUser'] as const),
      ...(hasEmail || hasDeletion ? ticketNeeds : [])
    ],
    endsSessions: true,
    needsRecentSignIn: true,
    check: ({ accountSections }) => findOptionProblems(options, accountSections),
    setup: (context) => {
      const setup: AccountSetup = { context, gracePeriod, hasDeletion, hasEmail }
      const due = createDue(setup)
      const api: AccountApi = {
        deleteDue: async () => (await due.deletions?.runDue()) ?? 0,
        changeDueEmails: async () => (await due.emails?.runDue()) ?? 0
      }
      const isShown = ({ section }: SectionParts): boolean => !options.hidden?.includes(`${id}/${section.id}`)
      const sections = createSections(setup).filter(isShown)
      return {
        eventTypes,
        texts,
        screens: [accountScreen, unavailableScreen, ...sections.flatMap(({ screens }) => screens)],
        mails: [...noticeMails, ...sections.flatMap(({ mails = [] }) => mails)],
        addressRequests: ['email-change', waitingKind],
        ...(hasDeletion && { lastingTickets: async (userId) => [deletionKey(userId)] }),
        ...createDueParts(due, context),
        accountSections: sections.map(({ section }) => section),
        accountPath: options.path,
        afterEvent: createNotices(context),
        routes: [
          { method: 'GET', path: '/account', run: createOverview(setup, options) },
          ...sections.flatMap(({ routes }) => routes)
        ],
        api
      }
    }
  }
}
