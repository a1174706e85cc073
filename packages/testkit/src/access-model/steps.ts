import { keeps, type Setting } from './rules.ts'
import { idleProcess } from './starts.ts'
import { forgetSessions, forgetTokens, type Moment, newSession, newToken, releaseLocks } from './transaction.ts'
import { type Plan, type Point, type Process, sessionKey, type World } from './world.ts'

/** One atomic step of a process, and the world after it. */
export interface Step {
  readonly label: string
  readonly world: World
}

/** What a process can do next: nothing if it waits for a lock. */
export type Steps = (moment: Moment) => readonly Step[]

/** The world in which a process has changed. What the ghost has noted about the process in this world stays. */
export function change({ world, process }: Moment, changes: Partial<Process>, after: World = world): World {
  const { actor, tokenId } = process
  return {
    ...after,
    processes: after.processes.map((each) =>
      each.name === process.name ? { ...each, actor, tokenId, ...changes } : each
    )
  }
}

export const go = (moment: Moment, label: string, changes: Partial<Process>, after?: World): readonly Step[] => [
  { label, world: change(moment, changes, after) }
]

/** Undoes what is not committed: locks, and what was written to Redis before the transaction. */
function rollBack(moment: Moment): World {
  const { world, process } = moment
  const made = [...(newSession(moment) ? [sessionKeyOf(moment)] : []), newToken(moment)?.id]
  const isMade = (key: string) => world.strategy === 'redis' && made.includes(key)
  const left = forgetTokens(
    forgetSessions(world, (session) => isMade(sessionKey(session))),
    ({ id }) => isMade(id)
  )
  return releaseLocks(left, process)
}

export const sessionKeyOf = (moment: Moment): string | null => {
  const session = newSession(moment)
  return session && sessionKey(session)
}

/** Nothing of a process that is done matters any more, except what it has written. */
export const done = ({ name, operation }: Process, outcome: Process['outcome']): Process => ({
  ...idleProcess(name, operation),
  at: 'done',
  outcome
})

export function refuse(moment: Moment, why: string): readonly Step[] {
  const left = rollBack(moment)
  const violation = moment.plan.mode === 'forced' ? `the end of ${moment.process.name} does not happen` : left.violation
  return go(moment, `is refused: ${why}`, done(moment.process, 'not done'), { ...left, violation })
}

export function restart(moment: Moment, why: string): readonly Step[] {
  const restarts = moment.process.restarts + 1
  if (restarts > moment.setting.maxRestarts) return refuse(moment, '503, too many restarts')
  const first = keeps(moment.setting, 'a restart keeps the first version') ? moment.process.first : null
  const changes: Partial<Process> = { at: firstPoint(moment), restarts, first, plan: null, doomed: [], locked: 0 }
  return go(moment, `restarts: ${why}`, changes, rollBack(moment))
}

/** What a process reads first. */
export type FirstPoint = Extract<Point, 'read the row' | 'read the rest' | 'check the session'>

/** The first read of a process. */
export function firstPoint({ setting, operation }: Moment): FirstPoint {
  if (!keeps(setting, 'the row is read before the decision')) return 'read the rest'
  if (operation.actor && !keeps(setting, 'the session is allowed at this version')) return 'check the session'
  return 'read the row'
}

/** The token is gone. If the process has consumed it itself, its visitor does not get what it was for. */
export function refuseToken(moment: Moment): readonly Step[] {
  const { world, process, plan } = moment
  const isOwn = (process.hasConsumed || process.hasCommitted) && (plan.level !== null || plan.puts !== null)
  const violation = isOwn ? `${process.name} is refused by a token that it has consumed itself` : world.violation
  return refuse({ ...moment, world: { ...world, violation } }, 'the token was used')
}

/** The first statement of the transaction. */
export function beforeLock(plan: Plan, setting: Setting): Point {
  const isEarly = !keeps(setting, 'sessions are found in a statement after the lock')
  return isEarly && (plan.ends !== 'nothing' || plan.isReissued) ? 'find sessions' : 'lock'
}
