import { ConfigError, createPostern, type Postern, type PosternOptions, type Problem } from '@postern/core'
import { checkRendererOptions, createRenderer, type RendererOptions } from '@postern/pages'

/** What the built-in screens are made with. */
export type PagesOptions = Omit<RendererOptions, 'logger' | 'lazy'>

/** @returns What is wrong with the options of the built-in screens. */
function problemsOf(pages: PagesOptions, renderer: PosternOptions['renderer']): readonly Problem[] {
  if (!renderer) return checkRendererOptions(pages)
  const given = Object.entries(pages).filter(([, value]) => value !== undefined)
  return given.map(([option]) => ({
    option,
    message: 'expected nothing beside renderer, which replaces the built-in screens; pass it to createRenderer'
  }))
}

/** @throws ConfigError these problems, after those that the other options have. */
function withProblems(options: PosternOptions, problems: readonly Problem[]): never {
  try {
    createPostern(options)
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError([...error.problems, ...problems])
    throw error
  }
  throw new ConfigError(problems)
}

/**
 * Makes sign-in with the built-in screens, where the application brings no renderer.
 *
 * @throws ConfigError every mistake in both at once.
 */
export async function createWithPages(options: PosternOptions, pages: PagesOptions): Promise<Postern> {
  const problems = problemsOf(pages, options.renderer)
  if (problems.length > 0) return withProblems(options, problems)
  const { logger = {} } = options
  const log = { error: (code: string, metadata: unknown) => logger.error?.(code, metadata) }
  // Nobody waits at the start for languages that nobody may wish for.
  const lazy = pages.languages === undefined || pages.languages === 'all'
  const renderer = options.renderer ?? (await createRenderer({ ...pages, lazy, logger: log }))
  return createPostern({ ...options, renderer })
}
