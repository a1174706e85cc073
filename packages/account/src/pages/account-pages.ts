import type { Feature, FeatureContext, FeatureParts } from '@postern/core/feature'
import { registerUndoGuard } from '../undo-guard.ts'
import { createActivitySection } from './activity/activity.ts'
import { createConnectionsSection } from './connections/connections.ts'
import { createDataSection } from './data/data.ts'
import { createDeletionSection } from './deletion/deletion.ts'
import { DueDeletions } from './deletion/due-deletions.ts'
import { createDeletionGate, deletionErrors } from './deletion/refuse-sign-in.ts'
import { exportDeletion } from './deletion/scheduled-deletion.ts'
import { createDevicesSection } from './devices/devices.ts'
import { createUndoGuard } from './email/create-undo-guard.ts'
import { createEmailSection } from './email/email.ts'
import { createUndoParts } from './email/undo-parts.ts'
import { eventTypes } from './event-types.ts'
import { findOptionProblems } from './find-option-problems.ts'
import { createNotices, noticeMails } from './notices.ts'
import { type AccountPagesOptions, schema } from './options.ts'
import { accountScreen, createOverview } from './overview/overview.ts'
import { createProfileSection } from './profile/profile.ts'
import type { SectionDeps, SectionParts } from './section-parts.ts'
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
   * Deletes the users whose grace period has ended. A timer does it every 10 minutes: call it where no process runs all the
   * time. Each user is deleted once, also if several processes call it.
   *
   * @returns The number of deleted users; 0 without the option `deletionGracePeriod`.
   * @throws AuthError `StoreUnavailable`. An error about one user is logged, and the deletion is repeated later.
   */
  deleteDue(): Promise<number>
}

const id = 'account'

const ticketNeeds = ['createTicket', 'readTicket', 'countTry', 'consumeTicket', 'deleteTickets'] as const

/** What changes of the email address need. */
const emailNeeds = [
  ...ticketNeeds,
  ...(['createFactor', 'listFactors', 'updateFactor', 'deleteFactor'] as const)
] as const

/** The parts of a feature that deletes users after a grace period. */
const createGraceParts = (due: DueDeletions, context: FeatureContext): FeatureParts => ({
  interruptions: [createDeletionGate(context)],
  errors: deletionErrors,
  start: () => due.start(),
  close: () => due.close(),
  exportData: (userId) => exportDeletion(userId, context)
})

/** The built-in sections. */
const createSections = (deps: SectionDeps): readonly SectionParts[] => [
  createProfileSection(deps),
  createEmailSection(deps),
  createConnectionsSection(deps),
  createDevicesSection(deps),
  createActivitySection(deps),
  createDataSection(deps),
  createDeletionSection(deps)
]

/**
 * The account page at `/account`, where users see and control how they sign in: their profile, the connected accounts,
 * devices, recent activity, their data and the deletion of the account, and the sections of all other features. A client
 * that asks for JSON gets the values of each page instead.
 */
export function accountPages(options: AccountPagesOptions = {}): Feature<AccountApi> {
  const hasEmail = !options.hidden?.includes(`${id}/email`)
  const gracePeriod = options.hidden?.includes(`${id}/delete`) ? null : (options.deletionGracePeriod ?? null)
  return {
    id,
    options,
    schema,
    needs: [
      ...(['updateUser', 'deleteUser', 'getAccounts', 'unlinkAccount', 'getSessionRecords'] as const),
      ...(['addEvents', 'listEvents'] as const),
      ...(hasEmail ? emailNeeds : gracePeriod === null ? [] : ticketNeeds)
    ],
    endsSessions: true,
    needsRecentSignIn: true,
    check: ({ accountSections }) => findOptionProblems(options, accountSections),
    setup: (context) => {
      const deps: SectionDeps = { context, gracePeriod }
      const due = gracePeriod === null ? null : new DueDeletions(context)
      const api: AccountApi = { deleteDue: async () => (await due?.deleteDue()) ?? 0 }
      const isShown = ({ section }: SectionParts): boolean => !options.hidden?.includes(`${id}/${section.id}`)
      const sections = createSections(deps).filter(isShown)
      return {
        eventTypes,
        texts,
        screens: [accountScreen, unavailableScreen, ...sections.flatMap(({ screens }) => screens)],
        mails: [...noticeMails, ...sections.flatMap(({ mails = [] }) => mails)],
        ...createUndoParts(context),
        ...(due && createGraceParts(due, context)),
        accountSections: sections.map(({ section }) => section),
        accountPath: options.path,
        afterEvent: createNotices(context),
        routes: [
          { method: 'GET', path: '/account', run: createOverview(deps, options) },
          ...sections.flatMap(({ routes }) => routes)
        ],
        api: registerUndoGuard(api, createUndoGuard(context))
      }
    }
  }
}
