import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { KyselyAdapter } from '@auth/kysely-adapter'
import { PrismaAdapter as AuthJsPrismaAdapter } from '@auth/prisma-adapter'
import { PrismaAdapter as NextAuthPrismaAdapter } from '@next-auth/prisma-adapter'
import type { PosternOptions } from '@postern/core'
import { PrismaPg } from '@prisma/adapter-pg'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { Column, DataSource } from 'typeorm'

const server = 'postgres://root@127.0.0.1:5432/test'

/** Why tests of PostgreSQL are skipped; `false` if the server is there, or if nothing may be skipped. */
export const withoutPostgres: string | false = await new Promise((resolve) => {
  const socket = connect({ host: '127.0.0.1', port: 5432 })
  const missing = process.env['POSTERN_REQUIRE_ALL'] ? false : 'no PostgreSQL at 127.0.0.1:5432'
  socket.once('error', () => resolve(missing))
  socket.once('connect', () => resolve(socket.destroy() && false))
})

/** The names of the tables, for the adapters of Postern. */
export const tables = {
  users: 'User',
  accounts: 'Account',
  sessions: 'Session',
  verificationTokens: 'VerificationToken'
}

/** The schema of the adapters' documentation, with a column of the application. */
const schema = `
generator client {
  provider = "prisma-client-js"
  output   = "./client"
}
datasource db {
  provider = "postgresql"
}
model Account {
  id                String  @id @default(cuid())
  userId            String
  type              String
  provider          String
  providerAccountId String
  refresh_token     String? @db.Text
  access_token      String? @db.Text
  expires_at        Int?
  token_type        String?
  scope             String?
  id_token          String? @db.Text
  session_state     String?
  user              User    @relation(fields: [userId], references: [id], onDelete: Cascade)
  @@unique([provider, providerAccountId])
}
model Session {
  id           String   @id @default(cuid())
  sessionToken String   @unique
  userId       String
  expires      DateTime
  user         User     @relation(fields: [userId], references: [id], onDelete: Cascade)
}
model User {
  id            String    @id @default(cuid())
  name          String?
  email         String?   @unique
  emailVerified DateTime?
  image         String?
  role          String    @default("reader")
  accounts      Account[]
  sessions      Session[]
}
model VerificationToken {
  identifier String
  token      String   @unique
  expires    DateTime
  @@unique([identifier, token])
}`

/** The tables that `prisma db push` creates from it; those of Kysely have a default for ids. */
const createTables = (date: string, id: string): string => `
  create table "User" (id text primary key, name text, email text unique, "emailVerified" ${date}, image text,
    role text not null default 'reader');
  create table "Account" (id ${id}, "userId" text not null references "User" (id) on delete cascade,
    type text not null, provider text not null, "providerAccountId" text not null, refresh_token text,
    access_token text, expires_at integer, token_type text, scope text, id_token text, session_state text,
    unique (provider, "providerAccountId"));
  create table "Session" (id ${id}, "sessionToken" text not null unique,
    "userId" text not null references "User" (id) on delete cascade, expires ${date} not null);
  create table "VerificationToken" (identifier text not null, token text not null unique, expires ${date} not null,
    unique (identifier, token));`

const ofPrisma = createTables('timestamp(3)', 'text primary key')
const ofKysely = createTables('timestamptz', 'uuid primary key default gen_random_uuid()')

/** The same tables for the adapter of Drizzle, as its documentation has them. */
const drizzleTables = {
  usersTable: pgTable('User', {
    id: text('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    name: text('name'),
    email: text('email').unique(),
    emailVerified: timestamp('emailVerified', { mode: 'date', withTimezone: true }),
    image: text('image'),
    role: text('role').notNull().default('reader')
  }),
  accountsTable: pgTable('Account', {
    userId: text('userId').notNull(),
    type: text('type').notNull(),
    provider: text('provider').notNull(),
    providerAccountId: text('providerAccountId').notNull(),
    refresh_token: text('refresh_token'),
    access_token: text('access_token'),
    expires_at: integer('expires_at'),
    token_type: text('token_type'),
    scope: text('scope'),
    id_token: text('id_token'),
    session_state: text('session_state')
  }),
  sessionsTable: pgTable('Session', {
    sessionToken: text('sessionToken').primaryKey(),
    userId: text('userId').notNull(),
    expires: timestamp('expires', { mode: 'date', withTimezone: true }).notNull()
  }),
  verificationTokensTable: pgTable('VerificationToken', {
    identifier: text('identifier').notNull(),
    token: text('token').notNull(),
    expires: timestamp('expires', { mode: 'date', withTimezone: true }).notNull()
  })
}

/** A database that an adapter of another library keeps. */
export interface PostgresStore {
  readonly adapter: NonNullable<PosternOptions['adapter']>
  /** The names of its tables. */
  readonly tables: Readonly<Record<keyof typeof tables, string>>
  readonly url: string
  /** A connection that does not use the adapter. */
  readonly raw: pg.Pool
}

/** Creates a schema with these tables, which is dropped after the test. */
async function createDatabase(t: Test, sql: string) {
  const name = `postern_${randomBytes(6).toString('hex')}`
  // A commit need not reach the disk: the server is not stopped.
  const options = `-c search_path=${name} -c synchronous_commit=off`
  const raw = new pg.Pool({ connectionString: server, max: 4, options })
  await raw.query(`create schema ${name}`)
  t.teardown(async () => {
    await raw.query(`drop schema ${name} cascade`)
    await raw.end()
  })
  await raw.query(sql)
  return { name, raw, url: `${server}?options=${encodeURIComponent(options)}` }
}

interface PrismaClient {
  $disconnect(): Promise<void>
}

type PrismaClientClass = new (options: { readonly adapter: PrismaPg }) => PrismaClient

const require = createRequire(import.meta.url)

/** Generates a client without its engine for migrations, which Prisma would fetch. It is the same for every database. */
async function generateClient(): Promise<PrismaClientClass> {
  const folder = t.testdir({ 'schema.prisma': schema })
  const program = join(dirname(require.resolve('prisma/package.json')), 'build/index.js')
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1' }
  const args = [program, 'generate', '--schema', join(folder, 'schema.prisma')]
  await promisify(execFile)(process.execPath, args, { env, cwd: folder })
  return require(join(folder, 'client')).PrismaClient
}

let generating: Promise<PrismaClientClass> | null = null

async function openPrisma(t: Test, create: (client: PrismaClient) => object): Promise<PostgresStore> {
  generating ??= generateClient()
  const Client = await generating
  const { name, raw, url } = await createDatabase(t, ofPrisma)
  const client = new Client({ adapter: new PrismaPg({ connectionString: url, max: 4 }, { schema: name }) })
  t.teardown(() => client.$disconnect())
  return { adapter: create(client), tables, raw, url }
}

let opened = 0

/**
 * Lets TypeORM create its tables, with ids of the type uuid and times as text.
 *
 * The adapter keeps one connection for all calls, so that each test loads the module again.
 */
async function openTypeOrm(t: Test): Promise<PostgresStore> {
  const { raw, url, name } = await createDatabase(t, 'select 1')
  const { TypeORMAdapter, entities }: typeof import('@auth/typeorm-adapter') = await import(
    `${import.meta.resolve('@auth/typeorm-adapter')}?${opened++}`
  )
  const options = { type: 'postgres' as const, url: server, schema: name, poolSize: 4 }
  if (opened === 1) Column({ type: 'varchar', default: 'reader' })(entities.UserEntity.prototype, 'role')
  const ids = { installExtensions: false, uuidExtension: 'pgcrypto' as const }
  const source = new DataSource({ ...options, ...ids, synchronize: true, entities: Object.values(entities) })
  await source.initialize()
  await source.destroy()
  const adapter = TypeORMAdapter({ ...options, ...ids, synchronize: false })
  t.teardown(() => Object(adapter).__disconnect())
  const tables = {
    users: 'users',
    accounts: 'accounts',
    sessions: 'sessions',
    verificationTokens: 'verification_tokens'
  }
  return { adapter, tables, raw, url }
}

/** The adapters of other libraries that are tested on PostgreSQL, each on a separate database. */
export const postgresStores: Readonly<Record<string, (t: Test) => Promise<PostgresStore>>> = {
  '@next-auth/prisma-adapter': (t) => openPrisma(t, (client) => NextAuthPrismaAdapter(Object(client))),
  '@auth/kysely-adapter': async (t) => {
    const { raw, url } = await createDatabase(t, ofKysely)
    const db: Kysely<never> = new Kysely({ dialect: new PostgresDialect({ pool: raw }) })
    return { adapter: KyselyAdapter(Object(db)), tables, raw, url }
  },
  '@auth/drizzle-adapter': async (t) => {
    const { raw, url } = await createDatabase(t, ofKysely)
    return { adapter: DrizzleAdapter(drizzle(raw), Object(drizzleTables)), tables, raw, url }
  },
  '@auth/prisma-adapter': (t) => openPrisma(t, (client) => AuthJsPrismaAdapter(Object(client))),
  '@auth/typeorm-adapter': openTypeOrm
}

/** Everything that is in a table. */
export async function getPostgresRows(
  { raw }: Pick<PostgresStore, 'raw'>,
  table: string
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await raw.query(`select * from "${table}"`)).rows
}
