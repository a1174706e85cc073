import type { Postern } from '@postern/core'

/** The core instance of each `app.postern`, for `@postern/fastify/testing`. */
export const instances: WeakMap<object, Postern> = new WeakMap()
