import { findOperation, type Operation } from './operations.ts'
import {
  concerns,
  endByVersion,
  isIn,
  levelOf,
  type Process,
  type Session,
  sessionKey,
  type Token,
  type World,
  waysIn
} from './world.ts'

/** Says what is wrong with a state, by the ghost alone. */
export function findViolation(world: World): string | null {
  const { ada } = world.users
  if (ada && waysIn(ada) === 0) return 'a user has no way in'
  for (const session of world.sessions) {
    if (!session.isHeld || !isIn(world, session)) continue
    const key = sessionKey(session)
    if (session.isOver) return `session ${key} is in after its end`
    if (ada && session.versions.admin === undefined && session.level < levelOf(ada))
      return `session ${key} is below the factors`
  }
  return null
}

/** Says what is wrong with the commit of a process, from the world before it. */
export function judgeCommit(world: World, process: Process, { users: [id = 'ada'] }: Operation): string | null {
  const { plan } = process
  if (!plan || plan.mode === 'forced') return null
  const user = world.users[id]
  const actor = world.sessions.find((session) => sessionKey(session) === process.actor)
  const token = world.tokens.find((each) => each.id === process.tokenId)
  if (actor?.isOver) return `${process.name} acts with a session that has ended`
  if (plan.level !== null && process.isOutdated) return `${process.name} signs in by a proof from before an end`
  if (plan.level !== null && world.barred.includes(id)) return `${process.name} signs in a suspended user`
  if (token?.isOver) return `${process.name} uses a ${token.kind} that has ended`
  if (plan.consumes && token?.isUsed && !process.hasCommitted)
    return `${process.name} uses a ${token.kind} a second time`
  if (plan.user === 'create' ? user : !user) return `${process.name} writes for a user who is not there`
  if (plan.requiresAddress !== null && user?.address !== plan.requiresAddress)
    return `${process.name} replaces an address that it did not read`
  return null
}

/** What a process ends when it commits. */
interface End {
  readonly process: Process
  readonly operation: Operation
  /** The session that the process issues. */
  readonly issued: string | null
}

function endsSession({ process, operation, issued }: End, session: Session): boolean {
  const { promised, users } = operation
  if (sessionKey(session) === issued) return false
  if (promised === 'everything' && concerns(session, users[0] ?? 'ada')) return true
  if (promised === `account ${session.proof}` && session.user === users[0]) return true
  const isReplaced = process.plan?.mode === 'advance' && process.actor === sessionKey(session)
  return isReplaced || promised === `session ${session.id}`
}

function endsToken({ operation: { promised, drops, users } }: End, token: Token): boolean {
  if (users[0] !== 'ada') return false
  if (promised === `account ${token.proof}`) return true
  if (promised === 'everything' && endByVersion.includes(token.kind)) return true
  return drops.includes(token.kind)
}

/** Whether an end makes the proof of another process too old. */
function outdates({ process, operation }: End, other: Process): boolean {
  if (other.name === process.name || other.at === 'start' || other.at === 'done') return false
  if (!findOperation(other.operation).users.includes(operation.users[0] ?? 'ada')) return false
  return operation.promised === 'everything' || operation.promised === `account ${other.plan?.proof}`
}

/** The keys of the sessions and tokens that end. */
const endedBy = (world: World, end: End): readonly string[] => [
  ...world.sessions.filter((session) => endsSession(end, session)).map(sessionKey),
  ...world.tokens.filter((token) => endsToken(end, token)).map(({ id }) => id)
]

/** Marks sessions and tokens, by their keys. */
export const markOver = (world: World, keys: readonly string[]): World => ({
  ...world,
  sessions: world.sessions.map((each) => (keys.includes(sessionKey(each)) ? { ...each, isOver: true } : each)),
  tokens: world.tokens.map((each) => (keys.includes(each.id) ? { ...each, isOver: true } : each))
})

/** Marks what ends with the commit of a process, except the session that it issues. */
export function markEnds(world: World, process: Process, operation: Operation, issued: string | null): World {
  const end: End = { process, operation, issued }
  const marked = markOver(world, endedBy(world, end))
  return {
    ...marked,
    tokens: marked.tokens.map((token) =>
      process.plan?.consumes && token.id === process.tokenId ? { ...token, isUsed: true } : token
    ),
    processes: marked.processes.map((each) => {
      if (each.name === process.name) return { ...each, hasCommitted: true }
      return outdates(end, each) ? { ...each, isOutdated: true } : each
    }),
    barred: barredAfter(world, process, operation)
  }
}

function barredAfter({ barred }: World, { plan }: Process, { users: [id = 'ada'] }: Operation): World['barred'] {
  if (!plan || (plan.suspends === null && plan.user !== 'delete')) return barred
  const others = barred.filter((each) => each !== id)
  return plan.suspends ? [...others, id] : others
}
