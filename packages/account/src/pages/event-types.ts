import type { EventTypes } from '@postern/core/feature'

/** The events of `accountPages()`. */
export const eventTypes: EventTypes = {
  'profile-changed': { actor: 'user', text: 'The user changed the profile.' },
  'email-changed': { actor: 'user', text: 'The user confirmed a new email address.' },
  'email-verified': { actor: 'user', text: 'The user confirmed the email address of the account.' },
  'email-undone': {
    actor: 'user',
    text: 'The user undid a change of the email address, with what they signed in with before.'
  },
  'deletion-scheduled': {
    actor: 'user',
    text: 'The user asked for the deletion of the account, after the grace period.'
  },
  'deletion-cancelled': { actor: 'user', text: 'The user kept the account, whose deletion was scheduled.' },
  'data-exported': { actor: 'user', text: 'The user downloaded the stored data.' },
  'other-sessions-ended': { actor: 'user', text: 'The user ended all other sessions on the page of devices.' }
}
