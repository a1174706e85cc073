import type { Feature, FeatureContext, FeatureParts } from '@postern/core/feature'
import { accessNeeds, ticketNeeds } from '../needs.ts'
import { listKindsThatEndWith, listLastingKinds, ticketKinds } from '../ticket-kinds.ts'
import { createActivitySection } from './activity/activity.ts'
import { createConnectionsSection } from './connections/connections.ts'
import { createDataSection } from './data/data.ts'
import { createDeletionSection } from './deletion/deletion.ts'
import { createDevicesSection } from './devices/devices.ts'
import { createDueGate } from './due-gate.ts'
import { DueJobs } from './due-jobs.ts'
import { createEmailSection } from './email/email.ts'
import { unavailableScreen } from './end.ts'
import { eventTypes } from './event-types.ts'
import { findOptionProblems } from './find-option-problems.ts'
import { createNotices, noticeMails } from './notices.ts'
import { type AccountPagesOptions, schema } from './options.ts'
import { accountScreen, createOverview } from './overview/overview.ts'
import { createProfileSection } from './profile/profile.ts'
import type { AccountSetup, SectionParts } from './section-parts.ts'
import { texts } from './texts.ts'
import { toUserKey } from './user-key.ts'

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

/** The parts of a feature that does something for users later. */
function createDueParts(
  due: readonly NonNullable<SectionParts['due']>[],
  jobs: ReadonlyMap<string, DueJobs>,
  context: FeatureContext
): FeatureParts {
  const tasks = due.map(({ task }) => task)
  return {
    interruptions: tasks.length > 0 ? [createDueGate(tasks, context)] : [],
    errors: due.map(({ error }) => error),
    start: () => {
      if (jobs.size > 0 && !context.tickets.listDue)
        context.logger.warn('DUE_TICKETS_NOT_LISTED', { message: notListed })
      for (const job of jobs.values()) job.start()
    },
    close: async () => {
      for (const job of jobs.values()) await job.close()
    },
    ...(due.length > 0 && {
      exportData: async (userId: string) =>
        Object.assign({}, ...(await Promise.all(due.map(({ exportData }) => exportData(userId)))))
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

/** The methods that the pages call, whatever is hidden. */
const pageNeeds = [
  'updateUser',
  'deleteUser',
  'getAccounts',
  'unlinkAccount',
  'getSessionRecords',
  'listEvents'
] as const

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
    needs: [...pageNeeds, ...accessNeeds, ...(hasEmail || hasDeletion ? ticketNeeds : [])],
    endsSessions: true,
    needsRecentSignIn: true,
    check: ({ accountSections }) => findOptionProblems(options, accountSections),
    setup: (context) => {
      const setup: AccountSetup = { context, gracePeriod, hasDeletion, hasEmail }
      const isShown = ({ section }: SectionParts): boolean => !options.hidden?.includes(`${id}/${section.id}`)
      const sections = createSections(setup).filter(isShown)
      const due = sections.flatMap((section) => section.due ?? [])
      const jobs = new Map(due.map(({ job }) => [job.kind, new DueJobs(job, context)]))
      const api: AccountApi = {
        deleteDue: async () => (await jobs.get(ticketKinds.deletion.name)?.runDue()) ?? 0,
        changeDueEmails: async () => (await jobs.get(ticketKinds.emailWaiting.name)?.runDue()) ?? 0
      }
      return {
        eventTypes,
        texts,
        screens: [accountScreen, unavailableScreen, ...sections.flatMap(({ screens }) => screens)],
        mails: [...noticeMails, ...sections.flatMap(({ mails = [] }) => mails)],
        addressRequests: listKindsThatEndWith('address', id),
        ...(hasDeletion && {
          lastingTickets: async (userId) => listLastingKinds(id).map((kind) => toUserKey(kind, userId))
        }),
        ...createDueParts(due, jobs, context),
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
