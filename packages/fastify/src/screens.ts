import { createRequire } from 'node:module'
import type { Logger, Renderer } from '@postern/core'
import { load } from './load.ts'

type Log = Pick<Logger, 'error'>

/**
 * The screens of `@postern/pages`, loaded with the first page: an application that shows its own never loads React.
 *
 * @throws Error React is not there; that is told at registration.
 */
export async function screens(logger: Log): Promise<Renderer> {
  // Before Node 22.12 no ES module can be loaded at once.
  if (!process.features.require_module) return (await import('@postern/pages')).createPlainRenderer(logger)
  createRequire(load.resolve('@postern/pages')).resolve('react-dom/server')
  let made: Required<Renderer> | null = null
  const renderer = (): Required<Renderer> => {
    const { createPlainRenderer }: typeof import('@postern/pages') = load('@postern/pages')
    made ??= createPlainRenderer(logger)
    return made
  }
  return {
    page: (page, frame, wish) => (made ?? renderer()).page(page, frame, wish),
    mail: (mail, frame, wish) => (made ?? renderer()).mail(mail, frame, wish),
    prepare: (wish) => (made ?? renderer()).prepare(wish),
    asset: (name, frame) => (made ?? renderer()).asset(name, frame)
  }
}
