import type { MailState } from '../mail/mailed-code.ts'
import type { RequestOptions } from '../passkey/ceremony-options.ts'
import type { ShownKey } from './enrollment.ts'
import type { TextKey } from './texts.ts'

/** What a user can be asked for. */
export type FactorMethod = 'totp' | 'passkey' | 'recovery-code'

/** The values of the page that asks for a second factor. */
export interface ChallengeProps {
  readonly action: string
  readonly methods: readonly FactorMethod[]
  /** For `navigator.credentials.get`; `null` without passkeys. */
  readonly passkeyOptions: RequestOptions | null
  /** Digits of a code of the authenticator app. */
  readonly digits: number
  /** Whether a code of the authenticator app needs a mailed code too. */
  readonly mail: MailState
  /** The mailed code that was typed, if it was right and the code of the app was not; `null` otherwise. */
  readonly mailCode: string | null
  /** The address of the user, shortened; `null` without one. */
  readonly account: string | null
  /** The form that ends the sign-in. */
  readonly cancelAction: string
  /** Whether the user may sign in to another account: not one who is signed in, and confirms it. */
  readonly mayChangeAccount: boolean
  /** The page for users who have lost what they are asked for. */
  readonly lostUrl: string
  /** Days for which the browser is not asked again, if the user chooses so; 0 if that is not possible. */
  readonly trustDays: number
  /** Whether the user has chosen so on the form that was refused. */
  readonly isTrustChosen: boolean
  readonly problem: TextKey | null
}

/** The values of the page for users who have lost what they are asked for. */
export interface LostProps {
  /** Whether the user has recovery codes to look for. */
  readonly hasCodes: boolean
  /** Whether the end of the sign-in leads to a way to sign in that may need no second factor. */
  readonly hasOtherWay: boolean
  /** The page that asks. */
  readonly challengeUrl: string
  readonly cancelAction: string
}

/** The step of an enrollment: the mailed code, which comes before, the key, and the code of the app. */
export type EnrollStep = 'mail' | 'key' | 'code'

/** The values of the page that sets up an authenticator app. */
export interface EnrollProps {
  readonly action: string
  readonly key: ShownKey
  readonly mail: MailState
  readonly step: EnrollStep
  /** The page of the user's second factors; `null` if the sign-in requires one. */
  readonly listUrl: string | null
  /** The form that ends the sign-in; `null` outside of one. */
  readonly cancelAction: string | null
  /** Whether the sign-in requires it. */
  readonly isRequired: boolean
  readonly problem: TextKey | null
}

/** The values of the page with new recovery codes. */
export interface CodesProps {
  /** Shown once; empty if they were shown before. */
  readonly codes: readonly string[]
  /** The form that continues the sign-in; `null` outside of one. */
  readonly action: string | null
  readonly listUrl: string | null
  /** Whether an app was set up, whose last step this is. */
  readonly isEnrollment: boolean
}

/** The values of the pages with all factors, the app, and the recovery codes. */
export interface FactorsProps {
  /** ISO 8601; `null` if no app is set up. */
  readonly totp: { readonly createdAt: string; readonly lastUsedAt: string | null } | null
  /** The recovery codes that are left; `null` if there are none to have. */
  readonly recoveryCodes: number | null
  /** Whether the user should create new recovery codes. */
  readonly areFew: boolean
  /** `null` if an app is set up, or if the user may not set it up. */
  readonly startAction: string | null
  readonly removeAction: string | null
  readonly codesAction: string | null
  /** Whether changes need a code of the app, or a recovery code. */
  readonly needsCode: boolean
  /** Where the user authenticates again; `null` if that is not needed. */
  readonly verifyUrl: string | null
  readonly problem: TextKey | null
  /** The pages of the parts. */
  readonly appUrl: string
  readonly codesUrl: string
  /**
   * The passkeys that count as a second factor, their page, and whether a sign-in by one factor is asked for a second one; `null`
   * without any.
   */
  readonly passkeys: { readonly count: number; readonly url: string; readonly areAsked: boolean } | null
  readonly listUrl: string
  /** Where the user verifies their address, if that is the problem; `null` if it is not. */
  readonly addressUrl: string | null
  /** The account page; `null` if there is none. */
  readonly accountUrl: string | null
}

/** The values of a page without a form. */
export interface MessageProps {
  readonly title: TextKey
  readonly text: TextKey
  /** What helps, by the keys of the labels. */
  readonly links: readonly { readonly label: TextKey; readonly href: string }[]
}
