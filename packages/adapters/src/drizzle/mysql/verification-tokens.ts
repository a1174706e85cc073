import type { VerificationToken } from '@postern/core'
import { and, sql } from 'drizzle-orm'
import type { VerificationTokenMethods } from '../../methods.ts'
import { lazy } from '../lazy.ts'
import { type Connection, getAffectedRows } from './connection.ts'

/** The methods for one-time tokens. */
export function verificationTokenMethods(connection: Connection): VerificationTokenMethods {
  const { db, tables, fit, isExactly, retryIdempotent, runOnce } = connection
  const { verificationTokens } = tables
  const isPair = and(
    isExactly(verificationTokens.identifier, sql.placeholder('identifier')),
    isExactly(verificationTokens.token, sql.placeholder('token'))
  )
  const byPair = lazy(() => db.select().from(verificationTokens).where(isPair).prepare())
  const remove = lazy(() => db.delete(verificationTokens).where(isPair).prepare())
  return {
    createVerificationToken: ({ identifier, token, expires }) => {
      const row: VerificationToken = { identifier, token, expires }
      return runOnce(
        async () => {
          await db.insert(verificationTokens).values(fit(verificationTokens, row))
          return row
        },
        async () => (await byPair().execute({ identifier, token }))[0] ?? null
      )
    },
    getVerificationToken: async ({ identifier, token }) => {
      const [found] = await retryIdempotent(() => byPair().execute({ identifier, token }))
      return found ?? null
    },
    useVerificationToken: ({ identifier, token }) => {
      const pair = { identifier, token }
      const attempt = async () => {
        const [found] = await byPair().execute(pair)
        if (!found) return null
        // Of the callers that found the row, the one whose statement deleted it receives it.
        return getAffectedRows(await remove().execute(pair)) === 1 ? found : null
      }
      return runOnce(attempt, async (error) => {
        const [found] = await byPair().execute(pair)
        // If the token still exists, nothing was deleted. If it no longer exists, it is unknown which caller deleted it.
        if (found) return null
        throw error
      })
    }
  }
}
