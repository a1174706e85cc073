import { failPoints, isFailPoint, type Pass } from '../adapter/fail-points.ts'
import type { Problem } from '../errors/config-error.ts'
import type { Runtime } from '../model/runtime.ts'
import type { Environment } from './normalized-options.ts'

/** The moment at which the process is to end, for tests of what is left behind then. */
export interface FailPointSetting {
  /** `null` where nothing is to end. */
  readonly pass: Pass | null
  readonly problems: readonly Problem[]
}

const variable = 'POSTERN_FAILPOINT'

/** Reads `POSTERN_FAILPOINT`. */
export function resolveFailPoint(environment: Environment, isProduction: boolean, { kill }: Runtime): FailPointSetting {
  const name = environment[variable]
  if (!name) return { pass: null, problems: [] }
  const refuse = (message: string): FailPointSetting => ({ pass: null, problems: [{ option: variable, message }] })
  if (isProduction) return refuse('expected nothing in production, where no process is to end on purpose; unset it')
  if (!isFailPoint(name)) return refuse(`expected one of ${failPoints.join(', ')}`)
  if (!kill) return refuse('this runtime cannot end its process; pass runtime.kill, or that of @postern/core/node')
  return {
    pass: (point) => {
      if (point === name) kill()
    },
    problems: []
  }
}
