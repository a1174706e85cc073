import type { Adapter, VerificationToken } from '@postern/core'
import { createEncode } from '../encode.ts'
import { load } from '../load.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'

const { and, eq }: typeof import('drizzle-orm') = load('drizzle-orm')

type VerificationTokenMethods = Required<
  Pick<Adapter, 'createVerificationToken' | 'getVerificationToken' | 'useVerificationToken'>
>

const identifier = named('identifier')
const token = named('token')
const expires = named('expires')

/** The methods that concern one-time tokens. */
export function verificationTokenMethods({ db, tables, read, write }: Connection): VerificationTokenMethods {
  const { verificationTokens } = tables
  const bind = createEncode(verificationTokens)
  const isPair = and(eq(verificationTokens.identifier, identifier), eq(verificationTokens.token, token))
  const insert = db.insert(verificationTokens).values({ identifier, token, expires }).prepare()
  const byPair = db.select().from(verificationTokens).where(isPair).prepare()
  const take = db.delete(verificationTokens).where(isPair).returning().prepare()
  return {
    createVerificationToken: ({ identifier, token, expires }) =>
      write(() => {
        const row: VerificationToken = { identifier, token, expires }
        insert.run(bind(row))
        return row
      }),
    getVerificationToken: ({ identifier, token }) => read(() => byPair.get({ identifier, token }) ?? null),
    useVerificationToken: ({ identifier, token }) => write(() => take.all({ identifier, token })[0] ?? null)
  }
}
