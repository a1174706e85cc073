import type { Postern } from '@postern/core'

/** The core behind each `app.postern`, for `@postern/fastify/testing`. */
export const registered: WeakMap<object, Postern> = new WeakMap()
