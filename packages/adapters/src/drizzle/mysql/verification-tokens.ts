import type { VerificationToken } from '@postern/core'
import { and, sql } from 'drizzle-orm'
import type { VerificationTokenMethods } from '../../methods.ts'
import { lazily } from '../lazy.ts'
import { affectedRowsOf, type Connection } from './connection.ts'

/** The methods that concern one-time tokens. */
export function verificationTokenMethods(connection: Connection): VerificationTokenMethods {
  const { db, tables, fit, isExactly, safe, once } = connection
  const { verificationTokens } = tables
  const isPair = and(
    isExactly(verificationTokens.identifier, sql.placeholder('identifier')),
    isExactly(verificationTokens.token, sql.placeholder('token'))
  )
  const byPair = lazily(() => db.select().from(verificationTokens).where(isPair).prepare())
  const remove = lazily(() => db.delete(verificationTokens).where(isPair).prepare())
  return {
    createVerificationToken: ({ identifier, token, expires }) => {
      const row: VerificationToken = { identifier, token, expires }
      return once(
        async () => {
          await db.insert(verificationTokens).values(fit(verificationTokens, row))
          return row
        },
        async () => (await byPair().execute({ identifier, token }))[0] ?? null
      )
    },
    getVerificationToken: async ({ identifier, token }) => {
      const [found] = await safe(() => byPair().execute({ identifier, token }))
      return found ?? null
    },
    useVerificationToken: ({ identifier, token }) => {
      const pair = { identifier, token }
      const attempt = async () => {
        const [found] = await byPair().execute(pair)
        if (!found) return null
        // Of those who have found it, the one whose statement deleted the row has it.
        return affectedRowsOf(await remove().execute(pair)) === 1 ? found : null
      }
      return once(attempt, async (error) => {
        const [found] = await byPair().execute(pair)
        // A token that is still there was not taken; one that is gone was taken by nobody knows whom.
        if (found) return null
        throw error
      })
    }
  }
}
