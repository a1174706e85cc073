import { answer, commitOrLose, recover } from './committing.ts'
import { findOperation, noPlan } from './operations.ts'
import { authorize, firstReads, start } from './reading.ts'
import { writeToRedis } from './redis.ts'
import type { Setting } from './rules.ts'
import { done, type Step, type Steps } from './steps.ts'
import { releaseLocks } from './transaction.ts'
import type { Point, Process, World } from './world.ts'
import { findSessions, lockRow, write } from './writing.ts'

const points: Readonly<Record<Exclude<Point, 'done'>, Steps>> = {
  start,
  authorize,
  ...firstReads,
  'write to Redis': writeToRedis,
  'find sessions': findSessions,
  lock: lockRow,
  write,
  commit: commitOrLose,
  recover,
  answer
}

/** What a process can do next. Nothing if it waits for a lock, or is done. */
export function stepsOf(world: World, process: Process, setting: Setting): readonly Step[] {
  if (process.at === 'done') return []
  const operation = findOperation(process.operation)
  return points[process.at]({ world, process, operation, plan: process.plan ?? noPlan, setting })
}

/** The world after the process was killed. Its transaction is rolled back; what it wrote to Redis stays. */
export const kill = (world: World, process: Process): World => ({
  ...releaseLocks(world, process),
  processes: world.processes.map((each) => (each.name === process.name ? done(process, 'not done') : each))
})
