import { keeps } from './rules.ts'
import { beforeLock, go, refuseToken, type Steps, sessionKeyOf } from './steps.ts'
import { addNew, forgetSessions, forgetTokens, type Moment, userOf } from './transaction.ts'
import { concerns, type Session, sessionKey, type Token, type World } from './world.ts'

/** Whether what ends is forgotten while the row is locked. Otherwise before the transaction and after it. */
const isInTransaction = ({ setting }: Moment): boolean =>
  keeps(setting, 'Redis forgets ended sessions while the row is locked')

/** Consumes the token and writes what is new, which nobody holds yet. */
export const writeToRedis: Steps = (moment) => {
  const { world, process, plan, setting } = moment
  const token = world.tokens.find(({ id }) => id === process.tokenId)
  const isConsumedHere = process.hasConsumed && keeps(setting, 'a restart does not consume its token again')
  if (plan.consumes && !token?.isStored && !isConsumedHere) return refuseToken(moment)
  const left = isInTransaction(moment) ? world : forgetInRedis(moment, world)
  const consumed = forgetTokens(left, ({ id }) => plan.consumes && id === process.tokenId)
  const after = keeps(setting, 'Redis has a session before its transaction') ? addNew(moment, consumed) : consumed
  const hasConsumed = process.hasConsumed || plan.consumes
  return go(moment, 'writes to Redis', { hasConsumed, at: beforeLock(plan, setting) }, after)
}

/**
 * Forgets what ends. While the row is locked no operation can read the version that the commit brings, so that an operation
 * that reads it does not find these sessions.
 */
export function forgetInRedis(moment: Moment, world: World): World {
  const { process, operation, plan, setting } = moment
  const issued = sessionKeyOf(moment)
  const isEnded = (session: Session) =>
    plan.ends === `session ${session.id}` ||
    (plan.ends === 'everything' && concerns(session, userOf(operation)) && sessionKey(session) !== issued) ||
    (plan.isReissued && sessionKey(session) === process.actor)
  const isGone = ({ kind }: Token) => plan.drops.includes(kind) && keeps(setting, 'waiting things are dropped')
  return forgetTokens(forgetSessions(world, isEnded), isGone)
}

/** The same after the commit, where it did not happen in the transaction. */
export const forgetAgain = (moment: Moment): World =>
  moment.world.strategy !== 'redis' || isInTransaction(moment) ? moment.world : forgetInRedis(moment, moment.world)
