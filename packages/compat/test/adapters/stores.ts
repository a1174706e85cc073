import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { KyselyAdapter } from '@auth/kysely-adapter'
import type { PosternOptions } from '@postern/core'
import { withOwnKeys } from '@postern/testkit'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Test } from '../postern.ts'

/** The tables as the documentation of Auth.js has them; dates are what the adapter of that name writes. */
const tables = (date: 'integer' | 'text'): string => `
  CREATE TABLE "user" ("id" text PRIMARY KEY NOT NULL, "name" text, "email" text UNIQUE, "emailVerified" ${date}, "image" text);
  CREATE TABLE "account" (
    "userId" text NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE, "type" text NOT NULL, "provider" text NOT NULL,
    "providerAccountId" text NOT NULL, "refresh_token" text, "access_token" text, "expires_at" integer,
    "token_type" text, "scope" text, "id_token" text, "session_state" text, PRIMARY KEY ("provider", "providerAccountId")
  );
  CREATE TABLE "session" (
    "sessionToken" text PRIMARY KEY NOT NULL, "userId" text NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
    "expires" ${date} NOT NULL
  );
  CREATE TABLE "verificationToken" (
    "identifier" text NOT NULL, "token" text NOT NULL, "expires" ${date} NOT NULL, PRIMARY KEY ("identifier", "token")
  );`

/** A database that an adapter of others keeps. */
export interface Store {
  readonly adapter: NonNullable<PosternOptions['adapter']>
  readonly client: Database.Database
}

function open(t: Test, file: string, date: 'integer' | 'text'): Database.Database {
  const client = new Database(file)
  t.teardown(() => client.close())
  client.exec(tables(date))
  return client
}

/** Every adapter of others that we prove, on a separate database. */
export const stores: Readonly<Record<string, (t: Test, file?: string) => Store>> = {
  '@auth/drizzle-adapter': (t, file = ':memory:') => {
    const client = open(t, file, 'integer')
    return { client, adapter: DrizzleAdapter(drizzle(client)) }
  },
  '@auth/kysely-adapter': (t, file = ':memory:') => {
    const client = open(t, file, 'text')
    // The types of Auth.js are of tables that it names itself; SQLite finds them in any case.
    const db: Kysely<never> = new Kysely({ dialect: new SqliteDialect({ database: client }) })
    return { client, adapter: KyselyAdapter(Object(db)) }
  },
  'an adapter with keys of its own': (t, file = ':memory:') => {
    const client = open(t, file, 'integer')
    return { client, adapter: withOwnKeys(DrizzleAdapter(drizzle(client))) }
  }
}

/** Everything that is in a table. */
export function getRows(
  { client }: Pick<Store, 'client'>,
  table: string
): readonly Readonly<Record<string, unknown>>[] {
  return client.prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`).all()
}
