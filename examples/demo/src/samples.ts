import type { Frame, Page } from '@postern/core'
import { renderer } from '@postern/pages'
import type { FastifyPluginCallback } from 'fastify'

const form = { csrfToken: '', callbackUrl: '/', action: '#' }

/** The screens that a visitor meets only on the way, with made-up content, for looking at. */
export const samples: Readonly<Record<string, Page>> = {
  confirm: { name: 'confirm', identifier: 'ada@example.com', action: '#', fields: {} },
  'start-again': { name: 'start-again', provider: 'Demo provider', ref: 'sample', ...form },
  'other-user': {
    name: 'other-user',
    provider: 'Demo provider',
    user: { name: 'Grace Hopper', email: 'grace@example.com' },
    ref: 'sample',
    ...form
  },
  welcome: { name: 'welcome', user: 'Ada Lovelace', callbackUrl: '/' }
}

/** A Fastify plugin: each sample under `/screens/<name>`. Its forms lead nowhere. */
export const sampleScreens: FastifyPluginCallback<{ frame: Frame }> = (app, { frame }, done) => {
  app.get<{ Params: { name: string } }>('/screens/:name', ({ params }, reply) => {
    const sample = Object.hasOwn(samples, params.name) ? samples[params.name] : undefined
    if (!sample) return reply.code(404).send('There is no such screen.')
    return reply.type('text/html; charset=utf-8').send(renderer.page(sample, frame))
  })
  done()
}
