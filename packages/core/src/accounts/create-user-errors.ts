import type { ErrorCode } from '../errors/error-codes.ts'

import type { AccountPolicy } from '../model/provider-traits.ts'

/** The error code if the adapter does not create a new user, as in next-auth v4. */
export const createUserErrors: Readonly<Record<AccountPolicy, ErrorCode>> = {
  link: 'OAuthCreateAccount',
  mailbox: 'EmailCreateAccount',
  application: 'Callback',
  stored: 'Callback'
}
