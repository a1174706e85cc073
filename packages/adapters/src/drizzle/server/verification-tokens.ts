import type { VerificationToken } from '@postern/core'
import type { VerificationTokenMethods } from '../../methods.ts'
import { createFind, insertOnce, isUndone, type ServerConnection } from './connection.ts'

/** The identifier and the token. */
export type Pair = Pick<VerificationToken, 'identifier' | 'token'>

/** Deletes a token and returns it, to one caller only. */
export type TakeToken = (pair: Pair) => Promise<VerificationToken | null>

/** The methods for one-time tokens. */
export function verificationTokenMethods(connection: ServerConnection, take: TakeToken): VerificationTokenMethods {
  const { retryIdempotent, runOnce } = connection
  const { verificationTokens: tokens } = connection.tables
  const find = createFind(connection, tokens, { identifier: tokens.identifier, token: tokens.token })
  return {
    createVerificationToken: ({ identifier, token, expires }) =>
      insertOnce(connection, tokens, { identifier, token, expires }, { find, isSame: () => true }),
    getVerificationToken: ({ identifier, token }) => retryIdempotent(() => find({ identifier, token })),
    useVerificationToken: ({ identifier, token }) =>
      runOnce(
        () => take({ identifier, token }),
        isUndone(() => find({ identifier, token }))
      )
  }
}
