const statuses = {
  /** The adapter lacks methods that the call needs; the message names them. */
  ADAPTER_INCOMPLETE: 500,
  /** The call would lock the user out. */
  LAST_WAY_IN: 409,
  /** The user has no such account, or has several and none was named. */
  UNKNOWN_ACCOUNT: 404,
  /** Nobody is signed in. */
  SIGNED_OUT: 401,
  /** The provider gives no more tokens for this account: the user has to sign in there again. */
  GRANT_ENDED: 401,
  /** The provider did not give a token this time; another try makes sense. */
  REFRESH_FAILED: 503
} as const

/** What could not be done with a user's account, told to the application; no visitor is shown it. */
export class AccountError extends Error {
  override readonly name: string = 'AccountError'
  readonly code: keyof typeof statuses

  constructor(code: AccountError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }

  /** The HTTP status, where a framework asks an error for it. */
  get statusCode(): number {
    return statuses[this.code]
  }
}
