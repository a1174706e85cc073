/** Records that an account proved an email address: its provider stated that the address is verified. */
export interface AccountEvidence {
  provider: string
  providerAccountId: string
  /** The user that the account is linked to. */
  userId: string
  /** The address, in lower case. */
  email: string
  verifiedAt: Date
}
