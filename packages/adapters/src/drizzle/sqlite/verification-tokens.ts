import type { VerificationToken } from '@postern/core'
import { and, eq } from 'drizzle-orm'
import type { VerificationTokenMethods } from '../../methods.ts'
import { createEncode } from '../encode.ts'
import { lazily } from '../lazy.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'

type Pair = Pick<VerificationToken, 'identifier' | 'token'>

const identifier = named('identifier')
const token = named('token')
const expires = named('expires')

/** What is done when it returns: the part of the methods that may be in a batch. */
export function verificationTokenOperations({ db, tables }: Connection) {
  const { verificationTokens } = tables
  const take = lazily(() => db.delete(verificationTokens).where(isPair(tables)).returning().prepare())
  return {
    useVerificationToken: ({ identifier, token }: Pair): VerificationToken | null =>
      take().all({ identifier, token })[0] ?? null
  }
}

/** The methods that concern one-time tokens. */
export function verificationTokenMethods(
  { db, tables, read, write }: Connection,
  { useVerificationToken }: ReturnType<typeof verificationTokenOperations>
): VerificationTokenMethods {
  const { verificationTokens } = tables
  const bind = createEncode(verificationTokens)
  const insert = lazily(() => db.insert(verificationTokens).values({ identifier, token, expires }).prepare())
  const byPair = lazily(() => db.select().from(verificationTokens).where(isPair(tables)).prepare())
  return {
    createVerificationToken: ({ identifier, token, expires }) =>
      write(() => {
        const row: VerificationToken = { identifier, token, expires }
        insert().run(bind(row))
        return row
      }),
    getVerificationToken: ({ identifier, token }) => read(() => byPair().get({ identifier, token }) ?? null),
    useVerificationToken: (pair) => write(() => useVerificationToken(pair))
  }
}

function isPair({ verificationTokens }: Connection['tables']) {
  return and(eq(verificationTokens.identifier, identifier), eq(verificationTokens.token, token))
}
