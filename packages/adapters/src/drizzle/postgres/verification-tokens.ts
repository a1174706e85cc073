import type { VerificationToken } from '@postern/core'
import { and, eq } from 'drizzle-orm'
import type { VerificationTokenMethods } from '../../methods.ts'
import { lazy } from '../lazy.ts'
import { placeholder, unnamedPlaceholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'

/** The methods for one-time tokens. */
export function verificationTokenMethods({
  db,
  tables,
  retryIdempotent,
  runOnce
}: Connection): VerificationTokenMethods {
  const { verificationTokens } = tables
  const isPair = and(
    eq(verificationTokens.identifier, placeholder('identifier')),
    eq(verificationTokens.token, placeholder('token'))
  )
  const byPair = lazy(() => db.select().from(verificationTokens).where(isPair).prepare(unnamedPlaceholder))
  const take = lazy(() => db.delete(verificationTokens).where(isPair).returning().prepare(unnamedPlaceholder))
  return {
    createVerificationToken: ({ identifier, token, expires }) => {
      const row: VerificationToken = { identifier, token, expires }
      return runOnce(
        async () => {
          await db.insert(verificationTokens).values(row)
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
      const attempt = async () => (await take().execute({ identifier, token }))[0] ?? null
      return runOnce(attempt, async (error) => {
        const [found] = await byPair().execute({ identifier, token })
        // If the token still exists, nothing was deleted. If it no longer exists, it is unknown which caller deleted it.
        if (found) return null
        throw error
      })
    }
  }
}
