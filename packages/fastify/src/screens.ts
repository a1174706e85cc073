import { createRequire } from 'node:module'
import type { Renderer } from '@postern/core'
import { load } from './load.ts'

/**
 * The screens of `@postern/pages`, loaded with the first page: an application that shows its own never loads React.
 *
 * @throws Error React is not there; that is told at registration.
 */
export async function screens(): Promise<Renderer> {
  // Before Node 22.12 no ES module can be loaded at once.
  if (!process.features.require_module) return (await import('@postern/pages')).renderer
  createRequire(load.resolve('@postern/pages')).resolve('react-dom/server')
  const renderer = (): Required<Renderer> => {
    const pages: typeof import('@postern/pages') = load('@postern/pages')
    return pages.renderer
  }
  return {
    page: (page, frame) => renderer().page(page, frame),
    mail: (mail, frame) => renderer().mail(mail, frame),
    asset: (name, frame) => renderer().asset(name, frame)
  }
}
