/** One mistake in a configuration: where it is, what was expected and what came. */
export interface Problem {
  /** `providers.github.clientId` */
  readonly option: string
  /** `expected text, got nothing; set AUTH_GITHUB_ID or pass clientId` */
  readonly message: string
}

/** Every mistake of a configuration at once; thrown at registration only. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError'
  readonly code: string = 'POSTERN_CONFIG'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(`Postern cannot start:\n${problems.map(({ option, message }) => `- ${option}: ${message}`).join('\n')}`)
    this.problems = problems
  }
}
