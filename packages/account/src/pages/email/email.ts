import type { FeatureMail, FeatureRoute } from '@postern/core/feature'
import { formLimit } from '../form-limit.ts'
import type { SectionDeps, SectionParts } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { confirmChange, confirmPath, showConfirmation } from './confirm.ts'
import { screens } from './screens.ts'
import { path, showEmail, startChange } from './start.ts'
import { showUndo, undoChange, undoPath } from './undo.ts'

const mail = (name: string, subject: TextKey, text: TextKey, button: TextKey | null = null): FeatureMail => ({
  ...{ name, subject, text, isOptional: true },
  ...(button && { button })
})

const mails: readonly FeatureMail[] = [
  mail('email-confirm', 'mailEmailConfirmSubject', 'mailEmailConfirmText', 'emailConfirmSubmit'),
  mail('email-exists', 'mailEmailExistsSubject', 'mailEmailExistsText'),
  mail('email-changed', 'mailEmailChangedSubject', 'mailEmailChangedText', 'mailEmailUndoButton'),
  mail('email-moved', 'mailEmailChangedSubject', 'mailEmailMovedText'),
  mail('email-confirmed', 'mailEmailConfirmedSubject', 'mailEmailConfirmedText', 'mailButton'),
  mail('email-undone', 'mailEmailUndoneSubject', 'mailEmailUndoneText')
]

/** The section in which the user changes their email address. */
export function createEmailSection(deps: SectionDeps): SectionParts {
  const get = (at: string, run: FeatureRoute['run']): FeatureRoute => ({
    ...{ method: 'GET', path: at, access: 'anyone', isReturnPage: true, run }
  })
  const post = (at: string, run: FeatureRoute['run']): FeatureRoute => ({
    ...{ method: 'POST', path: at, access: 'anyone', limit: formLimit, run }
  })
  return {
    section: {
      ...{ id: 'email', order: 150, title: 'email', path },
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
      { method: 'GET', path, run: (request) => showEmail(request, deps) },
      { method: 'POST', path, limit: formLimit, mailTo: 'email', run: (request) => startChange(request, deps) },
      // Somebody who opens a link in another browser is not asked to sign in there.
      get(confirmPath, (request) => showConfirmation(request, deps)),
      post(confirmPath, (request) => confirmChange(request, deps)),
      get(undoPath, (request) => showUndo(request, deps)),
      post(undoPath, (request) => undoChange(request, deps))
    ]
  }
}
