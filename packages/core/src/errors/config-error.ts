import type { ProblemCode } from './problem-codes.ts'

/** A problem in the configuration: the option, the expected and the actual value. */
export interface Problem {
  /** `providers.github.clientId` */
  readonly option: string
  /** A stable code, which does not change with the message. */
  readonly code: ProblemCode
  /** `expected a string, got nothing; set AUTH_GITHUB_ID or pass clientId` */
  readonly message: string
  /** The option that was probably meant, for `UNKNOWN_OPTION`. */
  readonly suggestion?: string
}

/** A problem, without the name of its option. */
export type ProblemDetail = Omit<Problem, 'option'>

/** Contains every problem of a configuration. Thrown at registration only. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError'
  readonly code: string = 'POSTERN_CONFIG'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(`Postern cannot start:\n${problems.map(({ option, message }) => `- ${option}: ${message}`).join('\n')}`)
    this.problems = problems
  }
}
