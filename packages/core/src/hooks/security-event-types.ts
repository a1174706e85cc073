import type { EventType } from './event-type.ts'
import type { SecurityEvent } from './security-event.ts'

/** The events that `onEvent` receives. The actor of those with a request is the user. */
export const securityEventTypes: Readonly<Record<SecurityEvent['type'], EventType>> = {
  'sign-in': { actor: 'user', text: 'A session was created.' },
  link: { actor: 'user', text: 'An account was linked to a user who existed.' },
  reclaim: { actor: 'user', text: 'The owner of an address took over a user whose address was unverified.' },
  enroll: { actor: 'user', text: 'Factors were created for the user during a sign-in.' },
  unlink: { actor: 'administrator', text: 'An account was removed from the user.' },
  delete: { actor: 'administrator', text: 'The user was deleted.' },
  suspend: { actor: 'administrator', text: 'The user was suspended.' },
  resume: { actor: 'administrator', text: 'The suspension of the user ended.' },
  'impersonation-start': { actor: 'administrator', text: 'An administrator began to impersonate the user.' },
  'impersonation-end': { actor: 'administrator', text: 'The administrator stopped, or signed out.' },
  'session-end': {
    actor: 'system',
    text: 'A session ended, or all of the user if there is no session id. Expired sessions are not reported.'
  }
}
