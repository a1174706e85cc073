/** The options of a call that may send the browser to authenticate again. */
export interface PasswordOptions {
  /** Where a user who has to authenticate again returns to. @defaultValue the current page */
  callbackUrl?: string | undefined
  /** Whether the browser goes to the page that follows. @defaultValue `true` */
  redirect?: boolean | undefined
}

/** What a form refused. */
export interface FieldProblem {
  field: 'email' | 'password' | 'currentPassword' | 'code'
  /** Such as `emailInvalid`, `passwordShort`, `currentWrong`, `codeWrong`. */
  error: string
  /** The same in the language of the user. */
  text: string
}

/** The result of a call. */
export interface PasswordResponse {
  ok: boolean
  /**
   * `null`, or why it was refused: the error of the first field; `gone` if a link or a code has expired or was ended, `used` if
   * it has done its work; `unavailable` for a user without a verified address, `conflict` if another request has changed the
   * password; `SessionRequired` if the user has to sign in or authenticate again; `RateLimited`.
   */
  error: string | null
  /** `error` in the language of the user; `null` if the server has no text for it. */
  text: string | null
  /** The fields that were refused. */
  problems: readonly FieldProblem[]
  /** Where the user continues; otherwise `null`. */
  url: string | null
}
