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

/** What the built-in screens are made with. */
export type PagesOptions = Omit<RendererOptions, 'logger' | 'lazy'>

/** @returns What is wrong with the options of the built-in screens beside a renderer of the application's. */
function needless(pages: PagesOptions): readonly Problem[] {
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

/** Screens as the application wants them, and what is wrong with that. */
async function ownScreens(pages: PagesOptions, log: Log): Promise<readonly Problem[] | Renderer> {
  const { checkRendererOptions, createRenderer } = await import('@postern/pages')
  const problems = checkRendererOptions(pages)
  // Nobody waits at the start for languages that nobody may wish for.
  const lazy = pages.languages === undefined || pages.languages === 'all'
  return problems.length > 0 ? problems : createRenderer({ ...pages, lazy, logger: log })
}

/**
 * Makes sign-in with the built-in screens, where the application brings no renderer.
 *
 * @throws ConfigError every mistake in both at once.
 */
export async function createWithPages(options: PosternOptions, pages: PagesOptions): Promise<Postern> {
  const { logger = {}, renderer } = options
  const log: Log = { error: (code, metadata) => logger.error?.(code, metadata) }
  const isPlain = Object.values(pages).every((value) => value === undefined)
  const made = renderer !== undefined ? needless(pages) : await (isPlain ? screens(log) : ownScreens(pages, log))
  if ('page' in made) return createPostern({ ...options, renderer: made })
  return made.length > 0 ? withProblems(options, made) : createPostern(options)
}
