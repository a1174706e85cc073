import type { DecisionProps } from '../decision.ts'
import type { FrameProps } from '../frame.ts'

/** The values of the page of the email address. */
export interface EmailProps extends FrameProps {
  /** `null` if the user has none. */
  readonly email: string | null
  readonly isVerified: boolean
  /** What was typed, if it was refused. */
  readonly typed: string
  /** `null` if the user has to authenticate first, or if the application sends no mail. */
  readonly action: string | null
  readonly canChange: boolean
  /** The address that a mail was sent to and that is not confirmed yet; `null` if there is none. */
  readonly pending: string | null
  readonly confirmUrl: string
  /** The change whose new address is proven; `null` if there is none. */
  readonly waiting: WaitingEmail | null
}

/** A change that waits for the owner of the current address. */
export interface WaitingEmail {
  readonly email: string
  /** When the address changes by itself, in ISO 8601. */
  readonly at: string
  /** Where any session cancels it: a form without fields. */
  readonly cancelAction: string
  /** Where the user gives the second factor for it; `null` without one, and once it was given. */
  readonly factorUrl: string | null
  /** Where the session that has given it makes the change: a form without fields; `null` for others. */
  readonly approveAction: string | null
}

/** The values of the page that confirms the new address. */
export interface ConfirmEmailProps extends FrameProps {
  readonly email: string
  readonly action: string
  /** Of the form with `email`, which mails another code. */
  readonly resendAction: string
  readonly changeUrl: string
}

/** The values of the page on which the owner of the current address confirms or cancels a change. */
export interface AgreeEmailProps extends FrameProps, DecisionProps {
  /** The new address. */
  readonly email: string
  /** When it changes by itself, in ISO 8601. */
  readonly at: string
}

/** The values of the page that says what a link or a code has done, or why it does nothing. */
export interface EmailLinkProps extends FrameProps {
  readonly reason: 'changed' | 'cancelled' | 'gone' | 'taken'
}
