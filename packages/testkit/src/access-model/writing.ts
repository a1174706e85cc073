import { forgetInRedis } from './redis.ts'
import { keeps } from './rules.ts'
import { go, refuseToken, restart, type Steps } from './steps.ts'
import { findDoomed, type Moment, nextVersion, userOf } from './transaction.ts'
import type { Lock, Point, World } from './world.ts'

/** Only where a rule is left out: a statement that has looked for sessions before it waits for the lock. */
export const findSessions: Steps = (moment) =>
  go(moment, 'finds the sessions that end', { doomed: findDoomed(moment), at: 'lock' })

/** Whether the lock is free, and the world in which the process has it. */
function lock({ world, process }: Moment, key: string, isExclusive: boolean): World | null {
  const conflicts = (other: Lock) =>
    other.key === key && other.process !== process.name && (isExclusive || other.isExclusive)
  if (world.locks.some(conflicts)) return null
  return { ...world, locks: [...world.locks, { key, process: process.name, isExclusive }] }
}

/** Whether a statement demands rows at all. */
function skipsDemand({ operation, plan, process, setting }: Moment): boolean {
  if (plan.mode !== 'demand') return false
  const isSecond = process.locked > 0 && !keeps(setting, 'impersonation demands both rows')
  return isSecond || (operation.actor === null && !keeps(setting, 'a sign-in demands the version'))
}

/** The first statement, for each row in turn. */
export const lockRow: Steps = (moment) => {
  const { world, process, operation, plan, setting } = moment
  const id = operation.users[process.locked]
  if (id === undefined || skipsDemand(moment)) return afterLocks(moment)
  const row = world.rows[id]
  const isDemand = plan.mode === 'demand'
  const isUnlocked = isDemand && !row && !keeps(setting, 'a missing row is locked')
  const isShared = isDemand ? row !== null : !keeps(setting, 'a change locks exclusively from the start')
  const after = isUnlocked ? world : lock(moment, id, !isShared)
  if (!after) return []
  const seen = process.seen[id] ?? null
  const isUnchanged = isDemand ? (row?.version ?? 0) === (seen ?? 0) : (row?.version ?? null) === seen
  const isForced = plan.mode === 'forced' && keeps(setting, 'an end demands nothing')
  if (!isForced && !isUnchanged) return restart(moment, `the version is ${row?.version}`)
  const version = plan.mode === 'forced' ? nextVersion(world, row?.version ?? 0, setting) : process.version
  const locked = process.locked + 1
  const next = { ...moment, world: after, process: { ...process, locked, version } }
  const label = `locks the row of ${id}: version ${row?.version ?? 'none'}`
  return go(next, label, { locked, version, at: locked < operation.users.length ? 'lock' : pointAfterLocks(next) })
}

const afterLocks: Steps = (moment) => go(moment, 'demands nothing', { at: pointAfterLocks(moment) })

function pointAfterLocks({ world, plan, setting }: Moment): Point {
  const isUpgraded = plan.mode !== 'demand' && !keeps(setting, 'a change locks exclusively from the start')
  const isConsumed = plan.consumes && world.strategy !== 'redis'
  const writes = isConsumed || plan.ends !== 'nothing' || plan.isReissued || plan.drops.length > 0
  const isMore = plan.user === 'create' || plan.requiresAddress !== null || isUpgraded
  return isMore || writes ? 'write' : 'commit'
}

/** The later statements: each waits for the lock of what it writes. */
export const write: Steps = (moment) => {
  const { world, process, operation, plan, setting } = moment
  const isInSql = world.strategy !== 'redis' && plan.consumes
  const keys = [
    ...(isInSql ? [`token ${process.tokenId}`] : []),
    ...(plan.user === 'create' || plan.requiresAddress !== null ? ['user'] : []),
    ...(keeps(setting, 'a change locks exclusively from the start') || plan.mode === 'demand' ? [] : operation.users)
  ]
  const after = keys.reduce<World | null>((held, key) => held && lock({ ...moment, world: held }, key, true), world)
  if (!after) return []
  if (isInSql && !world.tokens.some(({ id, isStored }) => id === process.tokenId && isStored))
    return refuseToken(moment)
  if (plan.user === 'create' && world.users[userOf(operation)]) return restart(moment, 'the user is there')
  const isRequired = plan.requiresAddress !== null && keeps(setting, 'the change requires the address')
  if (isRequired && world.users[userOf(operation)]?.address !== plan.requiresAddress)
    return restart(moment, 'the address has changed')
  const isEarly = !keeps(setting, 'sessions are found in a statement after the lock')
  const doomed = isEarly ? process.doomed : findDoomed(moment)
  const isLocked = keeps(setting, 'Redis forgets ended sessions while the row is locked')
  const written = world.strategy === 'redis' && isLocked ? forgetInRedis(moment, after) : after
  return go(moment, 'writes', { doomed, at: 'commit' }, written)
}
