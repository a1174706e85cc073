import { markOver } from './ghost.ts'
import { forgetAgain } from './redis.ts'
import { keeps } from './rules.ts'
import { change, done, go, refuse, type Steps, sessionKeyOf } from './steps.ts'
import { addNew, changeIdOf, commit, type Moment, newToken, releaseLocks, userOf } from './transaction.ts'
import { type Session, sessionKey, type World } from './world.ts'

/** A commit takes place and its reply arrives, or the reply is lost, or the connection before it. */
export const commitOrLose: Steps = (moment) => {
  const { world, process } = moment
  const after = commit(moment)
  const isInRedis = world.strategy === 'redis'
  const [answered] = go(moment, 'commits', { at: 'answer' }, after)
  if (!answered) return []
  const kept = isInRedis ? answered : { label: 'commits and answers', world: answerIn(answered.world, moment) }
  if (process.hasLostReply) return [kept]
  const lost = { at: 'recover', hasLostReply: true } as const
  return [
    kept,
    ...go(moment, 'commits, and the reply is lost', lost, after),
    ...go(moment, 'loses the connection before its commit', { ...lost, locked: 0 }, releaseLocks(world, process))
  ]
}

/** After a lost reply. */
export const recover: Steps = (moment) => {
  const { world, process, operation, plan, setting } = moment
  const row = world.rows[userOf(operation)]
  const again = () => go(moment, 'repeats its transaction', { at: 'lock', locked: 0 })
  const isDone = () => go(moment, 'finds that it was committed', { at: 'answer' })
  if (plan.mode === 'demand') {
    const keys = [sessionKeyOf(moment), newToken(moment)?.id]
    const isThere =
      world.sessions.some((session) => session.isStored && keys.includes(sessionKey(session))) ||
      world.tokens.some((token) => token.isStored && keys.includes(token.id))
    const isRecorded = world.strategy === 'database' || keeps(setting, 'a sign-in leaves a record')
    return world.strategy !== 'redis' && isThere && isRecorded ? isDone() : again()
  }
  const isChanged = (row?.version ?? null) !== (process.seen[userOf(operation)] ?? null)
  const isChecked = keeps(setting, 'the change id says whose commit it was')
  if (isChecked ? row?.changeId === changeIdOf(process) : isChanged) return isDone()
  if (plan.mode === 'forced' || !isChanged) return again()
  return refuse(moment, '503, the outcome is unknown')
}

/** The world after the answer: the browser holds what is new. */
function answerIn(world: World, before: Moment): World {
  const process = world.processes.find(({ name }) => name === before.process.name) ?? before.process
  const moment = { ...before, world, process }
  const { plan, setting } = moment
  const { strategy } = world
  if (plan.mode === 'no transaction') return change(moment, done(process, 'done'), renew(moment))
  const key = sessionKeyOf(moment)
  const isMissing = key !== null && !world.sessions.some((session) => sessionKey(session) === key)
  const whole = isMissing && strategy === 'jwt' ? addNew(moment, world) : forgetAgain(moment)
  const isLate = strategy === 'redis' && !keeps(setting, 'Redis has a session before its transaction')
  const hold = (each: Session): Session => ({ ...each, isStored: each.isStored || isLate, isHeld: true })
  const held: World = {
    ...whole,
    sessions: whole.sessions.map((each) => (sessionKey(each) === key ? hold(each) : each)),
    tokens: whole.tokens.map((each) => (each.id === newToken(moment)?.id ? { ...each, isHeld: true } : each))
  }
  const uncommitted = key !== null && !process.hasCommitted ? [key] : []
  return change(moment, done(process, 'done'), markOver(held, uncommitted))
}

/** A renewal issues the token again, with the version that it carries. */
function renew({ world, process, setting }: Moment): World {
  if (keeps(setting, 'a renewal keeps its version')) return world
  const version = world.rows.ada?.version ?? 0
  return {
    ...world,
    sessions: world.sessions.map((each) =>
      sessionKey(each) === process.actor ? { ...each, versions: { ada: version } } : each
    )
  }
}

export const answer: Steps = (moment) => [{ label: 'answers', world: answerIn(moment.world, moment) }]
