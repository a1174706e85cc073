import type { CredentialField, ProviderStyle } from './page.ts'

/**
 * How a sign-in method finds the user of a proven identity.
 *
 * - `link`: the user that the account is linked to (next-auth v4's linking rules).
 * - `mailbox`: the user with the email address. No account is stored.
 * - `application`: the user that the application names. It is stored for database sessions only.
 * - `stored`: the stored user that the method names. No user is created.
 */
export type AccountPolicy = 'link' | 'mailbox' | 'application' | 'stored'

/** Whether the sign-in method names the user; it has verified a password or a key of that user. */
export const namesUser = (policy: AccountPolicy): boolean => policy === 'application' || policy === 'stored'

/** How the sign-in page offers a provider: a button, a field for an email address, or a form with fields. */
export type SignInForm =
  | { readonly type: 'oauth'; readonly style: ProviderStyle | null }
  | { readonly type: 'email'; readonly attributes?: Readonly<Record<string, string>> }
  | {
      readonly type: 'credentials'
      readonly fields: readonly CredentialField[]
      /** The name of the field with the username or address. @defaultValue none */
      readonly identifier?: string | null | undefined
    }

/** What the library needs to know about a provider, whatever its sign-in method. */
export interface ProviderTraits {
  readonly accountPolicy: AccountPolicy
  /** Whether a sign-in proves the mailbox of the user's address, such as by a mailed link. A sign-up does so for a new user. */
  readonly provesMailbox: boolean
  /**
   * Whether a stored user with a verified address can come in with the mailbox alone: by a mailed link, or with a password that a
   * mailed link sets.
   */
  readonly admitsMailboxOwner: boolean
  /** The HTTP methods of the callback. */
  readonly callbackMethods: readonly ('GET' | 'POST')[]
  /** Whether a POST to the callback requires the CSRF token. */
  readonly callbackCsrf: boolean
  readonly form: SignInForm
  /** Whether the form of the sign-in page is posted to the callback: the sign-in has no first step. */
  readonly startsAtCallback: boolean
  /** Whether the callback is a request from another site, which excludes `SameSite=Strict` cookies. */
  readonly isCrossSite: boolean
  /** Whether a proven address links the account to the user with this address. */
  readonly mayLinkByEmail: boolean
  /** Whether a proven address redeems an invitation. */
  readonly mayRedeemInvitation: boolean
  /** Whether a user may be created with this address; `null` if any may. */
  readonly maySignUp: ((email: string) => Promise<boolean>) | null
}

/** The traits of a method that proves neither a mailbox nor an address, and whose forms are those of Postern's pages. */
export const plainTraits: Omit<ProviderTraits, 'accountPolicy' | 'callbackMethods' | 'form'> = {
  provesMailbox: false,
  admitsMailboxOwner: false,
  callbackCsrf: true,
  startsAtCallback: false,
  isCrossSite: false,
  mayLinkByEmail: false,
  mayRedeemInvitation: false,
  maySignUp: null
}
