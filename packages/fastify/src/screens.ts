import { createRequire } from 'node:module'
import type { Logger, Renderer } from '@postern/core'
import { load } from './load.ts'

type Log = Pick<Logger, 'error'>

/**
 * Loads the screens of `@postern/pages` on first use, so that an application with its own pages never loads React.
 *
 * @throws Error if React is not installed. Registration reports the error.
 */
export async function screens(logger: Log): Promise<Renderer> {
  // Before Node 22.12, `require` cannot load ES modules.
  if (!process.features.require_module) return (await import('@postern/pages')).createPlainRenderer(logger)
  createRequire(load.resolve('@postern/pages')).resolve('react-dom/server')
  let plainRenderer: Required<Renderer> | null = null
  const renderer = (): Required<Renderer> => {
    const { createPlainRenderer }: typeof import('@postern/pages') = load('@postern/pages')
    plainRenderer ??= createPlainRenderer(logger)
    return plainRenderer
  }
  return {
    page: (page, context, preference) => (plainRenderer ?? renderer()).page(page, context, preference),
    mail: (mail, context, preference) => (plainRenderer ?? renderer()).mail(mail, context, preference),
    featureMail: (mail, context, preference) => (plainRenderer ?? renderer()).featureMail(mail, context, preference),
    featureTexts: (texts, preference) => (plainRenderer ?? renderer()).featureTexts(texts, preference),
    prepare: (preference, page) => (plainRenderer ?? renderer()).prepare(preference, page),
    asset: (name, context) => (plainRenderer ?? renderer()).asset(name, context)
  }
}
