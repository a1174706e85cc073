/** What a user may be asked for. */
export type SecondFactorMethod = 'totp' | 'passkey' | 'recovery-code'

/** Whether a mailed code is needed too: no, it must be sent first, or it was sent. */
export type MailState = 'none' | 'send' | 'sent'

/** A key for an authenticator app. */
export interface AuthenticatorKey {
  /** In groups of four letters, to be typed. */
  text: string
  /** An `otpauth:` URL, which opens an app on the same device. */
  url: string
  /** The `d` of an SVG path in a square of `size` units: black on white. */
  qrCode: { size: number; path: string }
}

/** The second factor of the signed-in user. */
export interface SecondFactor {
  /** The authenticator app, with times in ISO 8601; `null` if none is set up. */
  totp: { createdAt: string; lastUsedAt: string | null } | null
  /** The recovery codes that are left; `null` if none were created. */
  recoveryCodes: number | null
  /** Whether the user should create new recovery codes. */
  areFew: boolean
  /** Whether changes need `code`: one of the app, or a recovery code. */
  needsCode: boolean
  /** Where the user authenticates again before a change; `null` if the sign-in is recent enough. */
  verifyUrl: string | null
  /** `unverified` if the user must verify their address first; otherwise `null`. */
  problem: string | null
}

/** The options of a change. */
export interface ChangeOptions {
  /** A code of the app, or a recovery code, if the user has an app. */
  code?: string | undefined
  /** Where a user who has to authenticate again returns to. @defaultValue the current page */
  callbackUrl?: string | undefined
  /** Whether a user who has to authenticate again goes to that page. @defaultValue `true` */
  redirect?: boolean | undefined
}

/** The result of a change, or of a step of a sign-in. */
export interface SecondFactorResponse {
  ok: boolean
  /**
   * `null`, or why it was refused: `SessionRequired` if the user has to sign in or authenticate again; `VerificationRequired`,
   * `SecondFactorRequired` or `SecondFactorEnrollmentRequired` if another step of the sign-in is next; `Callback` if the sign-in
   * has ended or expired; `codeWrong`, `recoveryWrong`, `anyWrong`, `mailWrong`, `passkeyWrong`, `PasskeyCancelled`, `PasskeyWrongDomain`,
   * `PasskeyUnsupported`, `PasskeyFailed`, `exhausted`, `expired`, `conflict`, `unverified`, `RateLimited`, or another reason.
   */
  error: string | null
  /** Where the user continues; otherwise `null`. */
  url: string | null
}

/** The options of `confirmEnrollment`. */
export interface ConfirmOptions extends ChangeOptions {
  /** Of the authenticator app. */
  code: string
  /** If `mail` of the enrollment is `sent`. */
  mailCode?: string | undefined
}

/** The result of `startEnrollment` and `sendEnrollmentCode`. */
export interface StartEnrollmentResponse extends SecondFactorResponse {
  /** `null` before the mailed code is sent, and after an error. */
  key: AuthenticatorKey | null
  /** `send` if `sendEnrollmentCode` is next; `none` after an error. */
  mail: MailState
}

/** The result of a change that creates recovery codes. */
export interface RecoveryCodesResponse extends SecondFactorResponse {
  /** Show them: the server only keeps their hashes. Empty after an error. */
  recoveryCodes: readonly string[]
}

/** What a sign-in waits for. */
export interface PendingSignIn {
  /** `factor` asks for a second factor, `enroll` sets up an app; other features have other steps. */
  step: string
  /** For `factor`: what the user may be asked for. */
  methods: readonly SecondFactorMethod[]
  /** The digits of a code of the app: 6, unless the application imported another one. */
  digits: number
  /** For `enroll`: the key; `null` before the mailed code is sent, and after a code has confirmed the key. */
  key: AuthenticatorKey | null
  /** For `enroll`: whether recovery codes were shown, so that `completeEnrollment` is next. */
  isConfirmed: boolean
  mail: MailState
  /** Days for which the browser can be trusted; 0 if it cannot. */
  trustDays: number
  /** Why the user cannot continue, such as `unverified`; otherwise `null`. */
  problem: string | null
}

/** The answer to a second factor: one of `code`, `recoveryCode` and `passkey`. */
export interface VerifyOptions {
  /** Of the authenticator app. */
  code?: string | undefined
  /** With `code`, if `mail` is `sent`. */
  mailCode?: string | undefined
  recoveryCode?: string | undefined
  /** Asks for a passkey. Call it when the user presses a button: browsers ask for one. */
  passkey?: boolean | undefined
  /** Whether the browser is not asked again for `trustDays`. Not with a recovery code. @defaultValue `false` */
  trust?: boolean | undefined
  /** Whether the browser goes to the page that the sign-in continues at. @defaultValue `true` */
  redirect?: boolean | undefined
}
