import type { Adapter } from '@postern/core'

/** Methods of which Postern uses all or none. */
export const groups = {
  revocations: ['revoke', 'getRevocations', 'listRevocations'],
  evidence: ['putAccountEvidence', 'getAccountEvidence'],
  tickets: ['createTicket', 'readTicket', 'countTry', 'consumeTicket', 'deleteTickets'],
  factors: ['createFactor', 'getFactor', 'listFactors', 'updateFactor', 'deleteFactor'],
  events: ['addEvents', 'listEvents', 'deleteEvents'],
  versions: ['getUserVersion', 'advanceUser']
} as const satisfies Readonly<Record<string, readonly (keyof Adapter)[]>>

/** These groups by their names. */
export type Groups = typeof groups

/** The methods that only use `postern_…` tables. */
export const posternMethods = [
  'putSessionRecord',
  'getSessionRecords',
  'deleteSessionRecord',
  ...groups.revocations,
  ...groups.evidence,
  ...groups.tickets,
  'readTickets',
  'putTicket',
  'listDueTickets',
  ...groups.factors,
  ...groups.events,
  'withLease',
  ...groups.versions
] as const satisfies readonly (keyof Adapter)[]
