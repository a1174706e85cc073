import type { TakeToken } from '../server/verification-tokens.ts'
import type { Connection } from './connection.ts'

/** Creates the function that deletes a one-time token. */
export function takeToken({ tables: { verificationTokens: tokens }, statements }: Connection): TakeToken {
  return statements.take(tokens, { identifier: tokens.identifier, token: tokens.token })
}
