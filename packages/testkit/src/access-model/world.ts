/** The users of the model: one whom the operations are about, and one who impersonates that user. */
export type UserId = 'ada' | 'admin'

/** Where sessions are kept. A JWT session is a token in a browser; what the store has of it is whether it was revoked. */
export type Strategy = 'jwt' | 'database' | 'redis'

/** A row of `postern_user`. No row means version 0. The revocation `user:<id>` always equals `sessionsFrom`. */
export interface Row {
  readonly version: number
  readonly sessionsFrom: number
  readonly isSuspended: boolean
  readonly changeId: string | null
}

/** A user and the credentials, each known by an id. A mailed link is no way in here, as an application may send no mail. */
export interface User {
  readonly address: string
  readonly isProven: boolean
  readonly accounts: readonly string[]
  readonly password: string | null
  readonly factors: readonly string[]
}

export type Versions = Readonly<Partial<Record<UserId, number>>>

/** What a browser has after a sign-in. A session that gets another token keeps its id. */
export interface Session {
  readonly id: string
  readonly token: string
  readonly user: UserId
  readonly versions: Versions
  /** 2 after a second factor. */
  readonly level: number
  /** The account, or the method. */
  readonly proof: string
  /** Not deleted, or not revoked. */
  readonly isStored: boolean
  /** Whether a browser may have it: sessions in Redis are written before the transaction that allows them. */
  readonly isHeld: boolean
  /** Ghost: it must not sign anybody in. */
  readonly isOver: boolean
}

export type TokenKind =
  | 'mailed link'
  | 'reset link'
  | 'pending sign-in'
  | 'invitation'
  | 'address change'
  | 'trusted browser'

/** What waits: it was made by a transaction that demanded the version, and names what it depends on. */
export interface Token {
  /** Waiting things are Ada's. */
  readonly id: string
  readonly kind: TokenKind
  readonly version: number
  readonly address: string
  readonly password: string | null
  readonly factor: string | null
  readonly proof: string
  readonly isStored: boolean
  readonly isHeld: boolean
  /** Ghost: it must not have an effect. */
  readonly isOver: boolean
  /** Ghost: it had its effect. */
  readonly isUsed: boolean
}

/** What an operation writes in its one transaction. */
export interface Plan {
  /** A `demand` fails unless the version is the one that was read; an `advance` changes it too; `forced` only that. */
  readonly mode: 'demand' | 'advance' | 'forced' | 'no transaction'
  readonly user: 'keep' | 'create' | 'delete'
  readonly set: Partial<User>
  /** `everything` raises `sessionsFrom`; otherwise the id of one session. */
  readonly ends: 'nothing' | 'everything' | `session ${string}`
  /** The level of the session that it issues, or null. */
  readonly level: number | null
  /** The account or the method that the session or the pending sign-in goes back to. */
  readonly proof: string
  /** Whether it issues the acting session with another token. */
  readonly isReissued: boolean
  readonly consumes: boolean
  readonly puts: TokenKind | null
  readonly drops: readonly TokenKind[]
  readonly suspends: boolean | null
  readonly requiresAddress: string | null
}

/** What a process does next. */
export type Point =
  | 'start'
  | 'authorize'
  | 'check the session'
  | 'read the row'
  | 'read the rest'
  | 'write to Redis'
  | 'find sessions'
  | 'lock'
  | 'write'
  | 'commit'
  | 'recover'
  | 'answer'
  | 'done'

/** A request, or a job, that performs an operation. */
export interface Process {
  readonly name: string
  readonly operation: string
  readonly at: Point
  readonly outcome: 'done' | 'not done' | null
  readonly restarts: number
  /** When the form arrived, if only `authorize` names its user. */
  readonly arrival: number | null
  readonly first: Versions | null
  /** The versions that were read last; null without a row. */
  readonly seen: Readonly<Partial<Record<UserId, number | null>>>
  readonly version: number
  /** The acting session and its token. */
  readonly actor: string | null
  readonly tokenId: string | null
  readonly plan: Plan | null
  /** The sessions that the transaction deletes or revokes. */
  readonly doomed: readonly string[]
  /** How many rows are locked. */
  readonly locked: number
  readonly hasConsumed: boolean
  readonly hasLostReply: boolean
  /** Ghost: everything of this user was ended after this process began. */
  readonly isOutdated: boolean
  /** Ghost: its transaction took place. */
  readonly hasCommitted: boolean
}

export interface Lock {
  readonly key: string
  readonly process: string
  readonly isExclusive: boolean
}

export interface World {
  readonly strategy: Strategy
  /** Milliseconds since 1970, as far as they matter: it advances with the versions. */
  readonly clock: number
  readonly rows: Readonly<Record<UserId, Row | null>>
  readonly users: Readonly<Record<UserId, User | null>>
  readonly sessions: readonly Session[]
  readonly tokens: readonly Token[]
  readonly locks: readonly Lock[]
  readonly processes: readonly Process[]
  /** Ghost: suspended users. */
  readonly barred: readonly UserId[]
  readonly violation: string | null
}

/** What ends by `sessionsFrom`. Other waiting things are deleted by the operations that end them. */
export const endByVersion: readonly TokenKind[] = ['reset link', 'pending sign-in', 'trusted browser']

export const userIds: readonly UserId[] = ['ada', 'admin']

export const sessionKey = ({ id, token }: Session): string => `${id}:${token}`

export const levelOf = (user: User): number => (user.factors.length > 0 ? 2 : 1)

export const waysIn = (user: User): number => user.accounts.length + (user.password === null ? 0 : 1)

export const sessionsFrom = (world: World, user: UserId): number => world.rows[user]?.sessionsFrom ?? 0

/** Whether the session belongs to the user, or impersonates somebody for the user. */
export const concerns = (session: Session, user: UserId): boolean => session.versions[user] !== undefined

/** Whether a request with this session is signed in, by what the strategy reads. */
export function isIn(world: World, session: Session): boolean {
  if (!session.isStored) return false
  if (world.strategy === 'database') return true
  return userIds.every((user) => {
    const version = session.versions[user]
    if (version === undefined) return true
    const isSuspended = world.strategy === 'redis' && world.rows[user]?.isSuspended === true
    return version >= sessionsFrom(world, user) && !isSuspended
  })
}
