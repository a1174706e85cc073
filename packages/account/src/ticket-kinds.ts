import type { FeatureWrite } from '@postern/core/feature'

/** The features of this package, as their ids. */
type FeatureId = 'account' | 'audit-log' | 'factors' | 'passkey' | 'password'

/** A change of a user that deletes tickets before they expire. */
type EndingChange = 'address' | 'password' | 'factor-reset'

/** A kind of tickets of this package. */
export interface TicketKind {
  /** As the store names it, after the id of the feature. It is the purpose of the keys that hash what belongs to it. */
  readonly name: string
  readonly features: readonly FeatureId[]
  /** The file that writes it, and a file that consumes it; `null` if it is not consumed. */
  readonly owner: string
  readonly consumer: string | null
  /** Seconds; `null` if it follows from what the ticket is about. */
  readonly lifetime: number | null
  /** The changes of its user that delete it. Suspending the user deletes all that do not last, and deleting the user deletes all. */
  readonly endsWith: readonly EndingChange[]
  /** Whether a suspended user keeps it. */
  readonly isLasting: boolean
}

/** A kind of tickets with one lifetime. */
export type TimedKind = TicketKind & { readonly lifetime: number }

export const ticketKinds: {
  readonly enroll: TimedKind
  readonly mailedCode: TimedKind
  readonly challenge: TimedKind
  readonly signUp: TimedKind
  readonly reset: TimedKind
  readonly usedLink: TicketKind
  readonly emailChange: TimedKind
  readonly emailWaiting: TicketKind
  readonly deletion: TicketKind
  readonly sinkPosition: TicketKind
} = {
  /** A secret of an authenticator app that no code has confirmed. */
  enroll: {
    name: 'enroll',
    features: ['factors'],
    owner: 'second-factor/enrollment.ts',
    consumer: 'second-factor/enroll.ts',
    lifetime: 600,
    endsWith: ['factor-reset'],
    isLasting: false
  },
  /** A code that proves the mailbox of the user, for a sign-in, an authenticator app or a passkey. */
  mailedCode: {
    name: 'mailed-code',
    features: ['factors'],
    owner: 'mail/mailed-code.ts',
    consumer: 'mail/mailed-code.ts',
    lifetime: 600,
    endsWith: ['factor-reset'],
    isLasting: false
  },
  /** Says that a challenge was used. It outlives the cookie of the challenge, whatever the clock of another process says. */
  challenge: {
    name: 'challenge',
    features: ['passkey', 'factors'],
    owner: 'passkey/challenges.ts',
    consumer: null,
    lifetime: 600,
    endsWith: [],
    isLasting: false
  },
  /** A sign-up whose address is not proven. */
  signUp: {
    name: 'sign-up',
    features: ['password', 'passkey'],
    owner: 'mail/mailed-sign-up.ts',
    consumer: 'mail/mailed-sign-up.ts',
    lifetime: 3600,
    endsWith: [],
    isLasting: false
  },
  /** A request for a new password. */
  reset: {
    name: 'reset',
    features: ['password'],
    owner: 'password/reset.ts',
    consumer: 'password/reset.ts',
    lifetime: 3600,
    endsWith: ['address', 'password'],
    isLasting: false
  },
  /** Says that a link has done what it is for, until it would have expired. It contains nothing of a user, and is of no use itself. */
  usedLink: {
    name: 'used-link',
    features: ['password', 'passkey', 'account'],
    owner: 'mail/mailed-token.ts',
    consumer: null,
    lifetime: null,
    endsWith: [],
    isLasting: false
  },
  /** A change of the address whose new address is not proven. */
  emailChange: {
    name: 'email-change',
    features: ['account'],
    owner: 'pages/email/pending-change.ts',
    consumer: 'pages/email/waiting-change.ts',
    lifetime: 3600,
    endsWith: ['address'],
    isLasting: false
  },
  /** A change of the address to which the owner of the current one has not agreed. */
  emailWaiting: {
    name: 'email-waiting',
    features: ['account'],
    owner: 'pages/email/waiting-change.ts',
    consumer: 'pages/email/apply-change.ts',
    lifetime: null,
    endsWith: ['address'],
    isLasting: false
  },
  /** A deletion that its user can cancel. */
  deletion: {
    name: 'deletion',
    features: ['account'],
    owner: 'pages/deletion/scheduled-deletion.ts',
    consumer: 'pages/deletion/delete-scheduled.ts',
    lifetime: null,
    endsWith: [],
    isLasting: true
  },
  /** As far as the sink has got the events. */
  sinkPosition: {
    name: 'sink-position',
    features: ['audit-log'],
    owner: 'audit-log/sink-position.ts',
    consumer: null,
    lifetime: null,
    endsWith: [],
    isLasting: false
  }
}

const listKinds = (feature: FeatureId): readonly TicketKind[] =>
  Object.values(ticketKinds).filter(({ features }) => features.includes(feature))

/** @returns The names of the kinds of a feature that a change of the user deletes. */
export function listKindsThatEndWith(change: EndingChange, feature: FeatureId): readonly string[] {
  return listKinds(feature)
    .filter(({ endsWith }) => endsWith.includes(change))
    .map(({ name }) => name)
}

/** The writes that delete what a change of a user ends. */
export function toTicketDeletions(userId: string, change: EndingChange, feature: FeatureId): readonly FeatureWrite[] {
  return listKindsThatEndWith(change, feature).map((kind) => ({ method: 'deleteTickets', args: [userId, kind] }))
}

/** @returns The kinds of a feature that a suspended user keeps. */
export function listLastingKinds(feature: FeatureId): readonly TicketKind[] {
  return listKinds(feature).filter(({ isLasting }) => isLasting)
}
