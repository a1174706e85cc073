import type { Adapter } from '@postern/core'

/** What a feature needs of the adapter whose tickets take the place of earlier ones. */
export const ticketNeeds: readonly (keyof Adapter)[] = [
  'createTicket',
  'readTicket',
  'countTry',
  'consumeTicket',
  'putTicket',
  'deleteTickets'
]

/** What a feature needs of the adapter that stores its factors. */
export const factorNeeds: readonly (keyof Adapter)[] = [
  'createFactor',
  'getFactor',
  'listFactors',
  'updateFactor',
  'deleteFactor'
]
