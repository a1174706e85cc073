import type { DecisionProps } from '../decision.ts'
import type { FrameProps } from '../frame.ts'

/** A deletion that is scheduled. */
export interface PendingDeletion {
  /** In ISO 8601. */
  readonly deleteAt: string
  /** Where the user keeps the account: a form without fields. */
  readonly keepAction: string
  /** Whether the mail about it has a link that deletes the account at once. */
  readonly isMailed: boolean
  /** Where the user gives the second factor for it; `null` without one, and once it was given. */
  readonly factorUrl: string | null
  /** Where the session that has given it deletes the account at once: a form without fields; `null` for others. */
  readonly approveAction: string | null
}

/** The values of the page on which the owner of the address deletes the account at once, or keeps it. */
export interface ConfirmDeletionProps extends FrameProps, DecisionProps {
  /** When the account is deleted by itself, in ISO 8601. */
  readonly deleteAt: string
}

/** The values of the page that says what a link has done, or why it does nothing. */
export interface DeletionLinkProps extends FrameProps {
  readonly reason: 'cancelled' | 'gone'
}

/** The values of the page that deletes the account. */
export interface DeletionProps extends FrameProps {
  /** The address that gets a confirmation; `null` if no mail is sent. */
  readonly email: string | null
  /** `null` if the user has to authenticate first. */
  readonly action: string | null
  /** When the last record about the user leaves the log, in ISO 8601, if the account is deleted. */
  readonly logUntil: string
  /** When the account would be deleted, in ISO 8601; `null` if at once. */
  readonly deleteAt: string | null
  /** Whether the form ends all sessions. */
  readonly endsSessions: boolean
  /** The deletion that is scheduled; `null` if none is. */
  readonly pending: PendingDeletion | null
}

/** The values of the page after a deletion was scheduled. */
export interface DeletionScheduledProps extends DeletedProps {
  /** In ISO 8601. */
  readonly deleteAt: string
}

/** The values of the page after the deletion. */
export interface DeletedProps {
  readonly siteName: string
  readonly siteUrl: string
}
