import { judgeCommit, markEnds } from './ghost.ts'
import type { Operation } from './operations.ts'
import { keeps, type Setting } from './rules.ts'
import {
  concerns,
  type Plan,
  type Process,
  type Row,
  type Session,
  sessionKey,
  type Token,
  type User,
  type UserId,
  type World
} from './world.ts'

/** A process at a point, and the world around it. */
export interface Moment {
  readonly world: World
  readonly process: Process
  readonly operation: Operation
  readonly plan: Plan
  readonly setting: Setting
}

const noRow: Row = { version: 0, sessionsFrom: 0, isSuspended: false, changeId: null }

/** The user whom an operation is about. */
export const userOf = ({ users: [id = 'ada'] }: Operation): UserId => id

export const changeIdOf = ({ name, restarts }: Process): string => `${name}${restarts}`

/** The greater of the previous version + 1 and the time. */
export function nextVersion({ clock }: World, previous: number, { isInstant }: Setting): number {
  return Math.max(previous + 1, isInstant ? clock : clock + 1)
}

/** The session that a plan issues: at a sign-in with the version that was read first, after an end with the new one. */
export function newSession({ world, process, operation, plan }: Moment): Session | null {
  if (plan.level === null) return null
  const acting = world.sessions.find((session) => sessionKey(session) === process.actor)
  const kept = plan.isReissued ? acting : undefined
  const isNewVersion = kept !== undefined || plan.ends === 'everything'
  return {
    id: kept?.id ?? changeIdOf(process),
    token: changeIdOf(process),
    user: userOf(operation),
    versions: isNewVersion ? { [userOf(operation)]: process.version } : (process.first ?? {}),
    level: plan.level,
    proof: plan.proof,
    isStored: true,
    isHeld: false,
    isOver: false
  }
}

/** What a plan leaves for later. It names the credentials that were read. */
export function newToken({ world, process, operation, plan }: Moment): Token | null {
  const user = world.users[userOf(operation)]
  if (plan.puts === null) return null
  return {
    id: `${plan.puts} of ${changeIdOf(process)}`,
    kind: plan.puts,
    version: process.first?.[userOf(operation)] ?? 0,
    address: user?.address ?? '',
    password: user?.password ?? null,
    factor: user?.factors[0] ?? null,
    proof: plan.proof,
    isStored: true,
    isHeld: false,
    isOver: process.isOutdated,
    isUsed: false
  }
}

/** The stored sessions that a transaction deletes or revokes, by a predicate, as it finds them now. */
export function findDoomed({ world, process, operation, plan }: Moment): readonly string[] {
  if (world.strategy === 'redis') return []
  const isDoomed = (session: Session) =>
    plan.ends === `session ${session.id}` ||
    (plan.ends === 'everything' && world.strategy === 'database' && concerns(session, userOf(operation))) ||
    (plan.isReissued && sessionKey(session) === process.actor)
  return world.sessions.filter((session) => session.isStored && isDoomed(session)).map(sessionKey)
}

export const forgetSessions = (world: World, isEnded: (session: Session) => boolean): World => ({
  ...world,
  sessions: world.sessions.map((each) => (each.isStored && isEnded(each) ? { ...each, isStored: false } : each))
})

export const forgetTokens = (world: World, isEnded: (token: Token) => boolean): World => ({
  ...world,
  tokens: world.tokens.map((each) => (each.isStored && isEnded(each) ? { ...each, isStored: false } : each))
})

export const releaseLocks = (world: World, { name }: Process): World => ({
  ...world,
  locks: world.locks.filter(({ process }) => process !== name)
})

/** Adds what a plan makes. It is held by nobody before the answer. */
export function addNew(moment: Moment, world: World): World {
  const session = newSession(moment)
  const token = newToken(moment)
  return {
    ...world,
    sessions: session ? [...world.sessions, session] : world.sessions,
    tokens: token ? [...world.tokens, token] : world.tokens
  }
}

function advancedRow({ world, process, operation, plan, setting }: Moment): Row {
  const row = world.rows[userOf(operation)] ?? noRow
  const isRaised = plan.ends === 'everything' && keeps(setting, 'an end raises sessionsFrom')
  return {
    version: process.version,
    sessionsFrom: isRaised ? process.version : row.sessionsFrom,
    isSuspended: plan.suspends ?? row.isSuspended,
    changeId: changeIdOf(process)
  }
}

function writeRows(moment: Moment): World['rows'] {
  const { world, process, operation, plan, setting } = moment
  if (plan.mode !== 'demand') {
    const isAdvanced = !plan.ends.startsWith('session ') || keeps(setting, 'ending one session advances')
    return isAdvanced ? { ...world.rows, [userOf(operation)]: advancedRow(moment) } : world.rows
  }
  const isLocked = (id: UserId) => world.locks.some((lock) => lock.process === process.name && lock.key === id)
  // A demand that found no row has inserted version 0.
  const rowOf = (id: UserId) => world.rows[id] ?? (isLocked(id) ? noRow : null)
  return { ada: rowOf('ada'), admin: rowOf('admin') }
}

function writeUser({ world, operation, plan }: Moment): World['users'] {
  const user = world.users[userOf(operation)]
  const blank: User = { address: '', isProven: false, accounts: [], password: null, factors: [] }
  if (plan.user === 'delete') return { ...world.users, [userOf(operation)]: null }
  if (!user && plan.user !== 'create') return world.users
  return { ...world.users, [userOf(operation)]: { ...(user ?? blank), ...plan.set } }
}

/** What is going to be in Redis: the ghost has to know it. */
const addLater = (moment: Moment, world: World): World =>
  forgetSessions(addNew(moment, world), ({ token }) => token === changeIdOf(moment.process))

/** The world after a commit: what the plan writes, and what the ghost says about it. */
export function commit(moment: Moment): World {
  const { world, process, operation, plan, setting } = moment
  const issued = newSession(moment)
  const before = markEnds(world, process, operation, issued && sessionKey(issued))
  const written: World = {
    ...before,
    clock: Math.max(world.clock, process.version),
    rows: writeRows(moment),
    users: writeUser(moment),
    locks: releaseLocks(world, process).locks,
    violation: judgeCommit(world, process, operation)
  }
  if (world.strategy === 'redis')
    return keeps(setting, 'Redis has a session before its transaction') ? written : addLater(moment, written)
  const drops = keeps(setting, 'waiting things are dropped') ? plan.drops : []
  const ended = forgetSessions(written, (session) => process.doomed.includes(sessionKey(session)))
  const left = forgetTokens(
    ended,
    (token) => drops.includes(token.kind) || (plan.consumes && token.id === process.tokenId)
  )
  return addNew(moment, left)
}
