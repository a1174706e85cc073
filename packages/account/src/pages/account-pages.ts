import type { Feature } from '@postern/core/feature'
import { registerUndoGuard } from '../undo-guard.ts'
import { createActivitySection } from './activity/activity.ts'
import { createConnectionsSection } from './connections/connections.ts'
import { createDataSection } from './data/data.ts'
import { createDeletionSection } from './deletion/deletion.ts'
import { createDevicesSection } from './devices/devices.ts'
import { createEmailSection } from './email/email.ts'
import { createUndoGuard } from './email/undo-guard.ts'
import { eventTypes } from './event-types.ts'
import { createNotices, noticeMails } from './notices.ts'
import { type AccountPagesOptions, schema } from './options.ts'
import { accountScreen, createOverview } from './overview/overview.ts'
import { createProfileSection } from './profile/profile.ts'
import type { SectionDeps, SectionParts } from './section-parts.ts'
import { texts } from './texts.ts'
import { unavailableScreen } from './unavailable.ts'

const id = 'account'

/** What changes of the email address need. */
const emailNeeds = [
  ...(['createTicket', 'readTicket', 'countTry', 'consumeTicket', 'deleteTickets'] as const),
  ...(['createFactor', 'listFactors', 'updateFactor', 'deleteFactor'] as const)
] as const

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
export function accountPages(options: AccountPagesOptions = {}): Feature {
  const hasEmail = !options.hidden?.includes(`${id}/email`)
  return {
    id,
    options,
    schema,
    needs: [
      ...(['updateUser', 'deleteUser', 'getAccounts', 'unlinkAccount', 'getSessionRecords'] as const),
      ...(['addEvents', 'listEvents'] as const),
      ...(hasEmail ? emailNeeds : [])
    ],
    endsSessions: true,
    setup: (context) => {
      const deps: SectionDeps = { context }
      const isShown = ({ section }: SectionParts): boolean => !options.hidden?.includes(`${id}/${section.id}`)
      const sections = createSections(deps).filter(isShown)
      return {
        eventTypes,
        texts,
        screens: [accountScreen, unavailableScreen, ...sections.flatMap(({ screens }) => screens)],
        mails: [...noticeMails, ...sections.flatMap(({ mails = [] }) => mails)],
        ...Object.assign({}, ...sections.map(({ parts }) => parts)),
        accountSections: sections.map(({ section }) => section),
        afterEvent: createNotices(context),
        routes: [
          { method: 'GET', path: '/account', run: createOverview(deps, options) },
          ...sections.flatMap(({ routes }) => routes)
        ],
        api: hasEmail ? registerUndoGuard({}, createUndoGuard(context)) : {}
      }
    }
  }
}
