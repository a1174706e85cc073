import { lazy } from '../lazy.ts'
import { isKey } from '../server/statements.ts'
import type { TakeToken } from '../server/verification-tokens.ts'
import type { Connection } from './connection.ts'
import { getAffectedRows } from './results.ts'

/** Creates the function that deletes a one-time token: of the callers that found it, the one whose statement deleted it receives it. */
export function takeToken({ db, tables: { verificationTokens: tokens }, isExactly }: Connection): TakeToken {
  const isPair = isKey(isExactly, { identifier: tokens.identifier, token: tokens.token })
  const byPair = lazy(() => db.select().from(tokens).where(isPair).prepare())
  const remove = lazy(() => db.delete(tokens).where(isPair).prepare())
  return async ({ identifier, token }) => {
    const pair = { identifier, token }
    const [found] = await byPair().execute(pair)
    return found && getAffectedRows(await remove().execute(pair)) === 1 ? found : null
  }
}
