import type { FrameProps } from '../frame.ts'

/** The values of the page of the email address. */
export interface EmailProps extends FrameProps {
  /** `null` if the user has none. */
  readonly email: string | null
  readonly isVerified: boolean
  /** What was typed, if it was refused. */
  readonly typed: string
  /**
   * Until when the address cannot be changed in this session, in ISO 8601: something that the user signs in with was removed.
   * `null` if it can.
   */
  readonly delayedUntil: string | null
  /** `null` if the user has to authenticate first, or if the application sends no mail. */
  readonly action: string | null
  readonly canChange: boolean
  /** The address that a mail was sent to and that is not confirmed yet; `null` if there is none. */
  readonly pending: string | null
  readonly confirmUrl: string
}

/** The values of the page that confirms the new address. */
export interface ConfirmEmailProps extends FrameProps {
  readonly email: string
  readonly action: string
  /** The token of the link; `null` to type the code. */
  readonly token: string | null
  readonly changeUrl: string
}

/** The values of the page of a link that is of no use here. */
export interface EmailLinkProps extends FrameProps {
  /** `elsewhere`: it was used, has expired, or belongs to another session. `gone`: it was used or has expired. */
  readonly reason: 'elsewhere' | 'gone' | 'taken' | 'undone'
}

/** The values of the page that undoes a change. */
export interface UndoEmailProps extends FrameProps {
  /** The address that is restored. */
  readonly email: string
  /** When it was changed, in ISO 8601. */
  readonly changedAt: string
  readonly action: string
  readonly token: string
  /** Whether the session of this browser proves that the user had access before the change. */
  readonly isProven: boolean
  /** Whether the session began before the change: a thief may have stolen it. */
  readonly isFromBefore: boolean
  /** Whether the password from before the change can be typed. */
  readonly asksPassword: boolean
  /** Whether a password proves the undo, also if the session does: it applies again. */
  readonly hasPasswords: boolean
  /** Where the user signs in with an account or a passkey from before the change; `null` if there is none. */
  readonly signInUrl: string | null
}
