import type { View } from './operations.ts'
import { keeps } from './rules.ts'
import { beforeLock, type FirstPoint, firstPoint, go, refuse, type Step, type Steps } from './steps.ts'
import { changeIdOf, type Moment, nextVersion, userOf } from './transaction.ts'
import {
  endByVersion,
  isIn,
  type Plan,
  type Point,
  type Process,
  type Session,
  sessionKey,
  sessionsFrom,
  type Token,
  type UserId,
  type Versions,
  type World,
  waysIn
} from './world.ts'

/** What a process does after it has decided. */
function afterPlan({ world, plan, setting }: Moment): Point {
  if (plan.mode === 'no transaction') return 'answer'
  const writes =
    plan.consumes ||
    plan.puts ||
    plan.level !== null ||
    !keeps(setting, 'Redis forgets ended sessions while the row is locked')
  if (world.strategy === 'redis' && writes) return 'write to Redis'
  return beforeLock(plan, setting)
}

/** The newest token of a session that a browser holds. */
function heldToken(world: World, id: string): readonly string[] {
  const held = world.sessions.filter((session) => session.id === id && session.isHeld)
  return held.slice(-1).map(sessionKey)
}

/** The sessions that may ask: process A has one, another process the same or a second one, unless it was given one. */
function actorsOf({ world, process, operation }: Moment): readonly (string | null)[] {
  if (operation.actor === null) return [null]
  if (process.actor !== null) return [process.actor]
  const ids = operation.actor === 'admin' ? ['a1'] : process.name === 'A' ? ['s1'] : ['s1', 's2']
  return ids.flatMap((id) => heldToken(world, id))
}

export const start: Steps = (moment) => {
  const { world, process, operation } = moment
  if (operation.plan) return startForced({ ...moment, plan: operation.plan })
  const tokenId = world.tokens.findLast(({ kind, isHeld }) => kind === operation.token && isHeld)?.id ?? null
  const actors = actorsOf(moment)
  if (actors.length === 0 || (operation.token && tokenId === null))
    return refuse(moment, 'it has nothing to begin with')
  if (operation.isAuthorized) return go(moment, 'arrives', { arrival: world.clock, at: 'authorize' })
  const at = firstPoint(moment)
  // Nothing happens between the arrival and the first read.
  return actors.flatMap((actor) =>
    firstReads[at]({ ...moment, process: { ...process, at, actor, tokenId } }).map(({ label, world }) => ({
      label: actor ? `begins with session ${actor}, and ${label}` : `begins, and ${label}`,
      world
    }))
  )
}

/** A forced change reads nothing first. Before it, an application may have written by itself. */
const startForced: Steps = (moment) => {
  const { world, operation, plan, setting } = moment
  const { ada } = world.users
  const id = userOf(operation)
  const seen = keeps(setting, 'an end demands nothing') ? {} : { [id]: world.rows[id]?.version ?? null }
  const begun: Partial<Process> = { plan, at: afterPlan(moment), seen }
  if (!operation.ownWrite || !ada) return go(moment, 'begins', begun)
  const users = { ...world.users, ada: { ...ada, ...operation.ownWrite } }
  const isLocked = world.locks.some(({ key }) => key === 'user')
  return isLocked ? [] : go(moment, 'writes by itself', begun, { ...world, users })
}

export const authorize: Steps = (moment) =>
  moment.world.users.ada?.password === 'p1'
    ? go(moment, 'asks authorize, which names the user', { at: firstPoint(moment) })
    : refuse(moment, 'wrong password')

function findActor({ world, process }: Moment): Session | null {
  const actor = world.sessions.find((session) => sessionKey(session) === process.actor)
  return actor && isIn(world, actor) ? actor : null
}

const checkSession: Steps = (moment) =>
  findActor(moment)
    ? go(moment, 'finds its session valid', { at: 'read the row' })
    : refuse(moment, 'its session has ended')

const readRow: Steps = (moment) => {
  const { world, process, operation } = moment
  const seen = Object.fromEntries(operation.users.map((id) => [id, world.rows[id]?.version ?? null]))
  const versions: Versions = Object.fromEntries(operation.users.map((id) => [id, world.rows[id]?.version ?? 0]))
  const first = process.first ?? versions
  const isEnded = (id: UserId) => sessionsFrom(world, id) > (first[id] ?? 0) || hasEndedSince(moment, id)
  if (operation.users.some((id) => world.rows[id]?.isSuspended)) return refuse(moment, 'the user is suspended')
  if (operation.users.some(isEnded)) return refuse(moment, 'an end came after the proof')
  const label = `reads the row: version ${seen[userOf(operation)] ?? 'none'}`
  const read = { ...moment, process: { ...process, seen, first } }
  if (process.plan) return prepare(read, process.plan, label)
  return go(read, label, { seen, first, at: 'read the rest' })
}

/** Whether a form arrived before the last end, or within its millisecond. */
function hasEndedSince({ world, process, setting }: Moment, id: UserId): boolean {
  if (process.arrival === null || !world.rows[id]) return false
  if (!keeps(setting, 'a form has arrived after the last end')) return false
  const isEarly = keeps(setting, 'a form of the millisecond of an end came before it')
  return sessionsFrom(world, id) > process.arrival - (isEarly ? 1 : 0)
}

/** A token as the operation finds it: one that it has consumed before a restart is still its own. */
function findToken({ world, process }: Moment): Token | null {
  const token = world.tokens.find(({ id }) => id === process.tokenId)
  if (!token || (!token.isStored && !process.hasConsumed)) return null
  return endByVersion.includes(token.kind) && token.version < sessionsFrom(world, 'ada') ? null : token
}

const readRest: Steps = (moment) => {
  const { world, process, operation, setting } = moment
  const isChecked = keeps(setting, 'the session is allowed at this version')
  const stored = world.sessions.find((session) => sessionKey(session) === process.actor) ?? null
  const view: View = {
    process: changeIdOf(process),
    user: world.users[userOf(operation)],
    actor: isChecked ? findActor(moment) : stored,
    token: findToken(moment)
  }
  const plan = operation.decide(view)
  if (!plan) return refuse(moment, 'nothing that it needs is there')
  if (view.user && plan.user === 'keep' && waysIn({ ...view.user, ...plan.set }) === 0)
    if (keeps(setting, 'the ways in are counted')) return refuse(moment, 'it is the last way in')
  const label = 'reads the rest and decides'
  if (!keeps(setting, 'the row is read before the decision')) return go(moment, label, { plan, at: 'read the row' })
  return prepare(moment, plan, label)
}

/** What is known when the row and the rest are read. */
function prepare(moment: Moment, decided: Plan, label: string): readonly Step[] {
  const { world, process, operation, setting } = moment
  const isKept = decided.isReissued && !keeps(setting, 'the acting session gets a new token')
  const plan: Plan = isKept ? { ...decided, isReissued: false, level: null } : decided
  const version = plan.mode === 'advance' ? nextVersion(world, process.seen[userOf(operation)] ?? 0, setting) : 0
  const { seen, first } = process
  return go(moment, label, { seen, first, plan, version, at: afterPlan({ ...moment, plan }) })
}

export const firstReads: Readonly<Record<FirstPoint, Steps>> = {
  'read the row': readRow,
  'read the rest': readRest,
  'check the session': checkSession
}
