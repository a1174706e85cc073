import { registerHooks } from 'node:module'
import t from 'tap'
import { createPlainRenderer, createRenderer } from '../src/index.ts'
import * as sample from './samples.ts'

const hooks = registerHooks({
  load: (url, context, next) => {
    if (/\/texts\/de\.[jt]s$/.test(url)) throw new Error('no such luck')
    return next(url, context)
  }
})
t.teardown(() => hooks.deregister())

t.test('a language that cannot be loaded is logged, and the first one is used', async (t) => {
  const logged: unknown[] = []
  const logger = { error: (...args: unknown[]) => void logged.push(args) }
  const lazy = await createRenderer({ languages: ['nl', 'de'], lazy: true, logger })
  for (const [renderer, first] of [
    [createPlainRenderer(logger), 'en'],
    [lazy, 'nl']
  ] as const) {
    const preference = { languages: ['de'] }
    await renderer.prepare(preference)
    t.match(logged.splice(0), [['LANGUAGE_ERROR', { name: 'Error', message: 'no such luck' }]])
    t.match(renderer.page(sample.signIn, sample.createPageContext(), preference), `<html lang="${first}"`)
    await renderer.prepare({ languages: ['fr'] })
  }
  t.same(logged, [], 'the others are there')
})
