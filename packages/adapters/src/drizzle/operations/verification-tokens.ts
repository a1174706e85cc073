import type { VerificationToken } from '@postern/core'
import type { TableAccess } from '../table-access.ts'

/** The identifier and the token. */
type Pair = Pick<VerificationToken, 'identifier' | 'token'>

/** Reads one-time tokens. */
export function verificationTokenQueries({ tables: { verificationTokens: tokens }, statements }: TableAccess) {
  const find = statements.find(tokens, { identifier: tokens.identifier, token: tokens.token })
  return { getVerificationToken: ({ identifier, token }: Pair) => find({ identifier, token }) }
}

/** Writes one-time tokens. */
export function verificationTokenOperations({ tables: { verificationTokens: tokens }, statements }: TableAccess) {
  const insert = statements.insert(tokens)
  const take = statements.takeFixed(tokens, { identifier: tokens.identifier, token: tokens.token })
  return {
    createVerificationToken: ({ identifier, token, expires }: VerificationToken) =>
      insert({ identifier, token, expires }),
    useVerificationToken: ({ identifier, token }: Pair) => take({ identifier, token })
  }
}
