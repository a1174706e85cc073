import {
  ConfigError,
  createPostern,
  type Logger,
  type Postern,
  type PosternOptions,
  type Problem,
  type Renderer
} from '@postern/core'
import type { RendererOptions } from '@postern/pages'
import { screens } from './screens.ts'

type Log = Pick<Logger, 'error'>

/** The options of the built-in screens. */
export type PagesOptions = Omit<RendererOptions, 'logger' | 'lazy'>

/** @returns A problem for each option of the built-in screens that a custom renderer would ignore. */
function needless(pages: PagesOptions): readonly Problem[] {
  const given = Object.entries(pages).filter(([, value]) => value !== undefined)
  return given.map(([option]) => ({
    option,
    code: 'OPTIONS_CONFLICT',
    message: 'expected this option without renderer, which replaces the built-in screens; pass it to createRenderer'
  }))
}

/** @throws ConfigError these problems, after those of the other options. */
function withProblems(options: PosternOptions, problems: readonly Problem[]): never {
  try {
    createPostern(options)
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError([...error.problems, ...problems])
    throw error
  }
  throw new ConfigError(problems)
}

/** Creates the built-in screens, or returns the problems of their options. */
async function ownScreens(pages: PagesOptions, log: Log): Promise<readonly Problem[] | Renderer> {
  const { checkRendererOptions, createRenderer } = await import('@postern/pages')
  const problems = checkRendererOptions(pages)
  // The default languages load lazily, so that startup does not wait for languages that no request may need.
  const lazy = pages.languages === undefined || pages.languages === 'all'
  return problems.length > 0 ? problems : createRenderer({ ...pages, lazy, logger: log })
}

/**
 * Creates the Postern instance, with the built-in screens if the application passes no renderer.
 *
 * @param others - Configuration errors found by the caller.
 * @throws ConfigError every configuration error at once.
 */
export async function createWithPages(
  options: PosternOptions,
  pages: PagesOptions,
  others: readonly Problem[]
): Promise<Postern> {
  const { logger = {}, renderer } = options
  const log: Log = { error: (code, metadata) => logger.error?.(code, metadata) }
  const isPlain = Object.values(pages).every((value) => value === undefined)
  const screensOrProblems =
    renderer !== undefined ? needless(pages) : await (isPlain ? screens(log) : ownScreens(pages, log))
  const problems = 'page' in screensOrProblems ? others : [...screensOrProblems, ...others]
  if (problems.length > 0) return withProblems(options, problems)
  return createPostern('page' in screensOrProblems ? { ...options, renderer: screensOrProblems } : options)
}
