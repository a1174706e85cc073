import type { EventTypes } from '@postern/core/feature'

/** The events of `accountPages()`. */
export const eventTypes: EventTypes = {
  'profile-changed': { actor: 'user', text: 'The user changed the profile.' },
  'data-exported': { actor: 'user', text: 'The user downloaded the stored data.' },
  'other-sessions-ended': { actor: 'user', text: 'The user ended all other sessions on the page of devices.' }
}
