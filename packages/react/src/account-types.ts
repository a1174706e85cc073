/** A section of the account page. */
export interface AccountSection {
  /** `account/profile`, `passkey/passkeys`, or the id of a section of the application. */
  id: string
  href: string
  /** In the language of the user. */
  title: string
  /** The line below the title, in the language of the user; `null` for none. */
  text: string | null
  /** Whether the user should look at it, such as few recovery codes. */
  isWarning: boolean
  /** Whether it deletes something. */
  isDestructive: boolean
}

/** The signed-in user. */
export interface AccountOverview {
  name: string | null
  email: string | null
  sections: readonly AccountSection[]
  /** The deletion that is scheduled; `null` if none is. */
  deletion: {
    /** In ISO 8601. */
    deleteAt: string
    /** Whether the mail about it has a link that deletes the account at once. */
    isMailed: boolean
    /** Where the user gives the second factor, to delete it at once; `null` without one, and once it was given. */
    factorUrl: string | null
    /** Not `null` if the user has given it: `approveDeletion` deletes the account. */
    approveAction: string | null
  } | null
  /** The change of the email address that waits; `null` if none does. */
  emailChange: EmailChange | null
  siteName: string
  siteUrl: string
  signOutUrl: string
}

/** A new email address, which is proven, and waits for the owner of the current one. */
export interface EmailChange {
  email: string
  /** When the address changes by itself, in ISO 8601. */
  at: string
  /** Where the user gives the second factor, to make the change now; `null` without one, and once it was given. */
  factorUrl: string | null
  /** Not `null` if the user has given it: `approveEmailChange` makes the change. */
  approveAction: string | null
}

/** The email address of the signed-in user. */
export interface EmailState {
  /** `null` if the user has none. */
  email: string | null
  isVerified: boolean
  /** The new address that a mail was sent to, and that is not confirmed yet; `null` if there is none. */
  pending: string | null
  /** Whether the application can send mails, which changes need. */
  canChange: boolean
  /** The change whose new address is proven; `null` if there is none. */
  waiting: EmailChange | null
  /** Where the user authenticates before a change; `null` if the sign-in is recent enough. */
  verifyUrl: string | null
}

/** An account at a provider. */
export interface ConnectedAccount {
  provider: string
  providerAccountId: string
  /** The name of the provider; `null` if it is not configured any more. */
  providerName: string | null
  /** The address that the provider stated as verified; `null` if it is unknown. */
  email: string | null
}

/** The accounts of the user at providers. */
export interface Connections {
  accounts: readonly ConnectedAccount[]
  /** The providers that can be connected now; none if the user has to authenticate first. */
  available: readonly { id: string; name: string }[]
  /** Where the user authenticates before a change; `null` if the sign-in is recent enough. */
  verifyUrl: string | null
}

/** A device on which the user is signed in, with times in ISO 8601. */
export interface Device {
  id: string
  /** Such as `Firefox (Linux)`; `null` if the browser is unknown. */
  name: string | null
  /** The IP address of the sign-in. */
  address: string | null
  /** The name of the external provider of the sign-in. */
  provider: string | null
  createdAt: string | null
  lastSeen: string | null
  isCurrent: boolean
  /** Whether an administrator impersonates the user in this session; its client is unknown then. */
  isImpersonation: boolean
}

/** A security event, with its time in ISO 8601. */
export interface ActivityEvent {
  id: string
  /** `sign-in`, `password-changed`, … */
  type: string
  time: string
  address: string | null
  device: string | null
  provider: string | null
}

/** The security events of one page, the newest first. */
export interface Activity {
  events: readonly ActivityEvent[]
  /** For `getActivity` of the next page; `null` on the last one. */
  before: string | null
}

/** The options of a change. */
export interface AccountChangeOptions {
  /** Where a user who has to authenticate again returns to. @defaultValue the current page */
  callbackUrl?: string | undefined
  /** Whether a user who has to authenticate again goes to that page. @defaultValue `true` */
  redirect?: boolean | undefined
}

/** The result of a change. */
export interface AccountChange {
  ok: boolean
  /**
   * `null`, or why it was refused: `SessionRequired` if the user has to sign in or authenticate again; `lastWayIn`,
   * `alreadyGone`, `nameTooLong`, `deletionWrong`, `RateLimited`, or another reason. Changes of the email
   * address: `emailInvalid`, `emailLetters`, `emailSame`, `emailCodeWrong`, `emailFactorMissing`; `gone` if the code has
   * expired, was used, had five attempts or is of another session, or if no change waits; `taken` if another user has the address.
   */
  error: string | null
  /** Where the user continues; otherwise `null`. */
  url: string | null
}

/** What `useAccount` returns. */
export interface AccountValue {
  /** `null` until it is loaded, and if no user is signed in. */
  account: AccountOverview | null
  status: 'loading' | 'authenticated' | 'unauthenticated' | 'failed'
  /** Loads it again. */
  refresh(): Promise<void>
}
