import { findOperation } from './operations.ts'
import type { Process, Row, Session, Strategy, Token, TokenKind, User, UserId, World } from './world.ts'

const row: Row = { version: 5, sessionsFrom: 4, isSuspended: false, changeId: null }
const user: User = {
  address: 'ada@example.com',
  isProven: true,
  accounts: ['github'],
  password: 'p1',
  factors: []
}
const withFactor: User = { ...user, factors: ['f1'] }
const unproven: User = { ...user, isProven: false }

/** What the store has before the operations. */
export interface Start {
  readonly name: string
  readonly row: Row | null
  readonly user: User | null
}

export const starts: readonly Start[] = [
  { name: 'a user with a row', row, user },
  { name: 'a user without a row', row: null, user },
  { name: 'a user with a factor and a row', row, user: withFactor },
  { name: 'a user with a factor, without a row', row: null, user: withFactor },
  { name: 'an unproven user with a row', row, user: unproven },
  { name: 'an unproven user without a row', row: null, user: unproven },
  { name: 'a suspended user', row: { ...row, sessionsFrom: 5, isSuspended: true }, user },
  { name: 'nobody, and no row', row: null, user: null },
  { name: 'the row of a deleted user', row: { ...row, sessionsFrom: 5 }, user: null }
]

function sessionOf(id: string, userId: UserId, start: Start): Session {
  const level = start.user && start.user.factors.length > 0 ? 2 : 1
  return {
    id,
    token: '0',
    user: userId,
    versions: { [userId]: start.row?.version ?? 0 },
    level,
    proof: id === 's1' ? 'password' : 'github',
    isStored: true,
    isHeld: true,
    isOver: false
  }
}

const tokenOf = (kind: TokenKind, start: Start): Token => ({
  id: kind,
  kind,
  version: start.row?.version ?? 0,
  address: user.address,
  password: user.password,
  factor: start.user?.factors[0] ?? null,
  proof: 'password',
  isStored: true,
  isHeld: true,
  isOver: false,
  isUsed: false
})

/** A process before its operation, or after it. */
export const idleProcess = (name: string, operation: string): Process => ({
  name,
  operation,
  at: 'start',
  outcome: null,
  restarts: 0,
  arrival: null,
  first: null,
  seen: {},
  version: 0,
  actor: null,
  tokenId: null,
  plan: null,
  doomed: [],
  locked: 0,
  hasConsumed: false,
  hasLostReply: false,
  isOutdated: false,
  hasCommitted: false
})

/** A world in which each operation is about to begin, with the sessions and tokens that they need. */
export function createWorld(start: Start, strategy: Strategy, operations: readonly string[]): World {
  const users = operations.flatMap((name) => findOperation(name).users)
  const kinds = new Set(operations.flatMap((name) => findOperation(name).token ?? []))
  const isActive = start.user !== null && !start.row?.isSuspended
  return {
    strategy,
    clock: 10,
    rows: { ada: start.row, admin: start.row && row },
    users: { ada: start.user, admin: user },
    sessions: [
      ...(isActive ? [sessionOf('s1', 'ada', start), sessionOf('s2', 'ada', start)] : []),
      ...(users.includes('admin') ? [sessionOf('a1', 'admin', start)] : [])
    ],
    tokens: isActive ? [...kinds].map((kind) => tokenOf(kind, start)) : [],
    locks: [],
    processes: operations.map((name, index) => idleProcess('ABCDEFGH'.charAt(index), name)),
    barred: start.row?.isSuspended ? ['ada'] : [],
    violation: null
  }
}
