import type { ActionResult, FeatureMail, FeatureRequest, FeatureRoute } from '@postern/core/feature'
import { formLimit } from '../form-limit.ts'
import type { AccountSetup, SectionParts } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { confirmChange, confirmPath, showConfirmation } from './confirm.ts'
import { approveChange, approvePath, cancelChange, cancelPath, decideByLink, showDecision } from './decide.ts'
import { screens } from './screens.ts'
import { path, showEmail, startChange } from './start.ts'
import { linkPath } from './waiting-change.ts'

const mail = (name: string, subject: TextKey, text: TextKey, button: TextKey | null = null): FeatureMail => ({
  name,
  subject,
  text,
  isOptional: true,
  ...(button && { button })
})

const mails: readonly FeatureMail[] = [
  mail('email-confirm', 'mailEmailConfirmSubject', 'mailEmailConfirmText'),
  mail('email-exists', 'mailEmailExistsSubject', 'mailEmailExistsText'),
  mail('email-waiting', 'mailEmailWaitingSubject', 'mailEmailWaitingText', 'mailEmailWaitingButton'),
  mail('email-changed', 'mailEmailChangedSubject', 'mailEmailChangedText'),
  mail('email-confirmed', 'mailEmailConfirmedSubject', 'mailEmailConfirmedText', 'mailButton'),
  mail('email-unchanged', 'mailEmailUnchangedSubject', 'mailEmailUnchangedText')
]

/** The section in which the user changes their email address. */
export function createEmailSection(setup: AccountSetup): SectionParts {
  const post = (
    at: string,
    run: (request: FeatureRequest, setup: AccountSetup) => Promise<ActionResult>
  ): FeatureRoute => ({
    method: 'POST',
    path: at,
    limit: formLimit,
    run: (request) => run(request, setup)
  })
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
    routes: [
      { method: 'GET', path, run: (request) => showEmail(request, setup) },
      { ...post(path, startChange), mailTo: 'email' },
      { method: 'GET', path: confirmPath, run: (request) => showConfirmation(request, setup) },
      post(confirmPath, confirmChange),
      post(approvePath, approveChange),
      post(cancelPath, cancelChange),
      // The owner of the current address opens the link in any browser, and is not asked to sign in there.
      { method: 'GET', path: linkPath, access: 'anyone', run: (request) => showDecision(request, setup) },
      { ...post(linkPath, decideByLink), access: 'anyone' }
    ]
  }
}
