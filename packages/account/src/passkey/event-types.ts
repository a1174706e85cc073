import type { EventTypes } from '@postern/core/feature'

/** The events of `passkey()`. `value` is the id of the passkey. */
export const eventTypes: EventTypes = {
  'passkey-added': { actor: 'user', text: 'The user added a passkey.' },
  'passkey-removed': { actor: 'user', text: 'The user removed a passkey.' },
  'passkey-renamed': { actor: 'user', text: 'The user renamed a passkey.' },
  'passkey-copied': {
    actor: 'user',
    outcome: 'refused',
    text: 'The counter of a passkey went backwards: it may have been copied.'
  }
}
