import { randomUUID } from 'node:crypto'
import type { Adapter } from '@postern/core'
import { createEncode } from '../encode.ts'
import { load } from '../load.ts'
import { named } from '../named.ts'
import { type AccountRow, toAccountPatch, toAccountRow, toUserRow } from '../rows.ts'
import { extraFields } from '../tables.ts'
import type { Connection } from './connection.ts'
import { prepareUserInsert } from './users.ts'

const { and, eq }: typeof import('drizzle-orm') = load('drizzle-orm')

type AccountMethods = Pick<
  Required<Adapter>,
  'linkAccount' | 'unlinkAccount' | 'createUserWithAccount' | 'updateAccount' | 'getAccounts'
>

const { provider, providerAccountId, ...columns } = {
  userId: named('userId'),
  type: named('type'),
  provider: named('provider'),
  providerAccountId: named('providerAccountId'),
  refresh_token: named('refresh_token'),
  access_token: named('access_token'),
  expires_at: named('expires_at'),
  token_type: named('token_type'),
  scope: named('scope'),
  id_token: named('id_token'),
  session_state: named('session_state')
}

/** The methods that concern accounts. */
export function accountMethods(connection: Connection) {
  const { tables, read, write, transaction } = connection
  const bind = createEncode(tables.accounts)
  const extra = extraFields(tables.users)
  const insertUser = prepareUserInsert(connection)
  const statements = prepareStatements(connection)
  const insert = (row: AccountRow): AccountRow => {
    statements.insert.run(bind(row))
    return row
  }
  return {
    linkAccount: (account) => write(() => insert(toAccountRow(account, account.userId))),
    unlinkAccount: ({ provider, providerAccountId }) =>
      write(() => statements.delete.all({ provider, providerAccountId })[0] ?? null),
    createUserWithAccount: (user, account) =>
      transaction(() => {
        const row = insertUser(toUserRow(user, user.id || randomUUID(), extra))
        insert(toAccountRow(account, row.id))
        return row
      }),
    updateAccount: ({ provider, providerAccountId, ...changes }) =>
      transaction(() => {
        const before = statements.byKey.get({ provider, providerAccountId })
        if (!before) return null
        const row = { ...before, ...toAccountPatch(changes) }
        statements.update.run(bind(row))
        return row
      }),
    getAccounts: (userId) => read(() => statements.byUser.all({ userId }))
  } satisfies AccountMethods
}

function prepareStatements({ db, tables }: Connection) {
  const { accounts } = tables
  const isKey = and(eq(accounts.provider, provider), eq(accounts.providerAccountId, providerAccountId))
  return {
    insert: db
      .insert(accounts)
      .values({ provider, providerAccountId, ...columns })
      .prepare(),
    byKey: db.select().from(accounts).where(isKey).prepare(),
    byUser: db.select().from(accounts).where(eq(accounts.userId, columns.userId)).prepare(),
    update: db.update(accounts).set(columns).where(isKey).prepare(),
    delete: db.delete(accounts).where(isKey).returning().prepare()
  }
}
