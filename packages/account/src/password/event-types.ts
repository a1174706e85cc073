import type { EventTypes } from '@postern/core/feature'

/** The events of `password()`. */
export const eventTypes: EventTypes = {
  'password-changed': { actor: 'user', text: 'The user changed the password, or set the first one.' },
  'password-reset': { actor: 'user', text: 'A mailed link replaced the password.' }
}
