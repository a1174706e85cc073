import type { VerificationToken } from '@postern/core'
import { and, eq } from 'drizzle-orm'
import type { VerificationTokenMethods } from '../../methods.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholders } from '../placeholder.ts'
import { tableColumns } from '../table-columns.ts'
import type { Connection } from './connection.ts'

type Pair = Pick<VerificationToken, 'identifier' | 'token'>

const { identifier, token, expires } = placeholders(tableColumns.verificationTokens.columns)

/** The synchronous parts of the methods that a transaction may contain. */
export function verificationTokenOperations({ db, tables }: Connection) {
  const { verificationTokens } = tables
  const take = lazy(() => db.delete(verificationTokens).where(isPair(tables)).returning().prepare())
  return {
    useVerificationToken: ({ identifier, token }: Pair): VerificationToken | null =>
      take().all({ identifier, token })[0] ?? null
  }
}

/** The methods for one-time tokens. */
export function verificationTokenMethods({
  db,
  tables,
  read,
  write
}: Connection): Omit<VerificationTokenMethods, 'useVerificationToken'> {
  const { verificationTokens } = tables
  const bind = createEncode(verificationTokens)
  const insert = lazy(() => db.insert(verificationTokens).values({ identifier, token, expires }).prepare())
  const byPair = lazy(() => db.select().from(verificationTokens).where(isPair(tables)).prepare())
  return {
    createVerificationToken: ({ identifier, token, expires }) =>
      write(() => {
        const row: VerificationToken = { identifier, token, expires }
        insert().run(bind(row))
        return row
      }),
    getVerificationToken: ({ identifier, token }) => read(() => byPair().get({ identifier, token }) ?? null)
  }
}

function isPair({ verificationTokens }: Connection['tables']) {
  return and(eq(verificationTokens.identifier, identifier), eq(verificationTokens.token, token))
}
