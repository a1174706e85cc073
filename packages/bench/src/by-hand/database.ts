import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import Database from 'better-sqlite3'
import { readCookie, writeCookie } from './cookies.ts'
import { deriveKey } from './encrypt.ts'
import type { Identity } from './provider.ts'
import { cookieName, isRenewalDue, maxAge, type Sessions, type SessionUser } from './sessions.ts'

interface SessionRow extends SessionUser {
  readonly expires: number
}

interface UserRow extends SessionUser {
  readonly id: string
  readonly suspendedAt: number | null
}

const key = deriveKey('Postern key for session token')
const tag = createHmac('sha256', deriveKey('Postern key for application')).update('/api/auth').digest('base64url')

/** The store holds a hash of the token. */
const toStored = (token: string): string => `h1.${createHmac('sha256', key).update(token).digest('base64url')}`

/** What a browser sends with a sign-in. */
export interface Client {
  readonly userAgent: string | null
  readonly address: string
}

/** Users and sessions in SQLite. */
export interface ByHandDatabase extends Sessions {
  /**
   * Signs in the owner of an account, in one transaction: reads the user, and writes the tokens, the session and its record. Creates
   * the user at the first sign-in.
   *
   * @returns The user's id and the session cookie; `null` if the sign-in is refused.
   */
  signIn(identity: Identity, client: Client): { readonly userId: string; readonly cookie: string } | null
}

const columns = {
  user: ['id', 'name', 'email', 'emailVerified', 'image'],
  account: [
    'userId',
    'type',
    'provider',
    'providerAccountId',
    'access_token',
    'expires_at',
    'token_type',
    'scope',
    'id_token'
  ],
  postern_account: ['provider', 'providerAccountId', 'userId', 'email', 'verifiedAt'],
  session: ['sessionToken', 'userId', 'expires'],
  postern_session: [
    'id',
    'userId',
    'sessionToken',
    'provider',
    'userAgent',
    'address',
    'createdAt',
    'lastSeen',
    'expires',
    'data'
  ]
} as const

type Statement = Database.Statement<unknown[], unknown>

function prepareInsert(database: Database.Database, table: keyof typeof columns): Statement {
  const names = columns[table]
  const values = names.map(() => '?').join(', ')
  return database.prepare(`insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${values})`)
}

/** The tables are Postern's: the same rows, and the same indexes. */
async function openTables(file: string): Promise<Database.Database> {
  await sqliteAdapter({ file }).close()
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  return database
}

/** Statements that create and find users. */
function prepareUsers(database: Database.Database) {
  const owner = database.prepare<[string], UserRow>(
    `select u."id", u."name", u."email", u."image", v."suspendedAt" from "account" a join "user" u on u."id" = a."userId"
     left join "postern_user" v on v."userId" = u."id" where a."provider" = 'demo' and a."providerAccountId" = ?`
  )
  const byEmail = database.prepare<[string]>('select 1 from "user" where "email" = ?')
  const [user, account, evidence] = [
    prepareInsert(database, 'user'),
    prepareInsert(database, 'account'),
    prepareInsert(database, 'postern_account')
  ]
  const update = database.prepare(
    `update "account" set "access_token" = ?, "expires_at" = ?, "token_type" = ?, "scope" = ?, "id_token" = ?
     where "provider" = 'demo' and "providerAccountId" = ?`
  )
  const toTokens = ({ tokens }: Identity) => [
    tokens.accessToken,
    tokens.expiresAt,
    tokens.tokenType,
    tokens.scope,
    tokens.idToken
  ]
  const create = (identity: Identity, now: number): string | null => {
    const { subject, name, email, isEmailVerified, image } = identity
    // Somebody else may have the address: only the owner of the other account could connect them.
    if (byEmail.get(email)) return null
    const id = randomUUID()
    user.run(id, name, email, isEmailVerified ? now : null, image)
    account.run(id, 'oidc', 'demo', subject, ...toTokens(identity))
    if (isEmailVerified) evidence.run('demo', subject, id, email, now)
    return id
  }
  return {
    /** The user who signs in, with the tokens of this sign-in; `null` if they may not. */
    resolve: (identity: Identity, now: number): string | null => {
      const found = owner.get(identity.subject)
      if (!found) return create(identity, now)
      if (found.suspendedAt !== null) return null
      update.run(...toTokens(identity), identity.subject)
      return found.id
    }
  }
}

export async function openDatabase(file: string): Promise<ByHandDatabase> {
  const database = await openTables(file)
  const { resolve } = prepareUsers(database)
  const [session, record] = [prepareInsert(database, 'session'), prepareInsert(database, 'postern_session')]
  const find = database.prepare<[string], SessionRow>(
    `select s."expires", u."name", u."email", u."image" from "session" s join "user" u on u."id" = s."userId"
     where s."sessionToken" = ?`
  )
  const extend = database.prepare<[number, string]>('update "session" set "expires" = ? where "sessionToken" = ?')
  const data = JSON.stringify({ authentication: { provider: 'demo', auth_time: null } })
  const write = database.transaction((identity: Identity, { userAgent, address }: Client, stored: string) => {
    const now = Date.now()
    const userId = resolve(identity, now)
    if (userId === null) return null
    const expires = now + maxAge * 1000
    session.run(stored, userId, expires)
    const id = randomBytes(32).toString('hex')
    record.run(id, userId, stored, 'demo', userAgent, address, now, now, expires, data)
    return userId
  })
  return {
    signIn: (identity, client) => {
      const seconds = Math.floor(Date.now() / 1000).toString(36)
      const token = `p1.${tag.slice(0, 16)}.${randomBytes(32).toString('base64url')}.${seconds}`
      const userId = write.immediate(identity, client, toStored(token))
      return userId === null ? null : { userId, cookie: writeCookie(cookieName, token, maxAge) }
    },
    read: (cookies) => {
      const token = readCookie(cookies, cookieName)
      if (token === null) return null
      const stored = toStored(token)
      const row = find.get(stored)
      const now = Date.now()
      if (!row || row.expires <= now) return null
      const { name, email, image, expires } = row
      const renew = (): string | null => {
        if (!isRenewalDue(expires, now)) return null
        extend.run(now + maxAge * 1000, stored)
        return writeCookie(cookieName, token, maxAge)
      }
      return { user: { name, email, image }, expires, renew }
    }
  }
}
