import type { ContractTest } from '../src/contract/index.ts'

export interface Recorder extends ContractTest {
  /** The path of each case in which something was not as expected. */
  readonly failures: readonly string[]
  readonly comments: readonly string[]
  readonly assertions: () => number
}

/** A test runner that reports nothing, so that a test can check that a suite fails. It may run one suite only. */
export function createRecorder(suite?: string): Recorder {
  const failures: string[] = []
  const comments: string[] = []
  let assertions = 0
  const at = (path: string): ContractTest => {
    const check = (isMet: boolean): void => {
      assertions += 1
      if (!isMet && !failures.includes(path)) failures.push(path)
    }
    return {
      test: async (name, run) => {
        if (path === '' && suite !== undefined && name !== suite) return
        const inner = path === '' ? name : `${path} > ${name}`
        try {
          await run(at(inner))
        } catch {
          failures.push(inner)
        }
      },
      equal: (found, requested) => check(Object.is(found, requested)),
      same: (found, requested) => check(JSON.stringify(found) === JSON.stringify(requested)),
      ok: (value) => check(Boolean(value)),
      comment: (message) => comments.push(message)
    }
  }
  return { ...at(''), failures, comments, assertions: () => assertions }
}
