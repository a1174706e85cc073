import type { FrameProps } from '../frame.ts'

/** The values of the page that deletes the account. */
export interface DeletionProps extends FrameProps {
  /** The address that gets a confirmation; `null` if no mail is sent. */
  readonly email: string | null
  /** `null` if the user has to authenticate first. */
  readonly action: string | null
}

/** The values of the page after the deletion. */
export interface DeletedProps {
  readonly siteName: string
  readonly siteUrl: string
}
