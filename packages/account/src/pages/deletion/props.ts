import type { FrameProps } from '../frame.ts'

/** A deletion that is scheduled. */
export interface PendingDeletion {
  /** In ISO 8601. */
  readonly deleteAt: string
  /** Where the user keeps the account: a form without fields. */
  readonly keepAction: string
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
