/** The values of the account page. */
export interface AccountProps {
  readonly name: string | null
  readonly email: string | null
  /** The sections of all features. */
  readonly sections: readonly { readonly id: string; readonly href: string }[]
  readonly signOutUrl: string
}
