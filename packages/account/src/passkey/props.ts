import type { MailState } from '../mail/mailed-code.ts'
import type { CreationOptions, RequestOptions } from './ceremony-options.ts'
import type { TextKey } from './texts.ts'

/** The values of the page that signs in. */
export interface SignInProps {
  /** The URL that the form with the response is posted to. */
  readonly action: string
  /** For `navigator.credentials.get`. */
  readonly options: RequestOptions
  readonly callbackUrl: string
  readonly signInUrl: string
}

/** A passkey in a list. */
export interface ListedPasskey {
  readonly id: string
  /** Empty if it has none. */
  readonly name: string
  /** ISO 8601; `null` if it is unknown. */
  readonly createdAt: string | null
  readonly lastUsedAt: string | null
  /** Whether it is copied to other devices. */
  readonly isBackedUp: boolean
  /** The page on which it is renamed and removed; `null` if Auth.js has stored it. */
  readonly href: string | null
}

/** What the Signal API states: the passkeys with one user handle. */
export interface AcceptedCredentials {
  readonly rpId: string
  readonly userId: string
  readonly allAcceptedCredentialIds: readonly string[]
}

/** The form that adds a passkey. */
export interface AddForm {
  readonly action: string
  readonly options: CreationOptions
  /** Whether a mailed code makes the passkey a second factor. The code is optional. */
  readonly mail: MailState
  /** The forms that send the code, and verify it before the passkey is created. */
  readonly sendAction: string
}

/** The values of the page with all passkeys. */
export interface PasskeysProps {
  readonly passkeys: readonly ListedPasskey[]
  /** The form that adds one; `null` if the user has to authenticate again first, or may not add one. */
  readonly add: AddForm | null
  /** Where the user authenticates again; `null` if that is not needed, or does not help. */
  readonly verifyUrl: string | null
  /** Why a passkey was not added, or cannot be. */
  readonly problem: TextKey | null
  readonly accepted: readonly AcceptedCredentials[]
  /** Where the user verifies their address, if that is the problem; `null` if it is not. */
  readonly addressUrl: string | null
  /** The account page; `null` if there is none. */
  readonly accountUrl: string | null
}

/** The values of the page for users who are not stored. */
export interface UnavailableProps {
  /** The account page, or the front page. */
  readonly backUrl: string
  readonly hasAccountPage: boolean
}

/** The values of the page of one passkey. */
export interface PasskeyProps {
  readonly passkey: ListedPasskey
  readonly renameAction: string
  readonly removeAction: string
  readonly listUrl: string
  readonly problem: TextKey | null
}

/** The values of the page that offers a passkey after a sign-in. */
export interface OfferProps {
  readonly action: string
  /** The form after which the user is not asked again in this browser. */
  readonly refuseAction: string
  readonly options: CreationOptions
  /** Where the user continues. */
  readonly callbackUrl: string
  /** Whether the browser may create it without a question, for a password that its password manager has filled in. */
  readonly isConditional: boolean
  /** Why no passkey was added. */
  readonly problem: TextKey | null
}
