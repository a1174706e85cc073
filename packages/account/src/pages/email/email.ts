import { AuthError, type FeatureMail } from '@postern/core/feature'
import { optionalMail } from '../../mail/feature-mail.ts'
import { bindRoutes } from '../../routes.ts'
import { ticketKinds } from '../../ticket-kinds.ts'
import type { AccountSetup, SectionParts } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { applyIfDue } from './apply-change.ts'
import { approveChange, approvePath, cancelChange, cancelPath, decideByLink, showDecision } from './decide.ts'
import { confirmChange, confirmPath, path, showConfirmation, showEmail, startChange } from './new-address.ts'
import { screens } from './screens.ts'
import { exportWaiting, linkPath, waitingKey } from './waiting-change.ts'

const mail = optionalMail<TextKey>

const mails: readonly FeatureMail[] = [
  mail('email-confirm', 'mailEmailConfirmSubject', 'mailEmailConfirmText'),
  mail('email-exists', 'mailEmailExistsSubject', 'mailEmailExistsText'),
  mail('email-waiting', 'mailEmailWaitingSubject', 'mailEmailWaitingText', { button: 'mailEmailWaitingButton' }),
  mail('email-changed', 'mailEmailChangedSubject', 'mailEmailChangedText'),
  mail('email-confirmed', 'mailEmailConfirmedSubject', 'mailEmailConfirmedText', { button: 'mailButton' }),
  mail('email-unchanged', 'mailEmailUnchangedSubject', 'mailEmailUnchangedText')
]

const code = 'EmailChanged'

/** The section in which the user changes their email address. */
export function createEmailSection(setup: AccountSetup): SectionParts {
  const { context } = setup
  const { get, post } = bindRoutes(setup)
  return {
    section: {
      id: 'email',
      order: 150,
      title: 'email',
      path,
      summary: ({ user: { email, emailVerified } }) => {
        if (!email) return { text: 'emailNone' }
        return {
          text: emailVerified ? 'emailVerified' : 'emailUnverified',
          values: { email },
          isWarning: !emailVerified
        }
      }
    },
    screens,
    mails,
    due: {
      job: {
        kind: ticketKinds.emailWaiting.name,
        errorCode: 'EMAIL_CHANGE_ERROR',
        run: (userId) => applyIfDue(userId, context)
      },
      task: {
        getKey: waitingKey,
        // What the sign-in has proven is from before the change, which ends all sessions.
        runIfDue: async (userId) => (await applyIfDue(userId, context)) === 'done',
        createError: (userId) =>
          new AuthError(code, 'the address was changed, as its time had come', { status: 401, userId })
      },
      error: { code, text: 'emailChangedText', screen: 'signin', status: 401 },
      exportData: (userId) => exportWaiting(userId, context)
    },
    routes: [
      get(path, showEmail),
      post(path, startChange, { mailTo: 'email' }),
      get(confirmPath, showConfirmation),
      post(confirmPath, confirmChange),
      post(approvePath, approveChange),
      post(cancelPath, cancelChange),
      // The owner of the current address opens the link in any browser, and is not asked to sign in there.
      get(linkPath, showDecision, { access: 'anyone' }),
      post(linkPath, decideByLink, { access: 'anyone' })
    ]
  }
}
