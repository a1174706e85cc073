import type { Adapter } from '@postern/core'

/** The methods that only use `postern_…` tables. */
export const posternMethods = [
  'putSessionRecord',
  'getSessionRecords',
  'deleteSessionRecord',
  'revoke',
  'getRevocations',
  'listRevocations',
  'putAccountEvidence',
  'getAccountEvidence',
  'createTicket',
  'readTicket',
  'readTickets',
  'countTry',
  'putTicket',
  'listDueTickets',
  'consumeTicket',
  'deleteTickets',
  'createFactor',
  'getFactor',
  'listFactors',
  'updateFactor',
  'deleteFactor',
  'addEvents',
  'listEvents',
  'deleteEvents',
  'withLease',
  'getUserVersion',
  'advanceUser'
] as const satisfies readonly (keyof Adapter)[]
