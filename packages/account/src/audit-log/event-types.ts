import { type EventTypes, securityEventTypes } from '@postern/core/feature'

/** The events of `auditLog()`: those of the core, and refusals. */
export const eventTypes: EventTypes = {
  ...securityEventTypes,
  'sign-in-refused': { actor: 'user', outcome: 'refused', text: 'A sign-in was refused, or failed.' },
  'verification-refused': {
    actor: 'user',
    outcome: 'refused',
    text: 'A step between the proof and the session was refused, such as a second factor.'
  },
  'request-refused': { actor: 'user', outcome: 'refused', text: 'A request to a route of a feature was refused.' },
  'refusals-dropped': {
    actor: 'system',
    outcome: 'refused',
    text: 'Refusals that were not stored, as there were too many, or the store did not accept them: `count` of the type `refused` with this `reason`.'
  }
}
