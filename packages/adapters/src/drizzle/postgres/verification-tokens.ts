import type { VerificationToken } from '@postern/core'
import { and, eq } from 'drizzle-orm'
import type { VerificationTokenMethods } from '../../methods.ts'
import { lazily } from '../lazy.ts'
import { named, unnamed } from '../named.ts'
import type { Connection } from './connection.ts'

/** The methods that concern one-time tokens. */
export function verificationTokenMethods({ db, tables, safe, once }: Connection): VerificationTokenMethods {
  const { verificationTokens } = tables
  const isPair = and(
    eq(verificationTokens.identifier, named('identifier')),
    eq(verificationTokens.token, named('token'))
  )
  const byPair = lazily(() => db.select().from(verificationTokens).where(isPair).prepare(unnamed))
  const take = lazily(() => db.delete(verificationTokens).where(isPair).returning().prepare(unnamed))
  return {
    createVerificationToken: ({ identifier, token, expires }) => {
      const row: VerificationToken = { identifier, token, expires }
      return once(
        async () => {
          await db.insert(verificationTokens).values(row)
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
      const attempt = async () => (await take().execute({ identifier, token }))[0] ?? null
      return once(attempt, async (error) => {
        const [found] = await byPair().execute({ identifier, token })
        // A token that is still there was not taken; one that is gone was taken by nobody knows whom.
        if (found) return null
        throw error
      })
    }
  }
}
