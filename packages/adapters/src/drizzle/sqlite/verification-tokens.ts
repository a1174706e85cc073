import type { Adapter, VerificationToken } from '@postern/core'
import { load } from '../load.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'
import { verificationTokens } from './schema.ts'

const { and, eq }: typeof import('drizzle-orm') = load('drizzle-orm')

type VerificationTokenMethods = Required<
  Pick<Adapter, 'createVerificationToken' | 'getVerificationToken' | 'useVerificationToken'>
>

const identifier = named('identifier')
const token = named('token')
const expires = named('expires')

/** The methods that concern one-time tokens. */
export function verificationTokenMethods({ db, read, write }: Connection): VerificationTokenMethods {
  const isPair = and(eq(verificationTokens.identifier, identifier), eq(verificationTokens.token, token))
  const insert = db.insert(verificationTokens).values({ identifier, token, expires }).prepare()
  const byPair = db.select().from(verificationTokens).where(isPair).prepare()
  const take = db.delete(verificationTokens).where(isPair).returning().prepare()
  return {
    createVerificationToken: ({ identifier, token, expires }) =>
      write(() => {
        const row: VerificationToken = { identifier, token, expires }
        insert.run({ identifier, token, expires: expires.getTime() })
        return row
      }),
    getVerificationToken: ({ identifier, token }) => read(() => byPair.get({ identifier, token }) ?? null),
    useVerificationToken: ({ identifier, token }) => write(() => take.all({ identifier, token })[0] ?? null)
  }
}
