import type { EventTypes } from '@postern/core/feature'

/** The events of `secondFactor()`. `value` is the method, or the member of staff for `factor-reset`. */
export const eventTypes: EventTypes = {
  'factor-added': { actor: 'user', text: 'The user set up an authenticator app.' },
  'factor-imported': { actor: 'administrator', text: 'The application imported an authenticator app of the user.' },
  'factor-removed': { actor: 'user', text: 'The user removed the authenticator app.' },
  'factor-reset': { actor: 'administrator', text: 'The application removed the second factor of the user.' },
  'recovery-code-used': { actor: 'user', text: 'A recovery code was used.' },
  'recovery-codes-created': { actor: 'user', text: 'The user created new recovery codes.' },
  'second-factor-failed': { actor: 'user', outcome: 'refused', text: 'A code of the second factor was wrong.' }
}
