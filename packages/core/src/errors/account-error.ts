const statuses = {
  /** The adapter lacks methods that the call needs; the message names them. */
  ADAPTER_INCOMPLETE: 500,
  /** The call would lock the user out. */
  LAST_WAY_IN: 409,
  /** The user has no such account, or has several and none was named. */
  UNKNOWN_ACCOUNT: 404,
  /** There is no such user. */
  UNKNOWN_USER: 404,
  /** The user has a factor of this kind already. */
  FACTOR_EXISTS: 409,
  /** No user can have the id, because of the type of the adapter's column. */
  INVALID_USER_ID: 400,
  /** The cursor is not one that a list returned, or its secret is no longer in the configuration. */
  INVALID_CURSOR: 400,
  /** The session is not an impersonation. */
  NOT_IMPERSONATING: 409,
  /** The user has no email address. */
  NO_EMAIL: 409,
  /** No user is signed in. */
  SIGNED_OUT: 401,
  /** The provider issues no more tokens for this account: the user must sign in with it again. */
  GRANT_ENDED: 401,
  /** The provider issued no token this time; the call may be retried. */
  REFRESH_FAILED: 503
} as const

/** An operation on an account failed. The error is for the application; Postern shows it to no user. */
export class AccountError extends Error {
  override readonly name: string = 'AccountError'
  readonly code: keyof typeof statuses

  constructor(code: AccountError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }

  /** The HTTP status, which frameworks read from errors. */
  get statusCode(): number {
    return statuses[this.code]
  }
}
