/** How accounts are linked to users. */
export interface LinkingOptions {
  /**
   * Seconds since sign-in in which an account can be linked to the signed-in user; `false` for any time.
   *
   * @defaultValue 600
   */
  readonly freshWithin?: number | false | undefined
  /**
   * What happens if a signed-in user returns from a provider with an account that no user has, and did not start a link:
   * `confirm` shows a page that names both, before a second factor; `link` links the account, as in next-auth v4.
   *
   * @defaultValue `'confirm'`
   */
  readonly signedIn?: 'confirm' | 'link' | undefined
  /**
   * Whether a sign-in through a provider conceals who has an account. An address that the provider has not verified then
   * gets the same answer, `OAuthAccountNotLinked`, whether or not a user has it, and its owner gets a mail. New users
   * with such an address sign up by email. It needs a provider for email and a mail server.
   *
   * @defaultValue `false`
   */
  readonly concealUsers?: boolean | undefined
}

export interface AccountOptions {
  /**
   * Whether the access, refresh and ID tokens of providers are encrypted in the store, with a key derived from
   * `dataSecret`. `request.getAccessToken()` decrypts them. @defaultValue `false`
   */
  readonly encryptTokens?: boolean | undefined
  /**
   * Whether signing out revokes the provider's tokens (RFC 7009), for every browser of the user. Unlinking an account
   * always revokes them. @defaultValue `false`
   */
  readonly revokeAtSignOut?: boolean | undefined
}
