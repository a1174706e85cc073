import { randomUUID } from 'node:crypto'
import type { AccountType } from '@postern/core'
import { load } from '../load.ts'

const { index, integer, primaryKey, sqliteTable, text }: typeof import('drizzle-orm/sqlite-core') =
  load('drizzle-orm/sqlite-core')

/** The table `user`, as Auth.js' Drizzle adapter has it. */
export const users = sqliteTable('user', {
  id: text('id').primaryKey().$defaultFn(randomUUID),
  name: text('name'),
  email: text('email').unique(),
  emailVerified: integer('emailVerified', { mode: 'timestamp_ms' }),
  image: text('image')
})

/** The table `account`, as Auth.js' Drizzle adapter has it, with an index on its owner. */
export const accounts = sqliteTable(
  'account',
  {
    userId: text('userId')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text('type').$type<AccountType>().notNull(),
    provider: text('provider').notNull(),
    providerAccountId: text('providerAccountId').notNull(),
    refresh_token: text('refresh_token'),
    access_token: text('access_token'),
    expires_at: integer('expires_at'),
    token_type: text('token_type'),
    scope: text('scope'),
    id_token: text('id_token'),
    session_state: text('session_state')
  },
  (account) => [
    primaryKey({ columns: [account.provider, account.providerAccountId] }),
    index('postern_account_userId').on(account.userId)
  ]
)

/** The table `session`, as Auth.js' Drizzle adapter has it, with an index on its owner. */
export const sessions = sqliteTable(
  'session',
  {
    sessionToken: text('sessionToken').primaryKey(),
    userId: text('userId')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expires: integer('expires', { mode: 'timestamp_ms' }).notNull()
  },
  (session) => [index('postern_session_userId').on(session.userId)]
)

/** The table `verificationToken`, as Auth.js' Drizzle adapter has it. */
export const verificationTokens = sqliteTable(
  'verificationToken',
  {
    identifier: text('identifier').notNull(),
    token: text('token').notNull(),
    expires: integer('expires', { mode: 'timestamp_ms' }).notNull()
  },
  (verificationToken) => [primaryKey({ columns: [verificationToken.identifier, verificationToken.token] })]
)

/** The table `postern_lock`: who holds the lease of a name, and until when in milliseconds since 1970. */
export const posternLocks = sqliteTable('postern_lock', {
  key: text('key').primaryKey(),
  owner: text('owner').notNull(),
  until: integer('until').notNull()
})
