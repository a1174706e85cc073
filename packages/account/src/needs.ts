import type { Adapter } from '@postern/core'

/** What a feature needs of the adapter that stores its tickets. */
export const oneTimeTicketNeeds: readonly (keyof Adapter)[] = [
  'createTicket',
  'readTicket',
  'countTry',
  'consumeTicket',
  'deleteTickets'
]

/** What a feature needs of the adapter whose tickets take the place of earlier ones. */
export const ticketNeeds: readonly (keyof Adapter)[] = [...oneTimeTicketNeeds, 'putTicket']

/** What a feature needs of the adapter to change what users sign in with. */
export const accessNeeds: readonly (keyof Adapter)[] = ['addEvents', 'getUserVersion', 'advanceUser']

/** What a feature needs of the adapter that stores its factors. */
export const factorNeeds: readonly (keyof Adapter)[] = [
  'createFactor',
  'getFactor',
  'listFactors',
  'updateFactor',
  'deleteFactor'
]
