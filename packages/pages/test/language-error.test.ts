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

t.test('a language that cannot be loaded is told, and the first one speaks', async (t) => {
  const told: unknown[] = []
  const logger = { error: (...args: unknown[]) => void told.push(args) }
  const lazy = await createRenderer({ languages: ['nl', 'de'], lazy: true, logger })
  for (const [renderer, first] of [
    [createPlainRenderer(logger), 'en'],
    [lazy, 'nl']
  ] as const) {
    const wish = { languages: ['de'] }
    await renderer.prepare(wish)
    t.match(told.splice(0), [['LANGUAGE_ERROR', { name: 'Error', message: 'no such luck' }]])
    t.match(renderer.page(sample.signIn, sample.frameWith(), wish), `<html lang="${first}"`)
    await renderer.prepare({ languages: ['fr'] })
  }
  t.same(told, [], 'the others are there')
})
