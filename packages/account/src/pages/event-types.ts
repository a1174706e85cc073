import type { EventTypes } from '@postern/core/feature'

/** The events of `accountPages()`. */
export const eventTypes: EventTypes = {
  'profile-changed': { actor: 'user', text: 'The user changed the profile.' },
  'email-change-requested': {
    actor: 'user',
    text: 'The user proved a new email address. It waits for the owner of the current one, for 7 days.'
  },
  'email-change-cancelled': {
    actor: 'user',
    text: 'A change of the email address was canceled, in a session, by the link, or because another user got the address.'
  },
  'email-changed': { actor: 'user', text: 'The user got another email address.' },
  'email-verified': { actor: 'user', text: 'The user confirmed the email address of the account.' },
  'deletion-scheduled': {
    actor: 'user',
    text: 'The user asked for the deletion of the account, which waits.'
  },
  'deletion-cancelled': { actor: 'user', text: 'The user kept the account, whose deletion was scheduled.' },
  'data-exported': { actor: 'user', text: 'The user downloaded the stored data.' },
  'other-sessions-ended': { actor: 'user', text: 'The user ended all other sessions on the page of devices.' }
}
